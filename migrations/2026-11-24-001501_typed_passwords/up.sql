-- Whether the holder of a session has typed the account's password in it.
ALTER TABLE sessions ADD COLUMN password_typed boolean NOT NULL DEFAULT false;
