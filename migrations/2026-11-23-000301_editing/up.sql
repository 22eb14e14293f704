-- What editors work on: versions of rows, their revisions, and what books have besides.

-- The version of a row of the catalogue or the editorial part; a row without an entry has version 1.
CREATE TABLE row_versions (
    kind text NOT NULL,
    row_id bigint NOT NULL,
    version bigint NOT NULL CHECK (version > 0),
    changed_at timestamptz,
    -- Null: nobody, or a person whose account was deleted.
    changed_by bigint REFERENCES users ON DELETE SET NULL,
    PRIMARY KEY (kind, row_id)
);
CREATE INDEX row_versions_changed_by ON row_versions (changed_by) WHERE changed_by IS NOT NULL;

-- What a row said in each version.
CREATE TABLE row_revisions (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind text NOT NULL,
    row_id bigint NOT NULL,
    version bigint NOT NULL,
    saved_at timestamptz NOT NULL,
    saved_by bigint REFERENCES users ON DELETE SET NULL,
    content text NOT NULL
);
CREATE INDEX row_revisions_row ON row_revisions (kind, row_id, id);
CREATE INDEX row_revisions_saved_by ON row_revisions (saved_by) WHERE saved_by IS NOT NULL;

ALTER TABLE books
    -- Keys in the object store: a drawing of the editors', an uploaded infographic, an episode about the book.
    ADD COLUMN vector text, ADD COLUMN infographic text, ADD COLUMN podcast text,
    -- When a book that is not published, or is coming soon, can be read.
    ADD COLUMN publish_at timestamptz;
CREATE INDEX books_publish_at ON books (publish_at) WHERE publish_at IS NOT NULL;
