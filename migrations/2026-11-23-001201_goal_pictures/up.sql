-- Keys in the object store: the small and the large picture of a goal.
ALTER TABLE goals ADD COLUMN photo text, ADD COLUMN feature_photo text;
