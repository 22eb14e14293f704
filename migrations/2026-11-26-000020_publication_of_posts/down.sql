ALTER TABLE podcasts DROP COLUMN publish_at, DROP COLUMN published;
ALTER TABLE posts DROP COLUMN publish_at, DROP COLUMN published;
