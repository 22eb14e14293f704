-- Orders that were given back, of which there are few.
CREATE INDEX CONCURRENTLY IF NOT EXISTS ledger_transactions_reversed ON ledger_transactions (kind, purchase) WHERE kind IN ('refunded', 'disputed');
