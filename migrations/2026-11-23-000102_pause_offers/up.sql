-- When a member was last written to about a plan that they pay for and do not use.
CREATE TABLE pause_offers (
    user_id bigint PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    offered_at timestamptz NOT NULL
);
