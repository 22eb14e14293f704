DROP INDEX daily_book_counts_book_days;
CREATE INDEX daily_book_counts_book_id ON daily_book_counts (book_id);
DROP TABLE monthly_book_counts;
