-- What is sent to an e-reader is a book, or a summary of the member's own, which takes its deliveries along when it is deleted.
ALTER TABLE deliveries
    ALTER COLUMN book_id DROP NOT NULL,
    ADD COLUMN summary_id bigint REFERENCES member_summaries ON DELETE CASCADE,
    ADD CONSTRAINT deliveries_item CHECK (num_nonnulls(book_id, summary_id) = 1);
CREATE INDEX deliveries_summary ON deliveries (summary_id);
-- A member waits for a summary once.
CREATE UNIQUE INDEX deliveries_queued_summary ON deliveries (user_id, summary_id) WHERE state = 'queued';
