-- Content of the site's frame, and the product's own analytics.

CREATE TABLE site_content (
    name text PRIMARY KEY,
    value jsonb NOT NULL
);

-- What people do on the site, with no personal data beyond the member's id.
CREATE TABLE events (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL,
    user_id bigint REFERENCES users ON DELETE SET NULL,
    at timestamptz NOT NULL
);
CREATE INDEX events_at ON events (at);
CREATE INDEX events_user_id ON events (user_id);
