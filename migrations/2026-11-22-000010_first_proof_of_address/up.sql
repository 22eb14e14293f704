-- The first proof of an address removes what was not made in the session that gives the proof. The sessions are only compared, and
-- may have been swept: no foreign keys.
ALTER TABLE users
    -- In which the password was chosen.
    ADD COLUMN password_session_id bigint,
    -- Counts up when the account forgets the devices that it knows.
    ADD COLUMN devices_version integer NOT NULL DEFAULT 0;
-- In which the authenticator app was begun.
ALTER TABLE totp ADD COLUMN session_id bigint;
-- In which the passkey was added.
ALTER TABLE passkeys ADD COLUMN session_id bigint;
-- In which the provider was connected, or which it first began.
ALTER TABLE provider_identities ADD COLUMN session_id bigint;
