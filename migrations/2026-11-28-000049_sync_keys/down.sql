ALTER TABLE api_tokens DROP COLUMN sync_key_hash;
