-- When a member is next reminded of due cards or gets highlights by mail.
CREATE TABLE study_notices (
    user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
    kind text NOT NULL CHECK (kind IN ('reminder', 'digest')),
    -- Null: it is switched off.
    due_at timestamptz,
    -- The day of the member's calendar on which the latest was due: the next is on a later one.
    last_on date,
    -- The highlight that was mailed last: the next mail begins with the one after it.
    last_highlight bigint,
    PRIMARY KEY (user_id, kind)
);
CREATE INDEX study_notices_due ON study_notices (due_at) WHERE due_at IS NOT NULL;

-- The URL to which a member's new highlights are posted.
CREATE TABLE study_webhooks (
    user_id bigint PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    url text NOT NULL CHECK (char_length(url) BETWEEN 1 AND 2000),
    -- The secret that signs is derived from it and a key of the server.
    salt bytea NOT NULL,
    created_at timestamptz NOT NULL,
    is_on boolean NOT NULL,
    -- The latest delivery; null before the first.
    last_at timestamptz,
    -- The status of the response; null without one.
    last_status smallint,
    -- Why it failed; empty after a success.
    last_error text NOT NULL DEFAULT ''
);
