-- The back office finds a part of a text in a long audit log by an index.
CREATE INDEX CONCURRENTLY IF NOT EXISTS audit_entries_texts_trigrams ON audit_entries USING gin (lower(coalesce(actor_name, '') || E'\n' || action || E'\n'
    || coalesce(subject_name, '') || E'\n' || coalesce(address, '')) gin_trgm_ops);
