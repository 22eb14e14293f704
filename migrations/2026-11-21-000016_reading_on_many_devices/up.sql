-- Where readers are, as several devices tell it, late and in any order.

ALTER TABLE history
    -- When the reader was at that section; null: no device has said (only a video was started, or audio played).
    -- The default is for nodes of the version before.
    ADD COLUMN place_at timestamptz DEFAULT now(),
    -- The browser that said so: a random name that it gave itself.
    ADD COLUMN place_device text CHECK (place_device ~ '^[A-Za-z0-9_-]{1,64}$'),
    -- The furthest section ever reached, from 0.
    ADD COLUMN furthest integer NOT NULL DEFAULT 0 CHECK (furthest >= 0),
    -- Where the audio was, in milliseconds, and when.
    ADD COLUMN audio_ms bigint CHECK (audio_ms >= 0),
    ADD COLUMN audio_at timestamptz,
    -- The entry was hidden then; reading later than that brings it back.
    ADD COLUMN hidden_at timestamptz,
    ADD CHECK ((audio_ms IS NULL) = (audio_at IS NULL));

UPDATE history h
SET place_at = h.updated_at,
    furthest = CASE
        WHEN h.completed_at IS NULL THEN h.position
        ELSE greatest(h.position, cardinality(b.section_titles) - 1)
    END
FROM books b
WHERE b.id = h.book_id;

-- Which summaries were completed on which day of the reader's calendar. A request that comes twice counts once;
-- reading_days has their number.
CREATE TABLE completions (
    user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
    day date NOT NULL,
    book_id bigint NOT NULL REFERENCES books ON DELETE CASCADE,
    PRIMARY KEY (user_id, day, book_id)
);
