-- What members want to do after a book. Ids are made by the member's devices, so they are unique within a member.
CREATE TABLE commitments (
    user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
    id bigint NOT NULL CHECK (id BETWEEN 1 AND 9007199254740991),
    -- Null: the book was deleted. The column gets its reference in the next migration, so that each locks one table.
    book_id bigint,
    -- As they were when the commitment was stored first.
    book_title text NOT NULL,
    book_author text NOT NULL,
    text text NOT NULL CHECK (char_length(text) BETWEEN 1 AND 500),
    text_at timestamptz NOT NULL,
    outcome text NOT NULL CHECK (outcome IN ('open', 'done', 'dropped')),
    outcome_at timestamptz NOT NULL,
    -- The latest asking that was answered.
    answered_day smallint CHECK (answered_day IN (3, 14)),
    created_at timestamptz NOT NULL,
    -- The latest moment of any part of it.
    edited_at timestamptz NOT NULL,
    -- A change that is later than that brings it back.
    deleted_at timestamptz,
    is_shown boolean NOT NULL GENERATED ALWAYS AS (deleted_at IS NULL OR deleted_at < edited_at) STORED,
    -- The day of the member's calendar on which it was made.
    first_day date NOT NULL,
    version bigint NOT NULL,
    PRIMARY KEY (user_id, id)
);
CREATE UNIQUE INDEX commitments_version ON commitments (user_id, version);
CREATE INDEX commitments_book ON commitments (book_id) WHERE book_id IS NOT NULL;
