-- Summaries on members' e-readers.

CREATE TABLE kindle_addresses (
    user_id bigint PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    email text NOT NULL,
    set_at timestamptz NOT NULL
);

-- What is sent is a book, or a summary of the member's own, which takes its deliveries along when it is deleted.
CREATE TABLE deliveries (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
    book_id bigint REFERENCES books ON DELETE CASCADE,
    summary_id bigint REFERENCES member_summaries ON DELETE CASCADE,
    -- The job that works on it, or did last. Jobs are swept after a while.
    job_id bigint,
    state text NOT NULL CHECK (state IN ('queued', 'sent', 'failed')),
    why text,
    asked_at timestamptz NOT NULL,
    ended_at timestamptz,
    CONSTRAINT deliveries_item CHECK (num_nonnulls(book_id, summary_id) = 1)
);
CREATE INDEX deliveries_user ON deliveries (user_id, id DESC);
CREATE INDEX deliveries_book ON deliveries (book_id);
CREATE INDEX deliveries_summary ON deliveries (summary_id);
-- A member waits for a book, and for a summary, once.
CREATE UNIQUE INDEX deliveries_queued ON deliveries (user_id, book_id) WHERE state = 'queued';
CREATE UNIQUE INDEX deliveries_queued_summary ON deliveries (user_id, summary_id) WHERE state = 'queued';
