-- Whether and when a member is reminded of due cards and gets highlights by mail.
ALTER TABLE study_settings
    ADD COLUMN reminder text NOT NULL DEFAULT 'off' CHECK (reminder IN ('off', 'mail', 'push')),
    ADD COLUMN digest text NOT NULL DEFAULT 'off' CHECK (digest IN ('off', 'daily', 'weekly')),
    ADD COLUMN notice_hour smallint NOT NULL DEFAULT 8 CHECK (notice_hour BETWEEN 0 AND 23);
