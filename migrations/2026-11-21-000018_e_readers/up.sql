-- Summaries on members' e-readers.

CREATE TABLE kindle_addresses (
    user_id bigint PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    email text NOT NULL,
    set_at timestamptz NOT NULL
);

CREATE TABLE deliveries (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
    book_id bigint NOT NULL REFERENCES books ON DELETE CASCADE,
    -- Who works on it, or did last. Jobs are swept after a while.
    job_id bigint,
    state text NOT NULL CHECK (state IN ('queued', 'sent', 'failed')),
    why text,
    asked_at timestamptz NOT NULL,
    ended_at timestamptz
);
CREATE INDEX deliveries_user ON deliveries (user_id, id DESC);
CREATE INDEX deliveries_book ON deliveries (book_id);
-- A member waits for a book once.
CREATE UNIQUE INDEX deliveries_queued ON deliveries (user_id, book_id) WHERE state = 'queued';
