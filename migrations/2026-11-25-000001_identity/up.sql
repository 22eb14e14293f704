-- People, how they sign in, their sessions, the keys that sign tokens, and rate limits.

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
    -- The session in which the password was chosen. It is only compared, and may have been swept: no foreign key.
    password_session_id bigint,
    friend_email text,
    created_at timestamptz NOT NULL,
    email_confirmed_at timestamptz,
    -- Incremented when the account forgets the devices that it knows.
    devices_version integer NOT NULL DEFAULT 0,
    suspended_at timestamptz,
    suspended_reason text,
    CHECK ((suspended_at IS NULL) = (suspended_reason IS NULL))
);
CREATE INDEX users_created_at ON users (created_at DESC, id DESC);

CREATE TABLE sessions (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
    created_at timestamptz NOT NULL,
    last_seen_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    revoked_at timestamptz,
    -- What the person recognises a device by.
    device text NOT NULL DEFAULT '',
    place text NOT NULL DEFAULT '',
    -- Whether it was entered with more than a password or a mail.
    strong boolean NOT NULL DEFAULT false,
    -- When the holder last proved who they are, after the sign-in itself.
    proved_at timestamptz,
    -- When the holder last proved that mail to the account's address reaches them.
    address_proved_at timestamptz,
    -- Whether the holder has typed the account's password in it.
    password_typed boolean NOT NULL DEFAULT false
);
CREATE INDEX sessions_user_id ON sessions (user_id);
CREATE INDEX sessions_expires_at ON sessions (expires_at);

-- Every refresh token that a session has had, as a hash. A replaced one that comes back reveals a theft.
CREATE TABLE refresh_secrets (
    hash bytea PRIMARY KEY,
    session_id bigint NOT NULL REFERENCES sessions ON DELETE CASCADE,
    replaced_at timestamptz
);
CREATE INDEX refresh_secrets_session_id ON refresh_secrets (session_id);

-- Secrets that are used once and expire: in mailed links, in URLs, for the next step of a sign-in.
CREATE TABLE single_use_secrets (
    hash bytea PRIMARY KEY,
    purpose text NOT NULL,
    -- Null while the person is unknown.
    user_id bigint REFERENCES users ON DELETE CASCADE,
    -- What the next step needs to know.
    data text,
    -- Of the six digits that may be typed instead.
    code_hash bytea,
    code_tries integer NOT NULL DEFAULT 0,
    -- Of a secret that only the browser which began has.
    binding bytea,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
);
CREATE INDEX single_use_secrets_user_id ON single_use_secrets (user_id, purpose);
CREATE INDEX single_use_secrets_expires_at ON single_use_secrets (expires_at);
-- Six digits are found by the address to which they were mailed, which stands in `data`.
CREATE INDEX single_use_secrets_codes ON single_use_secrets (data, purpose) WHERE code_hash IS NOT NULL;

-- One person at a sign-in provider is one account.
CREATE TABLE provider_identities (
    provider text NOT NULL CHECK (provider IN ('google', 'apple', 'facebook', 'linkedin')),
    -- The provider's own id of the person.
    subject text NOT NULL,
    user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
    -- The address that the provider sent last.
    email text,
    connected_at timestamptz NOT NULL,
    -- In which it was connected, or which it first began.
    session_id bigint,
    PRIMARY KEY (provider, subject),
    UNIQUE (user_id, provider)
);

-- A person's authenticator app: begun, and confirmed by its first code.
CREATE TABLE totp (
    user_id bigint PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    -- Sealed with the operator's secret, for this person only.
    sealed_secret bytea NOT NULL,
    begun_at timestamptz NOT NULL,
    -- Before that it protects nothing.
    confirmed_at timestamptz,
    -- The step of the last code that was accepted: it and those before it are refused.
    last_step bigint,
    -- In which it was begun.
    session_id bigint
);

-- A person's unused recovery codes, as hashes.
CREATE TABLE recovery_codes (
    user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
    hash bytea NOT NULL,
    PRIMARY KEY (user_id, hash)
);

CREATE TABLE passkeys (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
    name text NOT NULL,
    -- The device's id of it.
    credential_id bytea NOT NULL UNIQUE,
    -- The devices' id of its owner: random, the same for all passkeys of a person.
    user_handle bytea NOT NULL,
    -- Public key, counter and properties. Nothing in it is secret.
    credential text NOT NULL,
    created_at timestamptz NOT NULL,
    last_used_at timestamptz,
    -- In which it was added.
    session_id bigint
);
CREATE INDEX passkeys_user_id ON passkeys (user_id);

-- The pairs of keys that sign access tokens. Private halves are sealed with the operator's secret.
CREATE TABLE root_keys (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    public_key bytea NOT NULL,
    sealed_private_key bytea NOT NULL,
    created_at timestamptz NOT NULL,
    -- When a successor became current. Tokens of this key are refused once all of them must have expired.
    retired_at timestamptz
);
-- At most one key is current.
CREATE UNIQUE INDEX root_keys_current ON root_keys ((true)) WHERE retired_at IS NULL;

-- The server's other keys, by purpose, sealed like the root keys.
CREATE TABLE server_keys (
    purpose text PRIMARY KEY,
    sealed_key bytea NOT NULL,
    created_at timestamptz NOT NULL
);

-- One row for each limit and subject. Losing it in a crash only forgives some attempts.
CREATE UNLOGGED TABLE rate_limits (
    key text PRIMARY KEY,
    -- The theoretical arrival time of the generic cell rate algorithm.
    arrival timestamptz NOT NULL
);
CREATE INDEX rate_limits_arrival ON rate_limits (arrival);
