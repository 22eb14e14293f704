ALTER TABLE daily_counts DROP COLUMN counted_at;
DROP FUNCTION payment_cohorts_at;
DROP TABLE payment_cohorts;
