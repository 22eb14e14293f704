-- What operators ask: which processes run, when the last backup was made, and how the site was set up.

-- A row for each process that serves or runs jobs. It writes it again every 15 seconds, and deletes it when it stops.
CREATE TABLE nodes (
    id text PRIMARY KEY,
    host text NOT NULL,
    kind text NOT NULL CHECK (kind IN ('serve', 'worker')),
    release text NOT NULL,
    commit text NOT NULL,
    started_at timestamptz NOT NULL,
    -- By this database's clock.
    seen_at timestamptz NOT NULL,
    -- The clock of the process minus that of this database.
    clock_offset_ms bigint NOT NULL,
    max_connections integer NOT NULL CHECK (max_connections > 0),
    disk_free_bytes bigint,
    disk_total_bytes bigint,
    CHECK ((disk_free_bytes IS NULL) = (disk_total_bytes IS NULL))
);

CREATE TABLE backups (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    ended_at timestamptz NOT NULL,
    bytes bigint NOT NULL CHECK (bytes >= 0)
);

-- One row at most.
CREATE TABLE site_settings (
    id boolean PRIMARY KEY DEFAULT true CHECK (id),
    -- The name that the setup page was given; SITE_NAME comes before it.
    name text CHECK (name <> ''),
    -- The hash of the token that the setup page needs.
    setup_token_hash bytea,
    set_up_at timestamptz
);

-- The trace of what has queued a job, in the form of W3C's header `traceparent`.
ALTER TABLE jobs ADD COLUMN trace_context text;
