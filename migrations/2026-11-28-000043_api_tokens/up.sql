-- Tokens by which a member's own programs call the API.
CREATE TABLE api_tokens (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
    name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 60),
    scopes text[] NOT NULL CHECK (cardinality(scopes) > 0),
    -- SHA-256 of the token.
    hash bytea NOT NULL UNIQUE,
    created_at timestamptz NOT NULL,
    -- To the day: a call on the same day writes nothing.
    last_used_on date
);
CREATE INDEX api_tokens_user ON api_tokens (user_id);
