-- Editors write key ideas one by one: the picture comes later, and there may be no poster of them.
ALTER TABLE visuals ALTER COLUMN image DROP NOT NULL;
ALTER TABLE visual_sets ALTER COLUMN infographic DROP NOT NULL, ALTER COLUMN infographic_thumb DROP NOT NULL;
