-- The back office finds a part of a text in a million members' movements by an index.
CREATE INDEX CONCURRENTLY IF NOT EXISTS ledger_transactions_texts_trigrams ON ledger_transactions
    USING gin (lower(purchase || ' ' || key || ' ' || plan_name) gin_trgm_ops);
