-- Illustrated key ideas of books, and the pictures that are made of all of a book's.

CREATE TABLE visuals (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    book_id bigint NOT NULL REFERENCES books ON DELETE CASCADE,
    -- Where it stands among the book's, from 0.
    place smallint NOT NULL,
    title text NOT NULL,
    body text NOT NULL,
    -- The picture's key in the object store.
    image text NOT NULL,
    UNIQUE (book_id, place)
);

CREATE TABLE visual_sets (
    book_id bigint PRIMARY KEY REFERENCES books ON DELETE CASCADE,
    -- Keys in the object store: what lists show, the poster, and its thumbnail.
    image text NOT NULL,
    infographic text NOT NULL,
    infographic_thumb text NOT NULL,
    saved_at timestamptz NOT NULL
);

-- How many key ideas are illustrated: lists say whether there are any.
ALTER TABLE books ADD COLUMN visuals smallint NOT NULL DEFAULT 0;
