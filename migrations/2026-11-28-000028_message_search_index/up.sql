-- The back office finds a part of a text in many messages by an index.
CREATE INDEX CONCURRENTLY IF NOT EXISTS messages_texts_trigrams ON messages
    USING gin (lower(coalesce(name, '') || E'\n' || coalesce(email, '') || E'\n' || body) gin_trgm_ops);
