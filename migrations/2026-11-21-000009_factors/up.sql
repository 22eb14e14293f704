-- What protects an account beside its password.

-- The authenticator app of a person: begun, and confirmed by its first code.
CREATE TABLE totp (
    user_id bigint PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    -- Sealed with the operator's secret, for this person only.
    sealed_secret bytea NOT NULL,
    begun_at timestamptz NOT NULL,
    -- Before that it protects nothing.
    confirmed_at timestamptz,
    -- The step of the last code that was taken: it and those before it are refused.
    last_step bigint
);

-- What is left of a person's recovery codes, as hashes. Taking one deletes it.
CREATE TABLE recovery_codes (
    user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
    hash bytea NOT NULL,
    PRIMARY KEY (user_id, hash)
);

CREATE TABLE passkeys (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
    name text NOT NULL,
    -- What devices call it.
    credential_id bytea NOT NULL UNIQUE,
    -- What devices call its owner: random, the same for all passkeys of a person.
    user_handle bytea NOT NULL,
    -- Public key, counter and properties. Nothing in it is secret.
    credential text NOT NULL,
    created_at timestamptz NOT NULL,
    last_used_at timestamptz
);
CREATE INDEX passkeys_user_id ON passkeys (user_id);
