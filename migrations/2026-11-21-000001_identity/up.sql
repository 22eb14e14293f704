-- People, their sessions, the keys that sign tokens, and limits on tries.

CREATE TABLE users (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    email text NOT NULL,
    -- The address without regard to case: folded by the server, whatever the cluster's locale.
    email_key text NOT NULL UNIQUE,
    first_name text NOT NULL,
    last_name text NOT NULL,
    -- An IANA name; UTC when unknown.
    timezone text NOT NULL DEFAULT 'UTC',
    role text NOT NULL DEFAULT 'member' CHECK (role IN ('member', 'editor', 'admin')),
    -- An argon2id hash in PHC form.
    password_hash text,
    friend_email text,
    created_at timestamptz NOT NULL
);

CREATE TABLE sessions (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
    created_at timestamptz NOT NULL,
    last_seen_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    revoked_at timestamptz
);
CREATE INDEX sessions_user_id ON sessions (user_id);
CREATE INDEX sessions_expires_at ON sessions (expires_at);

-- Every refresh secret that a session has had, as a hash. A replaced one that comes back is how theft shows.
CREATE TABLE refresh_secrets (
    hash bytea PRIMARY KEY,
    session_id bigint NOT NULL REFERENCES sessions ON DELETE CASCADE,
    replaced_at timestamptz
);
CREATE INDEX refresh_secrets_session_id ON refresh_secrets (session_id);

-- The pairs of keys that sign access tokens. Private halves are sealed with the operator's secret.
CREATE TABLE root_keys (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    public_key bytea NOT NULL,
    sealed_private_key bytea NOT NULL,
    created_at timestamptz NOT NULL,
    -- When a successor became current. Tokens of this key are refused once they must all have expired.
    retired_at timestamptz
);
-- At most one key is current.
CREATE UNIQUE INDEX root_keys_current ON root_keys ((true)) WHERE retired_at IS NULL;

-- Other keys of the server's own, by purpose, sealed like the root keys.
CREATE TABLE server_keys (
    purpose text PRIMARY KEY,
    sealed_key bytea NOT NULL,
    created_at timestamptz NOT NULL
);

-- One row for each limit and subject. Losing it in a crash only forgives some tries.
CREATE UNLOGGED TABLE rate_limits (
    key text PRIMARY KEY,
    -- The theoretical arrival time of the generic cell rate algorithm.
    arrival timestamptz NOT NULL
);
CREATE INDEX rate_limits_arrival ON rate_limits (arrival);
