ALTER TABLE study_settings
    DROP COLUMN counts_for_streak,
    DROP COLUMN daily_max;
