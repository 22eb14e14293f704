-- The daily counts of books, added up by month: a year of them is read as twelve rows of each book.
CREATE TABLE monthly_book_counts (
    -- Its first day.
    month date NOT NULL,
    book_id bigint NOT NULL REFERENCES books ON DELETE CASCADE,
    opened bigint NOT NULL,
    completed bigint NOT NULL,
    PRIMARY KEY (month, book_id)
);
CREATE INDEX monthly_book_counts_book_id ON monthly_book_counts (book_id);
INSERT INTO monthly_book_counts (month, book_id, opened, completed)
SELECT date_trunc('month', day::timestamp)::date, book_id, sum(opened), sum(completed)
FROM daily_book_counts GROUP BY 1, 2;

-- What one book was opened in a range of days.
DROP INDEX daily_book_counts_book_id;
CREATE INDEX daily_book_counts_book_days ON daily_book_counts (book_id, day) INCLUDE (opened);
