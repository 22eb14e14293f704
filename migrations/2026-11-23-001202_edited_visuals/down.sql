DELETE FROM visuals WHERE image IS NULL;
ALTER TABLE visuals ALTER COLUMN image SET NOT NULL;
UPDATE books SET visuals = 0 FROM visual_sets s
WHERE s.book_id = books.id AND (s.infographic IS NULL OR s.infographic_thumb IS NULL);
DELETE FROM visual_sets WHERE infographic IS NULL OR infographic_thumb IS NULL;
ALTER TABLE visual_sets ALTER COLUMN infographic SET NOT NULL, ALTER COLUMN infographic_thumb SET NOT NULL;
