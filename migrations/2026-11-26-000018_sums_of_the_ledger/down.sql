DROP INDEX checkouts_not_paid;
DROP TABLE ledger_sums;
