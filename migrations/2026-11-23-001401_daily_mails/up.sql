-- Who wants one mail a day about the plan of ten days. A row stays when the mails end: it says on which day the latest one went out.
CREATE TABLE daily_mails (
    user_id bigint PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    -- In the member's own time zone; none: no mails are wanted.
    hour smallint CHECK (hour BETWEEN 0 AND 23),
    requested_at timestamptz NOT NULL,
    last_sent_on date,
    due_at timestamptz CHECK (due_at IS NULL OR hour IS NOT NULL)
);
CREATE INDEX daily_mails_due ON daily_mails (due_at) WHERE due_at IS NOT NULL;
