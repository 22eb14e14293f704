-- Who pays, the ledger, and what follows from it.

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

-- Who a payer is at a payment provider.
CREATE TABLE provider_customers (
    payer_id bigint NOT NULL REFERENCES payers,
    provider text NOT NULL CHECK (provider IN ('sandbox', 'stripe', 'paypal')),
    customer text NOT NULL,
    PRIMARY KEY (payer_id, provider)
);

CREATE TABLE ledger_transactions (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    payer_id bigint NOT NULL REFERENCES payers,
    -- It is recorded once by it: the provider's id of the object and what happened to it.
    key text NOT NULL UNIQUE,
    kind text NOT NULL CHECK (kind IN (
        'trial_started', 'charged', 'plan_given', 'code_redeemed', 'charge_failed', 'canceled', 'resumed', 'paused',
        'pause_ended', 'ended', 'plan_withdrawn', 'code_revoked', 'refunded', 'disputed', 'dispute_won',
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
    CHECK ((reference IS NOT NULL) = (kind IN ('plan_withdrawn', 'code_revoked', 'refunded', 'disputed', 'dispute_won')))
);
CREATE INDEX ledger_transactions_payer_id ON ledger_transactions (payer_id, occurred_at, id);
CREATE INDEX ledger_transactions_purchase ON ledger_transactions (purchase);

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

-- Entitlements follow from the ledger too. Those that are there were given.
INSERT INTO payers (user_id, is_guest, created_at) SELECT DISTINCT user_id, false, now() FROM entitlements;
INSERT INTO ledger_transactions
    (payer_id, key, kind, purchase, plan_id, plan_name, amount_cents, fee_cents, starts_at, ends_at, infographics, occurred_at)
SELECT p.id, 'given:' || p.id || ':entitlement-' || e.id, 'plan_given', 'given:' || p.id || ':entitlement-' || e.id,
       e.plan_id, e.plan_name, 0, 0, e.starts_at, e.ends_at, 0, e.starts_at
FROM entitlements e JOIN payers p USING (user_id);
-- What waits for the commit stands in the way of changes to the tables in the same transaction.
SET CONSTRAINTS ALL IMMEDIATE;
SET CONSTRAINTS ALL DEFERRED;
