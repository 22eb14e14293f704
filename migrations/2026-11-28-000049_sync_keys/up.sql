-- SHA-256 of the MD5 of the token in hex, which programs of KOReader's protocol send in the place of a password; null: the token has not
-- the scope for it. The table is as new as this release: no node of the release before writes to it.
ALTER TABLE api_tokens ADD COLUMN sync_key_hash bytea UNIQUE;
