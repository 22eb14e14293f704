ALTER TABLE podcasts DROP COLUMN stated_minutes;
