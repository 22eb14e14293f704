-- Whom members invite, links through which people come, what they earn, and payouts.

-- A member invites an address once.
CREATE TABLE invitations (
    user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
    -- The address as it is compared, and as it was typed.
    friend_key text NOT NULL,
    friend_email text NOT NULL,
    invited_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, friend_key)
);
CREATE INDEX invitations_latest ON invitations (user_id, invited_at DESC);
-- A person who leaves is also forgotten by those who invited them.
CREATE INDEX invitations_friend_key ON invitations (friend_key);

CREATE TABLE referral_links (
    -- As it stands in the URL.
    id text PRIMARY KEY,
    user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
    kind text NOT NULL CHECK (kind IN ('friend', 'affiliate')),
    clicks bigint NOT NULL DEFAULT 0 CHECK (clicks >= 0),
    created_at timestamptz NOT NULL,
    UNIQUE (user_id, kind)
);

-- Through whose link a member came, noted at the sign-up: it counts at the first payment where the browser has forgotten it.
CREATE TABLE referred_members (
    user_id bigint PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    link text NOT NULL REFERENCES referral_links ON DELETE CASCADE,
    noted_at timestamptz NOT NULL
);
CREATE INDEX referred_members_link ON referred_members (link);

CREATE TABLE referral_rewards (
    purchase text PRIMARY KEY,
    -- The member who earned it.
    user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
    kind text NOT NULL CHECK (kind IN ('friend', 'affiliate')),
    -- The buyer; null: a guest, or a person whose account was deleted.
    buyer_id bigint REFERENCES users ON DELETE SET NULL,
    buyer_mailbox text,
    -- What it is now.
    amount_cents bigint NOT NULL CHECK (amount_cents >= 0),
    earned_at timestamptz NOT NULL,
    -- It turned out to be for the owner's own purchase, or for a payment that was not the buyer's first.
    is_denied boolean NOT NULL DEFAULT false,
    CHECK (NOT is_denied OR amount_cents = 0)
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
