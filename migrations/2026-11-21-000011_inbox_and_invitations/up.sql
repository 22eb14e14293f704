-- What people write to the house, and whom members invite.

CREATE TABLE messages (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind text NOT NULL CHECK (kind IN ('contact', 'suggest', 'feedback', 'leaving', 'cancellation')),
    -- Null where nobody gave one, and of those who are to be forgotten.
    name text,
    email text,
    -- The address without regard to case: folded by the server, whatever the cluster's locale.
    email_key text,
    body text NOT NULL,
    created_at timestamptz NOT NULL,
    -- When somebody had seen to it.
    done_at timestamptz
);
CREATE INDEX messages_kind ON messages (kind, id DESC);
CREATE INDEX messages_not_done ON messages (id DESC) WHERE done_at IS NULL;
CREATE INDEX messages_email_key ON messages (email_key);

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
