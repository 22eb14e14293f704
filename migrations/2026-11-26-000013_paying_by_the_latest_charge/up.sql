-- The subscriptions that are paid for just before a moment, as the ledger has them: the last charge covers the moment, did not go
-- back whole, was not followed by a charge of another plan, and the subscription has not ended. The rule is
-- `MemberPlan::paid_subscriptions` of billing; a test compares the two.
CREATE OR REPLACE FUNCTION subscriptions_paid_at(moment timestamptz)
RETURNS TABLE (purchase text, payer_id bigint, monthly_cents numeric) LANGUAGE sql STABLE AS $$
    SELECT c.purchase, c.payer_id, c.renewal_cents::numeric / c.renewal_months
    FROM (
        SELECT DISTINCT ON (t.purchase) t.id, t.purchase, t.payer_id, t.key, t.plan_id, t.amount_cents, t.renewal_cents,
            t.renewal_months, t.occurred_at
        FROM ledger_transactions t
        WHERE t.kind = 'charged' AND t.renewal_cents > 0 AND t.occurred_at < moment
            AND t.starts_at < moment AND t.ends_at >= moment
        ORDER BY t.purchase, t.occurred_at DESC, t.id DESC
    ) c
    WHERE NOT EXISTS (
        SELECT FROM ledger_transactions e WHERE e.purchase = c.purchase AND e.kind = 'ended' AND e.occurred_at < moment
    ) AND NOT coalesce((
        -- A switch of plan takes the place of what was paid before, also where that reaches further. Asked row by row, by the
        -- purchase's index: joined, it compares every charge with every other one while the table has no statistics.
        SELECT bool_or(s.plan_id <> c.plan_id)
        FROM ledger_transactions s
        WHERE s.purchase = c.purchase AND s.kind = 'charged' AND s.renewal_cents IS NOT NULL
            AND s.occurred_at < moment AND (s.occurred_at, s.id) > (c.occurred_at, c.id)
    ), false) AND (c.amount_cents = 0 OR c.amount_cents > coalesce((
        SELECT sum(CASE u.kind WHEN 'dispute_won' THEN -u.amount_cents ELSE u.amount_cents END)
        FROM ledger_transactions u
        WHERE u.purchase = c.purchase AND u.reference = c.key AND u.kind IN ('refunded', 'disputed', 'dispute_won')
            AND u.occurred_at < moment
    ), 0))
$$;
