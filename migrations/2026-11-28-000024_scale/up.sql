-- What the back office searches in a million members' movements, codes, messages and log entries: each list finds a part of a text by
-- an index. Nobody runs a release yet, so no table is large, and the indexes are made in the migration's transaction.
CREATE INDEX ledger_transactions_texts_trigrams ON ledger_transactions
    USING gin (lower(purchase || ' ' || key || ' ' || plan_name) gin_trgm_ops);
CREATE INDEX audit_entries_texts_trigrams ON audit_entries USING gin (lower(coalesce(actor_name, '') || E'\n' || action || E'\n'
    || coalesce(subject_name, '') || E'\n' || coalesce(address, '')) gin_trgm_ops);
CREATE INDEX messages_texts_trigrams ON messages
    USING gin (lower(coalesce(name, '') || E'\n' || coalesce(email, '') || E'\n' || body) gin_trgm_ops);
-- The beginning of a code, whatever the collation of the database.
CREATE INDEX codes_beginning ON codes (code text_pattern_ops);
CREATE INDEX codes_redeemed_by ON codes (redeemed_by) WHERE redeemed_by IS NOT NULL;
-- Orders that were given back, of which there are few.
CREATE INDEX ledger_transactions_reversed ON ledger_transactions (kind, purchase) WHERE kind IN ('refunded', 'disputed');
-- The orders of a plan, newest first.
CREATE INDEX checkouts_plan ON checkouts (plan_id, number);
-- How many addresses contain a text, and how many orders have a coupon: without these statistics Postgres expects few of the
-- first and many of the second, and reads whole tables.
CREATE STATISTICS users_lower_email ON lower(email) FROM users;
CREATE STATISTICS checkouts_lower_coupon ON lower(coupon) FROM checkouts;
ANALYZE users, checkouts;
