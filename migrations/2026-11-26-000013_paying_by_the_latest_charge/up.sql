-- The subscriptions that are paid for just before a moment, as the ledger has them: the last charge covers the moment, did not go
-- back whole, was not followed by a charge of another plan, and the subscription has not ended. The rule is
-- `MemberPlan::paid_subscriptions` of billing; a test compares the two.
--
-- What follows a charge is gathered in one pass over the rows of its purchase, with no condition on their kind: with one, a table
-- without statistics is read by the index of kinds, the whole of it for every charge.
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
    CROSS JOIN LATERAL (
        SELECT bool_or(t.kind = 'ended') AS ended,
            -- A switch of plan takes the place of what was paid before, also where that reaches further.
            bool_or(t.kind = 'charged' AND t.renewal_cents IS NOT NULL AND t.plan_id <> c.plan_id
                AND (t.occurred_at, t.id) > (c.occurred_at, c.id)) AS switched,
            coalesce(sum(CASE t.kind WHEN 'dispute_won' THEN -t.amount_cents ELSE t.amount_cents END) FILTER (
                WHERE t.reference = c.key AND t.kind IN ('refunded', 'disputed', 'dispute_won')
            ), 0) AS given_back
        FROM ledger_transactions t
        WHERE t.purchase = c.purchase AND t.occurred_at < moment
    ) after
    WHERE NOT after.ended AND NOT after.switched AND (c.amount_cents = 0 OR c.amount_cents > after.given_back)
$$;
