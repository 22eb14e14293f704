-- Finding collections by their titles, and tags by how they begin; how many books are illustrated.

-- The title as it is compared, written anew whenever a collection is saved. Empty: saved by an older release.
ALTER TABLE collections ADD COLUMN title_key text COLLATE "C" NOT NULL DEFAULT '';
UPDATE collections SET title_key = lower(title);
CREATE INDEX collections_trigrams ON collections USING gin (title_key gin_trgm_ops);
CREATE INDEX collections_titles ON collections (title_key, id);

-- Byte by byte, whatever the order of the database's language is.
CREATE INDEX tags_beginnings ON tags (slug COLLATE "C");

-- How many published books have illustrated key ideas.
ALTER TABLE catalogue_totals ADD COLUMN illustrated bigint NOT NULL DEFAULT 0;
UPDATE catalogue_totals SET illustrated = (SELECT count(*) FROM books WHERE published AND visuals > 0);
