-- What members keep of what they read. Ids are made by the member's devices, so they are unique within a member.

-- The latest version of a member's records. Its row is locked by every change of them, so versions rise in the order of commits.
CREATE TABLE study_members (
    user_id bigint PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    version bigint NOT NULL DEFAULT 0
);

CREATE TABLE highlights (
    user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
    id bigint NOT NULL CHECK (id BETWEEN 1 AND 9007199254740991),
    -- Null: the source was deleted. Both columns get their references in later migrations, each of which locks one table.
    book_id bigint,
    summary_id bigint,
    -- As they were when the highlight was stored first.
    source_title text NOT NULL,
    source_author text NOT NULL,
    part text NOT NULL CHECK (part IN ('text', 'quote', 'source')),
    -- The anchor: positions are in characters of the section's text. The words are empty once a deleted highlight was emptied.
    section integer CHECK (section >= 0),
    start_at integer NOT NULL CHECK (start_at >= 0),
    end_at integer NOT NULL CHECK (end_at >= start_at),
    exact text NOT NULL,
    prefix text NOT NULL,
    suffix text NOT NULL,
    -- Where it is in the present text; null where it is gone.
    place_section integer,
    place_start integer,
    place_end integer,
    -- The words there, if they were edited.
    place_text text,
    color text NOT NULL CHECK (color IN ('honey', 'leaf', 'sky', 'rose')),
    color_at timestamptz NOT NULL,
    note text NOT NULL,
    note_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL,
    -- The latest moment of any part of it.
    edited_at timestamptz NOT NULL,
    -- A change that is later than that brings it back.
    deleted_at timestamptz,
    is_shown boolean NOT NULL GENERATED ALWAYS AS (deleted_at IS NULL OR deleted_at < edited_at) STORED,
    version bigint NOT NULL,
    PRIMARY KEY (user_id, id),
    CHECK (num_nonnulls(book_id, summary_id) <= 1),
    CHECK (num_nonnulls(place_section, place_start, place_end) IN (0, 3)),
    CHECK (place_text IS NULL OR place_start IS NOT NULL)
);
CREATE UNIQUE INDEX highlights_version ON highlights (user_id, version);
CREATE INDEX highlights_book ON highlights (book_id, user_id) WHERE book_id IS NOT NULL;
-- Of deleted highlights that still have words.
CREATE INDEX highlights_deleted ON highlights (deleted_at) WHERE deleted_at IS NOT NULL AND exact <> '';
CREATE INDEX highlights_summary ON highlights (summary_id) WHERE summary_id IS NOT NULL;

CREATE TABLE highlight_tags (
    user_id bigint NOT NULL,
    highlight_id bigint NOT NULL,
    -- As compared: in lower case.
    tag_key text NOT NULL,
    tag text NOT NULL CHECK (char_length(tag) BETWEEN 1 AND 40),
    is_on boolean NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (user_id, highlight_id, tag_key),
    FOREIGN KEY (user_id, highlight_id) REFERENCES highlights ON DELETE CASCADE
);

-- How many highlights a member has in a book, and the latest version of one: what a page of the book needs to know.
CREATE TABLE highlighted_books (
    user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
    book_id bigint NOT NULL,
    highlights integer NOT NULL CHECK (highlights >= 0),
    version bigint NOT NULL,
    PRIMARY KEY (user_id, book_id)
);
CREATE INDEX highlighted_books_book ON highlighted_books (book_id);

-- A member without a row has the defaults.
CREATE TABLE study_settings (
    user_id bigint PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    has_highlights boolean NOT NULL,
    counts_in_popular boolean NOT NULL,
    shows_popular boolean NOT NULL
);
