-- The books that editors chose for a collection, in their order. One without any holds the books of its categories.
CREATE TABLE collection_books (
    collection_id bigint NOT NULL REFERENCES collections ON DELETE CASCADE,
    book_id bigint NOT NULL REFERENCES books ON DELETE CASCADE,
    place integer NOT NULL,
    PRIMARY KEY (collection_id, book_id)
);
CREATE INDEX collection_books_book_id ON collection_books (book_id);
