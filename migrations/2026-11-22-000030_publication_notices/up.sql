-- Who wants a mail when a summary that is coming soon can be read.
CREATE TABLE publication_notices (
    user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
    book_id bigint NOT NULL REFERENCES books ON DELETE CASCADE,
    requested_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, book_id)
);
CREATE INDEX publication_notices_book_id ON publication_notices (book_id, requested_at);

-- Only what can be read is counted among the summaries.
UPDATE catalogue_totals SET books = (SELECT count(*) FROM books WHERE published AND NOT coming_soon),
    illustrated = (SELECT count(*) FROM books WHERE published AND NOT coming_soon AND visuals > 0);
UPDATE categories c SET book_count = (SELECT count(*) FROM book_categories t JOIN books b ON b.id = t.book_id
    WHERE t.category_id = c.id AND b.published AND NOT b.coming_soon);
UPDATE authors a SET book_count = (SELECT count(*) FROM books b
    WHERE b.author_id = a.id AND b.published AND NOT b.coming_soon);
