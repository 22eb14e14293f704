-- Which book a file has that was handed out, by the name that e-reader programs compute from the file.
CREATE TABLE book_documents (
    document text PRIMARY KEY,
    book_id bigint NOT NULL REFERENCES books ON DELETE CASCADE,
    -- The number of the page, from 1, that has the first section.
    first_page integer NOT NULL CHECK (first_page > 0)
);
CREATE INDEX book_documents_book ON book_documents (book_id);
