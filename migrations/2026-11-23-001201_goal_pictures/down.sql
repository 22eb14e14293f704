ALTER TABLE goals DROP COLUMN photo, DROP COLUMN feature_photo;
