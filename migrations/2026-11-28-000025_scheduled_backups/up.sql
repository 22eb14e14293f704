ALTER TABLE backups
    -- When a schedule began to make it; NULL: it was made by hand.
    ADD COLUMN scheduled_at timestamptz,
    -- Whether it was restored in a scratch database, to try it; NULL: that was not tried.
    ADD COLUMN is_verified boolean,
    -- Why it could not be restored.
    ADD COLUMN fault text CHECK (fault IS NULL OR NOT is_verified);
