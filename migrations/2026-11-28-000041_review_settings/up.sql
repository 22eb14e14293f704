-- How many cards a day asks, and whether a day with an answer counts for the streak.
ALTER TABLE study_settings
    ADD COLUMN daily_max smallint NOT NULL DEFAULT 20 CHECK (daily_max BETWEEN 5 AND 200),
    ADD COLUMN counts_for_streak boolean NOT NULL DEFAULT true;
