-- What admins answered to messages of the inbox, by mail.
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
-- Reasons for leaving are counted by range.
CREATE INDEX messages_kind_created_at ON messages (kind, created_at);
