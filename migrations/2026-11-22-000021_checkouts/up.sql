-- Coupons, trials, checkouts, what providers tell, and codes.

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

-- The cards that a payer has paid with: nobody earns from their own purchase.
CREATE TABLE payer_cards (
    payer_id bigint NOT NULL REFERENCES payers,
    card text NOT NULL,
    PRIMARY KEY (payer_id, card)
);

CREATE TABLE checkouts (
    reference text PRIMARY KEY,
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
    state text NOT NULL CHECK (state IN ('started', 'submitted', 'needs_action', 'paid', 'declined', 'reconciled')),
    -- The provider's id of the charge or the subscription.
    provider_id text,
    -- What a guest claims it with.
    charge_id text NOT NULL UNIQUE,
    claimed_at timestamptz,
    created_at timestamptz NOT NULL,
    changed_at timestamptz NOT NULL,
    CHECK ((renewal_cents IS NULL) = (renewal_months IS NULL)),
    CHECK (sealed_details IS NULL OR state IN ('started', 'submitted', 'needs_action'))
);
CREATE UNIQUE INDEX checkouts_provider_id ON checkouts (provider, provider_id);
CREATE INDEX checkouts_payer_id ON checkouts (payer_id);
CREATE INDEX checkouts_pending ON checkouts (changed_at) WHERE state IN ('started', 'submitted', 'needs_action');

-- An event names an object and carries nothing of it.
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
    created_at timestamptz NOT NULL,
    redeemed_by bigint REFERENCES payers,
    redeemed_at timestamptz,
    revoked_at timestamptz,
    CHECK ((redeemed_by IS NULL) = (redeemed_at IS NULL))
);
CREATE INDEX codes_purchase ON codes (purchase);
CREATE INDEX codes_buyer ON codes (buyer);
