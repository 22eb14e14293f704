-- Links through which people come, what they earn, and payouts.

CREATE TABLE referral_links (
    -- What stands in the address.
    id text PRIMARY KEY,
    user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
    kind text NOT NULL CHECK (kind IN ('friend', 'affiliate')),
    clicks bigint NOT NULL DEFAULT 0 CHECK (clicks >= 0),
    created_at timestamptz NOT NULL,
    UNIQUE (user_id, kind)
);

CREATE TABLE referral_rewards (
    purchase text PRIMARY KEY,
    -- Who earned it.
    user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
    kind text NOT NULL CHECK (kind IN ('friend', 'affiliate')),
    -- Who bought; null: a guest, or a person whose account was deleted.
    buyer_id bigint REFERENCES users ON DELETE SET NULL,
    buyer_mailbox text,
    -- What it is now.
    amount_cents bigint NOT NULL CHECK (amount_cents >= 0),
    earned_at timestamptz NOT NULL
);
CREATE INDEX referral_rewards_user_id ON referral_rewards (user_id, earned_at);
CREATE INDEX referral_rewards_buyer_id ON referral_rewards (buyer_id);
CREATE INDEX referral_rewards_buyer_mailbox ON referral_rewards (buyer_mailbox);
-- A friend is brought once.
CREATE UNIQUE INDEX referral_rewards_friend ON referral_rewards (buyer_id) WHERE kind = 'friend';
CREATE UNIQUE INDEX referral_rewards_friend_mailbox ON referral_rewards (buyer_mailbox) WHERE kind = 'friend';

CREATE TABLE referral_payouts (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
    amount_cents bigint NOT NULL CHECK (amount_cents > 0),
    paid_at timestamptz NOT NULL
);
CREATE INDEX referral_payouts_user_id ON referral_payouts (user_id);
