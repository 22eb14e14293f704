-- Through whose link a member came, noted at the sign-up: it counts at the first payment where the browser has forgotten it.
CREATE TABLE referred_members (
    user_id bigint PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    link text NOT NULL REFERENCES referral_links ON DELETE CASCADE,
    noted_at timestamptz NOT NULL
);
CREATE INDEX referred_members_link ON referred_members (link);
