-- What people write to the operator, and how it is answered.

CREATE TABLE messages (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind text NOT NULL CHECK (kind IN ('contact', 'suggest', 'feedback', 'leaving', 'cancellation')),
    -- Null where none was given, and of people who are forgotten.
    name text,
    email text,
    -- The address without regard to case: folded by the server, whatever the cluster's locale.
    email_key text,
    body text NOT NULL,
    created_at timestamptz NOT NULL,
    -- When an admin marked it as done.
    done_at timestamptz
);
CREATE INDEX messages_kind ON messages (kind, id DESC);
-- Reasons for leaving are counted by range.
CREATE INDEX messages_kind_created_at ON messages (kind, created_at);
CREATE INDEX messages_not_done ON messages (id DESC) WHERE done_at IS NULL;
CREATE INDEX messages_email_key ON messages (email_key);

-- What admins answered by mail.
CREATE TABLE message_answers (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    message_id bigint NOT NULL REFERENCES messages ON DELETE CASCADE,
    body text NOT NULL,
    -- The admin; null when that account is gone.
    answered_by bigint REFERENCES users ON DELETE SET NULL,
    answered_at timestamptz NOT NULL
);
CREATE INDEX message_answers_message_id ON message_answers (message_id, id);
CREATE INDEX message_answers_answered_by ON message_answers (answered_by) WHERE answered_by IS NOT NULL;
