-- When the holder of the session last showed who they are, after the sign-in itself.
ALTER TABLE sessions ADD COLUMN proved_at timestamptz;
