DROP INDEX collections_by_date;
ALTER TABLE collection_categories DROP COLUMN place;
DROP INDEX tags_trigrams;
DROP INDEX authors_trigrams;
DROP INDEX authors_directory;
UPDATE authors SET name_key = regexp_replace(name_key, '^(\S+)\s+(.*)$', '\2 \1');
ALTER TABLE authors DROP COLUMN book_count, DROP COLUMN sort_name;
