-- The books that have highlights: in which text they were found last, and whether popular passages are to be counted.
CREATE TABLE checked_books (
    book_id bigint PRIMARY KEY REFERENCES books ON DELETE CASCADE,
    -- The `updated_at` of the book whose text was looked through; '-infinity' before that.
    book_updated_at timestamptz NOT NULL,
    -- Highlights were added, removed or found elsewhere since the count.
    is_to_count boolean NOT NULL DEFAULT true
);
INSERT INTO checked_books (book_id, book_updated_at) SELECT DISTINCT book_id, '-infinity'::timestamptz FROM highlighted_books;

CREATE TABLE popular_passages (
    book_id bigint NOT NULL REFERENCES books ON DELETE CASCADE,
    section integer NOT NULL CHECK (section >= 0),
    start_at integer NOT NULL CHECK (start_at >= 0),
    end_at integer NOT NULL CHECK (end_at > start_at),
    members integer NOT NULL CHECK (members >= 10),
    PRIMARY KEY (book_id, section, start_at)
);
