ALTER TABLE provider_identities DROP COLUMN session_id;
ALTER TABLE passkeys DROP COLUMN session_id;
ALTER TABLE totp DROP COLUMN session_id;
ALTER TABLE users DROP COLUMN devices_version, DROP COLUMN password_session_id;
