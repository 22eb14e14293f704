ALTER TABLE study_settings DROP COLUMN reminder, DROP COLUMN digest, DROP COLUMN notice_hour;
