-- When the holder of a session last showed that mail to the account's address reaches them.
ALTER TABLE sessions ADD COLUMN address_proved_at timestamptz;
