-- Six-digit codes are found by the address to which they were mailed, which stands in `data`.
CREATE INDEX single_use_secrets_codes ON single_use_secrets (data, purpose) WHERE code_hash IS NOT NULL;
