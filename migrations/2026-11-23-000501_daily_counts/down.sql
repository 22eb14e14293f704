DROP FUNCTION subscriptions_paid_at(timestamptz);
DROP INDEX history_book_id;
DROP INDEX completions_day;
DROP INDEX ledger_transactions_occurred_at;
DROP TABLE monthly_cohorts;
DROP TABLE daily_book_counts;
DROP TABLE daily_plan_revenue;
DROP TABLE daily_counts;
