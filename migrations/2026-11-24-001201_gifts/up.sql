-- Whom the code of a gift is for, from whom, with which words, and when it is mailed.
CREATE TABLE gifts (
    code_id bigint PRIMARY KEY REFERENCES codes (id) ON DELETE CASCADE,
    sender_name text NOT NULL,
    recipient_name text NOT NULL,
    -- NULL: the code goes to the giver, or the address was forgotten.
    recipient_email text,
    message text NOT NULL,
    deliver_at timestamptz NOT NULL,
    delivered_at timestamptz
);
