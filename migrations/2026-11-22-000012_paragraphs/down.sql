ALTER TABLE history DROP COLUMN paragraph;
