-- Of those who first paid for a subscription in a month: how many there are, and how many of them paid at the end of another month.
-- `monthly_cohorts`, which went by the month of sign-up, is written no more; a later release drops it.
CREATE TABLE payment_cohorts (
    -- The first day of each month.
    first_month date NOT NULL,
    paid_month date NOT NULL,
    size bigint NOT NULL,
    paid bigint NOT NULL,
    PRIMARY KEY (first_month, paid_month)
);

-- The cohorts as they were just before a moment. A payer without an account, or whose account is gone, is a person of its own.
CREATE FUNCTION payment_cohorts_at(moment timestamptz)
RETURNS TABLE (first_month date, size bigint, paid bigint) LANGUAGE sql STABLE AS $$
    SELECT f.first_month, count(*), count(r.person)
    FROM (
        SELECT coalesce(p.user_id, -p.id) AS person,
            date_trunc('month', min(t.occurred_at) AT TIME ZONE 'UTC')::date AS first_month
        FROM ledger_transactions t JOIN payers p ON p.id = t.payer_id
        WHERE t.kind = 'charged' AND t.amount_cents > 0 AND t.renewal_months IS NOT NULL AND t.occurred_at < moment
        GROUP BY 1
    ) f LEFT JOIN (
        SELECT DISTINCT coalesce(p.user_id, -p.id) AS person
        FROM subscriptions_paid_at(moment) s JOIN payers p ON p.id = s.payer_id
    ) r ON r.person = f.person
    GROUP BY f.first_month
$$;

INSERT INTO payment_cohorts (first_month, paid_month, size, paid)
SELECT c.first_month, m.month::date, c.size, c.paid
FROM generate_series(
        (SELECT date_trunc('month', min(occurred_at) AT TIME ZONE 'UTC') FROM ledger_transactions),
        now() AT TIME ZONE 'UTC', interval '1 month'
    ) m (month),
    LATERAL payment_cohorts_at(least((m.month + interval '1 month') AT TIME ZONE 'UTC', now())) c;

-- When a day was last counted; null: by a node of an earlier release.
ALTER TABLE daily_counts ADD COLUMN counted_at timestamptz;
