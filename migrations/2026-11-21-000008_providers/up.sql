-- That one person at a sign-in provider is one account here.

CREATE TABLE provider_identities (
    provider text NOT NULL CHECK (provider IN ('google', 'apple', 'facebook', 'linkedin')),
    -- The provider's own name for the person.
    subject text NOT NULL,
    user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
    -- The address that the provider told last.
    email text,
    connected_at timestamptz NOT NULL,
    PRIMARY KEY (provider, subject),
    UNIQUE (user_id, provider)
);
