-- The beginning of a code, whatever the collation of the database.
CREATE INDEX CONCURRENTLY IF NOT EXISTS codes_beginning ON codes (code text_pattern_ops);
