-- What the back office's charts show: counted day by day by a scheduled job, so that a year is answered out of few rows.

CREATE TABLE daily_counts (
    -- Of the calendar of UTC.
    day date PRIMARY KEY,
    signups bigint NOT NULL,
    completions bigint NOT NULL,
    visits bigint NOT NULL,
    -- Subscriptions that were paid for the first time, and those that ended after they had been paid for.
    subscriptions bigint NOT NULL,
    ended bigint NOT NULL,
    -- At the end of the day.
    members bigint NOT NULL,
    paying bigint NOT NULL,
    trials bigint NOT NULL,
    mrr_cents bigint NOT NULL,
    revenue_cents bigint NOT NULL,
    refunds_cents bigint NOT NULL
);

CREATE TABLE daily_plan_revenue (
    day date NOT NULL,
    plan_id text NOT NULL,
    plan_name text NOT NULL,
    amount_cents bigint NOT NULL,
    PRIMARY KEY (day, plan_id)
);

CREATE TABLE daily_book_counts (
    day date NOT NULL,
    book_id bigint NOT NULL REFERENCES books ON DELETE CASCADE,
    opened bigint NOT NULL,
    completed bigint NOT NULL,
    PRIMARY KEY (day, book_id)
);
CREATE INDEX daily_book_counts_book_id ON daily_book_counts (book_id);

-- Of those who joined in a month: how many paid for a subscription at the end of another.
CREATE TABLE monthly_cohorts (
    joined_month date NOT NULL,
    paid_month date NOT NULL,
    paid bigint NOT NULL,
    PRIMARY KEY (joined_month, paid_month)
);

CREATE INDEX ledger_transactions_occurred_at ON ledger_transactions (occurred_at);
CREATE INDEX completions_day ON completions (day);
CREATE INDEX history_book_id ON history (book_id);

-- The subscriptions that are paid for just before a moment, as the ledger has them: the last charge covers the moment, did not go
-- back whole, and the subscription has not ended.
CREATE FUNCTION subscriptions_paid_at(moment timestamptz)
RETURNS TABLE (purchase text, payer_id bigint, monthly_cents numeric) LANGUAGE sql STABLE AS $$
    SELECT c.purchase, c.payer_id, c.renewal_cents::numeric / c.renewal_months
    FROM (
        SELECT DISTINCT ON (t.purchase) t.purchase, t.payer_id, t.key, t.amount_cents, t.renewal_cents, t.renewal_months
        FROM ledger_transactions t
        WHERE t.kind = 'charged' AND t.renewal_cents > 0 AND t.occurred_at < moment
            AND t.starts_at < moment AND t.ends_at >= moment
        ORDER BY t.purchase, t.occurred_at DESC, t.id DESC
    ) c
    WHERE NOT EXISTS (
        SELECT FROM ledger_transactions e WHERE e.purchase = c.purchase AND e.kind = 'ended' AND e.occurred_at < moment
    ) AND (c.amount_cents = 0 OR c.amount_cents > coalesce((
        SELECT sum(CASE u.kind WHEN 'dispute_won' THEN -u.amount_cents ELSE u.amount_cents END)
        FROM ledger_transactions u
        WHERE u.purchase = c.purchase AND u.reference = c.key AND u.kind IN ('refunded', 'disputed', 'dispute_won')
            AND u.occurred_at < moment
    ), 0))
$$;
