-- Work to be done after a change, secrets that are good once, and what is known of a signed-in device.

ALTER TABLE users ADD COLUMN email_confirmed_at timestamptz;

-- What the person recognises a device by, and whether it was entered with more than a password or a mail.
ALTER TABLE sessions ADD COLUMN device text NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN place text NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN strong boolean NOT NULL DEFAULT false;

-- Secrets that are good once and for a while: in mailed links, in addresses, for the next step of a sign-in.
CREATE TABLE single_use_secrets (
    hash bytea PRIMARY KEY,
    purpose text NOT NULL,
    -- Null while nobody is known yet.
    user_id bigint REFERENCES users ON DELETE CASCADE,
    -- What the next step needs to know.
    data text,
    -- Of the six digits that may be typed instead.
    code_hash bytea,
    code_tries integer NOT NULL DEFAULT 0,
    -- Of what only the browser has that began.
    binding bytea,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
);
CREATE INDEX single_use_secrets_user_id ON single_use_secrets (user_id, purpose);
CREATE INDEX single_use_secrets_expires_at ON single_use_secrets (expires_at);

-- Work that a transaction leaves to be done once it is committed.
CREATE TABLE jobs (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind text NOT NULL,
    -- Sealed with the operator's secret; null once it is not needed any more.
    payload bytea,
    -- Who gets it, for mails: shown to admins.
    recipient text,
    state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'running', 'done', 'set_aside')),
    -- Tries that have begun.
    attempts integer NOT NULL DEFAULT 0,
    -- Tries of which nobody knows how they ended.
    uncertain integer NOT NULL DEFAULT 0,
    last_error text,
    created_at timestamptz NOT NULL,
    -- When it may be tried, or when whoever runs it must have ended.
    due_at timestamptz NOT NULL,
    done_at timestamptz
);
CREATE INDEX jobs_due ON jobs (due_at, id) WHERE state IN ('queued', 'running');
CREATE INDEX jobs_newest ON jobs (kind, id DESC);
