ALTER TABLE backups
    DROP COLUMN fault,
    DROP COLUMN is_verified,
    DROP COLUMN scheduled_at;
