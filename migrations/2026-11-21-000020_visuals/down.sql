ALTER TABLE books DROP COLUMN visuals;
DROP TABLE visual_sets, visuals;
