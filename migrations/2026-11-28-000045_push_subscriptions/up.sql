-- Browsers that show push messages, each while its session lives.
CREATE TABLE push_subscriptions (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    session_id bigint NOT NULL UNIQUE REFERENCES sessions ON DELETE CASCADE,
    endpoint text NOT NULL UNIQUE CHECK (char_length(endpoint) BETWEEN 1 AND 2000),
    -- The browser's public key (P-256, 65 bytes) and its secret (16 bytes).
    p256dh bytea NOT NULL,
    auth bytea NOT NULL,
    created_at timestamptz NOT NULL
);
