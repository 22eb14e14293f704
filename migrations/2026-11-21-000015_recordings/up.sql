-- Recordings that the product makes of a book itself: its text read aloud, and a short film.

CREATE TABLE narrations (
    book_id bigint PRIMARY KEY REFERENCES books ON DELETE CASCADE,
    -- The audio's key in the object store. The row says something of the book's audio as long as it is this one:
    -- somebody may have put another recording in its place.
    media text NOT NULL,
    duration_ms bigint NOT NULL CHECK (duration_ms >= 0),
    -- When each heading and paragraph begins: a list of [section, paragraph or null, milliseconds].
    marks jsonb NOT NULL,
    -- Of the text that was read. The marks count as long as the book has it.
    text_hash text NOT NULL,
    -- Who read, such as `us-slt-hts`.
    voice text NOT NULL,
    made_at timestamptz NOT NULL
);

CREATE TABLE films (
    book_id bigint PRIMARY KEY REFERENCES books ON DELETE CASCADE,
    -- Keys in the object store: the video, a picture to show before it, its captions.
    media text NOT NULL,
    poster text NOT NULL,
    captions text NOT NULL,
    duration_ms bigint NOT NULL CHECK (duration_ms >= 0),
    text_hash text NOT NULL,
    made_at timestamptz NOT NULL
);
