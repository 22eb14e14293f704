//! SQL statements that add what synthetic accounts have bought, for benchmarks: orders, the ledger and what follows from it.
//!
//! The movements are those that the product would have recorded, and the entitlements those that it derives from them, so that
//! `pith ledger-check` finds nothing. The orders name providers that a demo has no keys of, and no row makes a sweep query them.

use diesel::{PgConnection, QueryResult, connection::SimpleConnection};

/// A payer for each account without one.
const BUYERS: &str = "
    SET LOCAL timezone = 'UTC';
    CREATE TEMP TABLE buyers ON COMMIT DROP AS
        SELECT u.id AS user_id, u.email, u.created_at AS at, substring(u.email FROM '[0-9]+')::bigint AS n,
            nextval(pg_get_serial_sequence('payers', 'id')) AS payer_id
        FROM (
            SELECT * FROM users u WHERE u.email_key LIKE 'account-%@example.com'
                AND NOT EXISTS (SELECT FROM payers p WHERE p.user_id = u.id) ORDER BY u.id
        ) u;
    INSERT INTO payers (id, user_id, is_guest, created_at) OVERRIDING SYSTEM VALUE SELECT payer_id, user_id, false, at FROM buyers;

    -- One more guest per fifty accounts, who has bought a plan for life and not joined.
    CREATE TEMP TABLE guests ON COMMIT DROP AS
        SELECT n, at, 'guest-' || n || '@example.com' AS email, nextval(pg_get_serial_sequence('payers', 'id')) AS payer_id
        FROM buyers WHERE n % 50 = 0;
    INSERT INTO payers (id, is_guest, email, email_key, created_at) OVERRIDING SYSTEM VALUE
        SELECT payer_id, true, email, email, at FROM guests";

/// Of twenty accounts ten pay by the month, seven by the year, one for life; one got a year back, and one has redeemed a code. Some of the
/// monthly ones began with a trial. Of a thousand accounts one has disputed a charge, and won or lost.
const ORDERS: &str = "
    CREATE TEMP TABLE orders ON COMMIT DROP AS
        SELECT o.*, 'scale-' || payer_id AS purchase, at + CASE WHEN has_trial THEN interval '3 days' ELSE interval '0' END AS start,
            CASE plan_id WHEN 'monthly' THEN 'Monthly' WHEN 'yearly' THEN 'Yearly' ELSE 'Lifetime' END AS plan_name,
            CASE plan_id WHEN 'monthly' THEN 999 WHEN 'yearly' THEN 5999 ELSE 14900 END AS price,
            CASE WHEN coupon IS NOT NULL THEN 4799 WHEN plan_id = 'monthly' THEN 999 WHEN plan_id = 'yearly' THEN 5999 ELSE 14900 END AS first_charge,
            CASE plan_id WHEN 'monthly' THEN 1 WHEN 'yearly' THEN 12 END AS months
        FROM (
            SELECT user_id, payer_id, n, at,
                CASE WHEN n % 20 < 10 THEN 'monthly' WHEN n % 20 = 17 THEN 'lifetime' ELSE 'yearly' END AS plan_id,
                n % 200 < 10 AS has_trial,
                CASE WHEN n % 20 = 15 THEN 'SCALE' || n / 20 % 100 END AS coupon,
                CASE WHEN n % 20 = 18 THEN 'refunded' WHEN n % 2000 = 16 AND at < timestamptz '2026-10-01' THEN 'lost'
                    WHEN n % 2000 = 1016 AND at < timestamptz '2026-10-01' THEN 'won' END AS outcome,
                1 + n / 20 % 3 AS wanted
            FROM buyers WHERE n % 20 <> 19
            UNION ALL SELECT NULL, payer_id, n, at, 'lifetime', false, NULL, NULL, 1 FROM guests
        ) o;
    INSERT INTO coupons (code, percent, starts_at)
        SELECT 'SCALE' || k, 20, timestamptz '2025-12-01' FROM generate_series(0, 99) AS k ON CONFLICT DO NOTHING;
    INSERT INTO coupon_uses (code, purchase) SELECT coupon, purchase FROM orders WHERE coupon IS NOT NULL;
    INSERT INTO checkouts (reference, key, body_hash, payer_id, provider, plan_id, plan_name, quantity, infographics, coupon,
            first_charge_cents, trial_ends_at, renewal_cents, renewal_months, state, provider_id, charge_id, created_at, changed_at)
        SELECT * FROM (
            SELECT purchase, purchase, sha256('scale'), payer_id, CASE n % 4 WHEN 3 THEN 'paypal' ELSE 'stripe' END, plan_id, plan_name, 1, 0,
                coupon, CASE WHEN has_trial THEN 0 ELSE first_charge END, CASE WHEN has_trial THEN start END,
                CASE WHEN months IS NOT NULL THEN price END, months, 'paid', 'scale_' || payer_id, 'scale-' || payer_id, at, at AS changed_at
            FROM orders
            UNION ALL
            SELECT 'scale-declined-' || payer_id, 'scale-declined-' || payer_id, sha256('scale'), payer_id, 'stripe', 'yearly', 'Yearly', 1, 0,
                NULL, 5999, NULL, 5999, 12, 'declined', 'scale_declined_' || payer_id, 'scale-declined-' || payer_id, at, at
            FROM buyers WHERE n % 100 = 19
        ) c ORDER BY changed_at";

/// The charges of a subscription by the month go on until it was canceled, or until the end of the ledger, 2026-11-20.
const CHARGES: &str = "
    CREATE TEMP TABLE charges ON COMMIT DROP AS
        SELECT o.purchase, 'scale:' || o.payer_id || ':' || i AS key, i,
            o.start + make_interval(months => i) AS starts_at, o.start + make_interval(months => i + o.months) AS ends_at,
            CASE i WHEN 0 THEN o.first_charge ELSE o.price END AS amount
        FROM orders o CROSS JOIN LATERAL generate_series(0, CASE plan_id WHEN 'monthly' THEN wanted::integer - 1 ELSE 0 END) AS i
        WHERE i = 0 OR o.start + make_interval(months => i) < timestamptz '2026-11-20';
    ALTER TABLE orders ADD COLUMN ends_at timestamptz, ADD COLUMN is_over boolean;
    CREATE INDEX ON charges (purchase);
    ANALYZE charges; ANALYZE orders;
    UPDATE orders o SET ends_at = c.ends_at, is_over = o.plan_id = 'monthly' AND c.charges = o.wanted AND c.ends_at < timestamptz '2026-11-20'
        FROM (SELECT purchase, max(ends_at) AS ends_at, count(*) AS charges FROM charges GROUP BY 1) c WHERE c.purchase = o.purchase";

/// The balance of each transaction is checked once for all at the end: a trigger for each row takes several times as long.
const LEDGER: &str = "
    ALTER TABLE ledger_transactions DISABLE TRIGGER ledger_transactions_balance;
    ALTER TABLE ledger_entries DISABLE TRIGGER ledger_entries_balance;
    CREATE TEMP TABLE movements ON COMMIT DROP AS
        SELECT o.payer_id, 'scale:' || o.payer_id || ':trial' AS key, 'trial_started' AS kind, o.purchase, o.plan_id, o.plan_name, 0 AS amount, 0 AS fee,
            o.at AS starts_at, o.start AS ends_at, NULL AS reference, NULL::integer AS given_months, o.price AS renewal_cents, o.months AS renewal_months, o.at AS occurred_at
        FROM orders o WHERE o.has_trial
        UNION ALL
        SELECT o.payer_id, c.key, 'charged', o.purchase, o.plan_id, o.plan_name, c.amount, c.amount * 29 / 1000 + 30, c.starts_at, c.ends_at, NULL, NULL,
            CASE WHEN o.months IS NOT NULL THEN o.price END, o.months, c.starts_at
        FROM orders o JOIN charges c USING (purchase)
        UNION ALL
        SELECT o.payer_id, 'scale:' || o.payer_id || ':' || s.kind, s.kind, o.purchase, o.plan_id, o.plan_name, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, s.at
        FROM orders o CROSS JOIN LATERAL (VALUES ('canceled', o.ends_at - interval '1 day'), ('ended', o.ends_at)) AS s (kind, at) WHERE o.is_over
        UNION ALL
        SELECT o.payer_id, 'scale:' || o.payer_id || ':' || s.kind, s.kind, o.purchase, o.plan_id, o.plan_name, s.amount, s.fee, NULL, NULL, s.reference, NULL, NULL, NULL, o.at + make_interval(days => s.day)
        FROM orders o CROSS JOIN LATERAL (VALUES
            ('refunded', 'refunded', o.first_charge, 0, 'scale:' || o.payer_id || ':0', 5), ('refunded', 'ended', 0, 0, NULL, 5),
            ('won', 'disputed', o.first_charge, 1500, 'scale:' || o.payer_id || ':0', 20), ('won', 'dispute_won', o.first_charge, 0, 'scale:' || o.payer_id || ':0', 40),
            ('lost', 'disputed', o.first_charge, 1500, 'scale:' || o.payer_id || ':0', 20), ('lost', 'ended', 0, 0, NULL, 20),
            ('lost', 'dispute_lost', 0, 0, 'scale:' || o.payer_id || ':0', 40)
        ) AS s (outcome, kind, amount, fee, reference, day) WHERE s.outcome = o.outcome
        UNION ALL
        SELECT b.payer_id, 'scale:' || b.payer_id || ':code', 'code_redeemed', 'scale-' || b.payer_id, 'yearly', 'Yearly', 0, 0, NULL, NULL, NULL, 12, NULL, NULL, b.at
        FROM buyers b WHERE n % 20 = 19
        UNION ALL
        SELECT e.payer_id, 'reward:scale:' || b.payer_id || ':0', 'reward_accrued', 'reward:scale-' || b.payer_id, '', '', 599, 0, NULL, NULL, NULL, NULL, NULL, NULL, b.at + interval '4 days'
        FROM buyers b JOIN buyers e ON e.n = b.n / 100 * 100 WHERE b.n % 10 = 1;
    WITH recorded AS (
        INSERT INTO ledger_transactions (payer_id, key, kind, purchase, plan_id, plan_name, amount_cents, fee_cents, starts_at, ends_at,
            reference, months, renewal_cents, renewal_months, infographics, occurred_at, recorded_at)
        SELECT payer_id, key, kind, purchase, plan_id, plan_name, amount, fee, starts_at, ends_at, reference, given_months, renewal_cents,
            renewal_months, 0, occurred_at, occurred_at
        FROM movements ORDER BY occurred_at, key COLLATE \"C\"
        RETURNING id, kind, amount_cents AS amount, fee_cents AS fee
    )
    INSERT INTO ledger_entries (transaction_id, account, amount_cents)
        SELECT r.id, e.account, e.amount FROM recorded r CROSS JOIN LATERAL (VALUES
            ('charged', 'provider_cash', r.amount - r.fee), ('charged', 'fees', r.fee), ('charged', 'revenue', -r.amount),
            ('refunded', 'provider_cash', -r.amount), ('refunded', 'refunds', r.amount),
            ('disputed', 'provider_cash', -r.amount - r.fee), ('disputed', 'fees', r.fee), ('disputed', 'disputes', r.amount),
            ('dispute_won', 'provider_cash', r.amount), ('dispute_won', 'disputes', -r.amount),
            ('reward_accrued', 'reward_expense', r.amount), ('reward_accrued', 'rewards_payable', -r.amount)
        ) AS e (kind, account, amount) WHERE e.kind = r.kind AND e.amount <> 0;
    DO $$ BEGIN
        IF EXISTS (
            SELECT FROM ledger_transactions t LEFT JOIN (
                SELECT transaction_id, sum(amount_cents) AS total, sum(amount_cents) FILTER (WHERE amount_cents > 0) AS debits
                FROM ledger_entries GROUP BY 1
            ) e ON e.transaction_id = t.id
            WHERE coalesce(e.total, 0) <> 0
                OR coalesce(e.debits, 0) <> t.amount_cents + CASE t.kind WHEN 'disputed' THEN t.fee_cents ELSE 0 END
        ) THEN RAISE EXCEPTION 'the synthetic ledger does not balance'; END IF;
    END $$;
    ALTER TABLE ledger_transactions ENABLE TRIGGER ledger_transactions_balance;
    ALTER TABLE ledger_entries ENABLE TRIGGER ledger_entries_balance";

/// A renewed plan has a week of grace after its period. What was refunded or lost ends then. Who pays was offered a pause: otherwise the
/// first server would write to hundreds of thousands of members who never read.
const ENTITLEMENTS: &str = "
    INSERT INTO entitlements (user_id, plan_id, plan_name, starts_at, ends_at)
        SELECT user_id, plan_id, plan_name, at,
            CASE outcome WHEN 'refunded' THEN at + interval '5 days' WHEN 'lost' THEN at + interval '20 days' ELSE ends_at END
        FROM orders WHERE user_id IS NOT NULL
        UNION ALL SELECT user_id, plan_id, plan_name, ends_at, ends_at + interval '7 days' FROM orders
        WHERE user_id IS NOT NULL AND months IS NOT NULL AND NOT is_over AND (outcome IS NULL OR outcome = 'won')
        UNION ALL SELECT user_id, 'yearly', 'Yearly', at, at + interval '12 months' FROM buyers WHERE n % 20 = 19;
    INSERT INTO pause_offers (user_id, offered_at)
        SELECT user_id, timestamptz '2026-11-20' FROM orders WHERE user_id IS NOT NULL AND months IS NOT NULL ON CONFLICT DO NOTHING";

/// Each account has a code; one in twenty has redeemed it. One in ten was referred, by every hundredth, of whom some were paid.
const CODES: &str = "
    INSERT INTO codes (code, kind, plan_id, plan_name, months, created_at, redeemed_by, redeemed_at)
        SELECT 'SCALE' || lpad(payer_id::text, 15, '0'), 'marketplace', 'yearly', 'Yearly', 12, at,
            CASE n % 20 WHEN 19 THEN payer_id END, CASE n % 20 WHEN 19 THEN at END
        FROM buyers ORDER BY at;
    INSERT INTO referral_rewards (purchase, user_id, kind, buyer_id, amount_cents, earned_at)
        SELECT 'scale-' || b.payer_id, e.user_id, 'affiliate', b.user_id, 599, b.at
        FROM buyers b JOIN buyers e ON e.n = b.n / 100 * 100 WHERE b.n % 10 = 1;
    INSERT INTO referral_payouts (user_id, amount_cents, paid_at)
        SELECT user_id, 1198, at + interval '60 days' FROM buyers
        WHERE n % 500 = 0 AND (SELECT count(*) FROM buyers) > n + 99;
    DROP TABLE movements; DROP TABLE charges; DROP TABLE orders; DROP TABLE guests; DROP TABLE buyers;
    ANALYZE payers, checkouts, ledger_transactions, ledger_entries, entitlements, codes, referral_rewards";

/// Adds what each account without a payer has bought.
pub(crate) fn add_purchases(connection: &mut PgConnection) -> QueryResult<()> {
    [BUYERS, ORDERS, CHARGES, LEDGER, ENTITLEMENTS, CODES]
        .into_iter()
        .try_for_each(|statements| connection.batch_execute(statements))
}
