-- The job queue: work that a transaction leaves to be done once it is committed.

CREATE TABLE jobs (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind text NOT NULL,
    -- One word of the kind's own, such as the name of a mail.
    about text NOT NULL DEFAULT '',
    -- Sealed with the operator's secret; null once it is not needed any more.
    payload bytea,
    -- Of a mail: as much of the address as admins need to recognise it, and a hash of the address.
    recipient text,
    recipient_key bytea,
    state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'running', 'done', 'set_aside')),
    -- Attempts that have begun.
    attempts integer NOT NULL DEFAULT 0,
    -- Attempts whose outcome is unknown.
    uncertain integer NOT NULL DEFAULT 0,
    -- How often an admin had it tried again.
    retries integer NOT NULL DEFAULT 0,
    last_error text,
    created_at timestamptz NOT NULL,
    -- When it may be tried, or when the lease of its worker lapses.
    due_at timestamptz NOT NULL,
    done_at timestamptz
);
CREATE INDEX jobs_due ON jobs (due_at, id) WHERE state IN ('queued', 'running');
CREATE INDEX jobs_newest ON jobs (kind, id DESC);
CREATE INDEX jobs_recipient ON jobs (recipient_key) WHERE recipient_key IS NOT NULL;
CREATE INDEX jobs_done ON jobs (done_at) WHERE state = 'done';

-- The next due moment of each scheduled kind of jobs. The node that finds it due queues the job and moves it on.
CREATE TABLE job_schedules (
    kind text PRIMARY KEY,
    due_at timestamptz NOT NULL
);
