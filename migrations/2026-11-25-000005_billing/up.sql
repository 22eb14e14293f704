-- What can be bought, who pays, the ledger, and what follows from it.

CREATE TABLE plans (
    id text PRIMARY KEY,
    name text NOT NULL,
    kind text NOT NULL CHECK (kind IN ('monthly', 'yearly', 'lifetime', 'gift', 'bulk', 'once')),
    price_cents bigint NOT NULL CHECK (price_cents >= 0),
    place integer NOT NULL,
    -- Two admins who change a plan at once find out.
    version bigint NOT NULL DEFAULT 1
);
INSERT INTO plans (id, name, kind, price_cents, place) VALUES
    ('monthly', 'Monthly', 'monthly', 999, 0),
    ('yearly', 'Yearly', 'yearly', 5999, 1),
    ('lifetime', 'Lifetime', 'lifetime', 14900, 2),
    ('gift', 'Gift', 'gift', 4499, 3),
    ('bulk', 'Teams', 'bulk', 2999, 4),
    ('infographics-20', '20 infographics', 'once', 1099, 5),
    ('infographics-50', '50 infographics', 'once', 2999, 6),
    ('quiz', 'Intelligence quiz', 'once', 299, 7),
    ('personality-quiz', 'Personality quiz', 'once', 299, 8),
    ('book', 'Book summary', 'once', 499, 9);

CREATE TABLE payers (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- The member; null: a guest who has not joined, or a person whose account was deleted.
    user_id bigint REFERENCES users ON DELETE SET NULL,
    -- Made for a purchase without an account. A member has one payer of their own besides those that they claimed.
    is_guest boolean NOT NULL,
    -- The address that a guest typed, and the form in which two are compared.
    email text,
    email_key text,
    created_at timestamptz NOT NULL,
    CHECK ((email IS NULL) = (email_key IS NULL))
);
CREATE UNIQUE INDEX payers_own ON payers (user_id) WHERE NOT is_guest;
CREATE INDEX payers_user_id ON payers (user_id);
CREATE INDEX payers_email_key ON payers (email_key);

-- A payer's id at a payment provider.
CREATE TABLE provider_customers (
    payer_id bigint NOT NULL REFERENCES payers,
    provider text NOT NULL CHECK (provider IN ('sandbox', 'stripe', 'paypal')),
    customer text NOT NULL,
    PRIMARY KEY (payer_id, provider)
);

-- The cards that a payer has paid with: nobody earns from their own purchase.
CREATE TABLE payer_cards (
    payer_id bigint NOT NULL REFERENCES payers,
    card text NOT NULL,
    PRIMARY KEY (payer_id, card)
);

CREATE TABLE ledger_transactions (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    payer_id bigint NOT NULL REFERENCES payers,
    -- It is recorded once by it: the provider's id of the object and what happened to it.
    key text NOT NULL UNIQUE,
    kind text NOT NULL CHECK (kind IN (
        'trial_started', 'charged', 'plan_given', 'code_redeemed', 'charge_failed', 'canceled', 'resumed', 'paused',
        'pause_ended', 'ended', 'plan_withdrawn', 'code_revoked', 'refunded', 'disputed', 'dispute_won', 'dispute_lost',
        'reward_accrued', 'reward_reversed', 'reward_paid')),
    purchase text NOT NULL,
    plan_id text NOT NULL,
    plan_name text NOT NULL,
    amount_cents bigint NOT NULL CHECK (amount_cents >= 0),
    fee_cents bigint NOT NULL CHECK (fee_cents >= 0),
    -- What it covers; an end that is null: for life.
    starts_at timestamptz,
    ends_at timestamptz,
    -- The key of the transaction that it undoes.
    reference text,
    months integer,
    renewal_cents bigint CHECK (renewal_cents >= 0),
    renewal_months integer,
    next_charge_cents bigint CHECK (next_charge_cents >= 0),
    infographics integer NOT NULL CHECK (infographics >= 0),
    -- When it happened, by the clock of the one who acted, and when it was recorded.
    occurred_at timestamptz NOT NULL,
    recorded_at timestamptz NOT NULL DEFAULT now(),
    CHECK (ends_at IS NULL OR starts_at IS NOT NULL),
    CHECK ((renewal_cents IS NULL) = (renewal_months IS NULL)),
    CONSTRAINT ledger_transactions_reference_check CHECK ((reference IS NOT NULL) =
        (kind IN ('plan_withdrawn', 'code_revoked', 'refunded', 'disputed', 'dispute_won', 'dispute_lost')))
);
CREATE INDEX ledger_transactions_payer_id ON ledger_transactions (payer_id, occurred_at, id);
CREATE INDEX ledger_transactions_purchase ON ledger_transactions (purchase);
CREATE INDEX ledger_transactions_occurred_at ON ledger_transactions (occurred_at);
CREATE INDEX ledger_transactions_kind ON ledger_transactions (kind, id);

CREATE TABLE ledger_entries (
    transaction_id bigint NOT NULL REFERENCES ledger_transactions,
    account text NOT NULL CHECK (account IN (
        'provider_cash', 'fees', 'revenue', 'refunds', 'disputes', 'reward_expense', 'rewards_payable', 'payout_cash')),
    -- A debit when positive, a credit when negative.
    amount_cents bigint NOT NULL CHECK (amount_cents <> 0),
    PRIMARY KEY (transaction_id, account)
);
CREATE INDEX ledger_entries_account ON ledger_entries (account);

CREATE FUNCTION refuse_ledger_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the ledger is append-only: % on % is refused', TG_OP, TG_TABLE_NAME;
END $$;
CREATE TRIGGER ledger_transactions_append_only BEFORE UPDATE OR DELETE ON ledger_transactions
    FOR EACH ROW EXECUTE FUNCTION refuse_ledger_change();
CREATE TRIGGER ledger_transactions_no_truncate BEFORE TRUNCATE ON ledger_transactions
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();
CREATE TRIGGER ledger_entries_append_only BEFORE UPDATE OR DELETE ON ledger_entries
    FOR EACH ROW EXECUTE FUNCTION refuse_ledger_change();
CREATE TRIGGER ledger_entries_no_truncate BEFORE TRUNCATE ON ledger_entries
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();

-- At the commit, each transaction's entries add up to zero, and their debits to its amount (and, of a dispute, its fee). So
-- no entry can be added to a transaction that is complete.
CREATE FUNCTION check_ledger_balance() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    checked bigint;
    expected bigint;
    total bigint;
    debits bigint;
BEGIN
    IF TG_TABLE_NAME = 'ledger_entries' THEN
        checked := NEW.transaction_id;
    ELSE
        checked := NEW.id;
    END IF;
    SELECT t.amount_cents + CASE t.kind WHEN 'disputed' THEN t.fee_cents ELSE 0 END,
           coalesce(sum(e.amount_cents), 0), coalesce(sum(e.amount_cents) FILTER (WHERE e.amount_cents > 0), 0)
        INTO expected, total, debits
        FROM ledger_transactions t LEFT JOIN ledger_entries e ON e.transaction_id = t.id
        WHERE t.id = checked GROUP BY t.id;
    IF total IS DISTINCT FROM 0 OR debits IS DISTINCT FROM expected THEN
        RAISE EXCEPTION 'the ledger does not balance: transaction % adds up to % with debits of % instead of %',
            checked, total, debits, expected;
    END IF;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER ledger_transactions_balance AFTER INSERT ON ledger_transactions
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_ledger_balance();
CREATE CONSTRAINT TRIGGER ledger_entries_balance AFTER INSERT ON ledger_entries
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_ledger_balance();

-- A member's plans and until when they are paid, as they follow from the ledger.
CREATE TABLE entitlements (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
    plan_id text NOT NULL,
    plan_name text NOT NULL,
    starts_at timestamptz NOT NULL,
    -- Null: for life.
    ends_at timestamptz,
    CHECK (ends_at IS NULL OR ends_at > starts_at)
);
CREATE INDEX entitlements_user_id ON entitlements (user_id);

-- Subscriptions as they follow from the ledger, for the sweep that looks for what is due.
CREATE TABLE subscriptions (
    purchase text PRIMARY KEY,
    payer_id bigint NOT NULL REFERENCES payers,
    plan_id text NOT NULL,
    -- When the next charge is due; null: it does not renew.
    due_at timestamptz,
    next_charge_cents bigint NOT NULL CHECK (next_charge_cents >= 0),
    -- From when on it is over unless something is paid.
    over_at timestamptz NOT NULL
);
CREATE INDEX subscriptions_payer_id ON subscriptions (payer_id);
CREATE INDEX subscriptions_due_at ON subscriptions (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX subscriptions_over_at ON subscriptions (over_at);

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

CREATE TABLE coupons (
    -- In upper case.
    code text PRIMARY KEY,
    percent integer NOT NULL CHECK (percent BETWEEN 1 AND 100),
    starts_at timestamptz NOT NULL,
    ends_at timestamptz,
    max_uses integer CHECK (max_uses >= 0)
);

-- A purchase uses a coupon once.
CREATE TABLE coupon_uses (
    code text NOT NULL REFERENCES coupons,
    purchase text NOT NULL,
    PRIMARY KEY (code, purchase)
);
CREATE INDEX coupon_uses_purchase ON coupon_uses (purchase);

-- A trial is once for a person: by account, by mailbox, by card. Of a person whose account was deleted the card stays.
CREATE TABLE trials (
    purchase text PRIMARY KEY,
    user_id bigint UNIQUE REFERENCES users ON DELETE SET NULL,
    mailbox text UNIQUE,
    card text UNIQUE,
    started_at timestamptz NOT NULL
);

CREATE TABLE checkouts (
    reference text PRIMARY KEY,
    -- By which people name an order.
    number bigint GENERATED ALWAYS AS IDENTITY,
    -- The page's idempotency key, and the hash of who asked for what with it.
    key text NOT NULL UNIQUE,
    body_hash bytea NOT NULL CHECK (length(body_hash) = 32),
    payer_id bigint NOT NULL REFERENCES payers,
    provider text NOT NULL CHECK (provider IN ('sandbox', 'stripe', 'paypal')),
    plan_id text NOT NULL,
    plan_name text NOT NULL,
    quantity integer NOT NULL CHECK (quantity > 0),
    infographics integer NOT NULL CHECK (infographics >= 0),
    coupon text,
    first_charge_cents bigint NOT NULL CHECK (first_charge_cents >= 0),
    trial_ends_at timestamptz,
    renewal_cents bigint CHECK (renewal_cents >= 0),
    renewal_months integer,
    referral text,
    -- Deleted when the checkout is decided.
    sealed_details bytea,
    state text NOT NULL CHECK (state IN ('started', 'submitted', 'needs_action', 'paid', 'declined', 'price_changed', 'reconciled')),
    -- The provider's id of the charge or the subscription.
    provider_id text,
    -- By which a guest claims the purchase.
    charge_id text NOT NULL UNIQUE,
    claimed_at timestamptz,
    created_at timestamptz NOT NULL,
    changed_at timestamptz NOT NULL,
    CHECK ((renewal_cents IS NULL) = (renewal_months IS NULL)),
    CHECK (sealed_details IS NULL OR state IN ('started', 'submitted', 'needs_action'))
);
CREATE UNIQUE INDEX checkouts_number ON checkouts (number);
CREATE UNIQUE INDEX checkouts_provider_id ON checkouts (provider, provider_id);
CREATE INDEX checkouts_payer_id ON checkouts (payer_id);
CREATE INDEX checkouts_pending ON checkouts (changed_at) WHERE state IN ('started', 'submitted', 'needs_action');

-- Webhooks. An event names an object and carries nothing of it.
CREATE TABLE provider_events (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    provider text NOT NULL CHECK (provider IN ('sandbox', 'stripe', 'paypal')),
    event_id text NOT NULL,
    kind text NOT NULL,
    object text NOT NULL,
    checkout text,
    occurred_at timestamptz NOT NULL,
    received_at timestamptz NOT NULL,
    applied_at timestamptz,
    UNIQUE (provider, event_id)
);
CREATE INDEX provider_events_pending ON provider_events (id) WHERE applied_at IS NULL;

-- Codes that give a plan.
CREATE TABLE codes (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- In upper case, without dashes.
    code text NOT NULL UNIQUE CHECK (length(code) >= 16),
    kind text NOT NULL CHECK (kind IN ('gift', 'bulk', 'marketplace', 'admin')),
    plan_id text NOT NULL,
    plan_name text NOT NULL,
    -- Null: for life.
    months integer CHECK (months > 0),
    purchase text,
    buyer bigint REFERENCES payers,
    -- To whom the buyer of a seat has sent it.
    sent_to text,
    created_at timestamptz NOT NULL,
    redeemed_by bigint REFERENCES payers,
    redeemed_at timestamptz,
    revoked_at timestamptz,
    -- An unused code is suspended while the payment for it is disputed.
    suspended_at timestamptz,
    CHECK ((redeemed_by IS NULL) = (redeemed_at IS NULL))
);
CREATE INDEX codes_purchase ON codes (purchase);
CREATE INDEX codes_buyer ON codes (buyer);

-- Whom the code of a gift is for, from whom, with which words, and when it is mailed.
CREATE TABLE gifts (
    code_id bigint PRIMARY KEY REFERENCES codes (id) ON DELETE CASCADE,
    sender_name text NOT NULL,
    recipient_name text NOT NULL,
    -- Null: the code goes to the giver, or the address was forgotten.
    recipient_email text,
    message text NOT NULL,
    deliver_at timestamptz NOT NULL,
    delivered_at timestamptz
);

-- Why an admin gave money back, by the key of the movement of the ledger that records it. It is written before the provider is
-- asked: of a refund that the provider refuses a row stays that belongs to no movement.
CREATE TABLE refund_reasons (
    movement text PRIMARY KEY,
    reason text NOT NULL CHECK (reason IN ('requested_by_customer', 'duplicate', 'fraudulent', 'other')),
    note text CHECK (length(note) BETWEEN 1 AND 200),
    given_at timestamptz NOT NULL
);

-- When a member was last written to about a plan that they pay for and do not use.
CREATE TABLE pause_offers (
    user_id bigint PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    offered_at timestamptz NOT NULL
);
