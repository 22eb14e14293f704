ALTER TABLE plans DROP COLUMN version;
DROP INDEX ledger_transactions_kind;
DROP INDEX checkouts_number;
ALTER TABLE checkouts DROP COLUMN number;
