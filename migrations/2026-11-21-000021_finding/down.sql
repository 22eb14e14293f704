ALTER TABLE catalogue_totals DROP COLUMN illustrated;
DROP INDEX tags_beginnings;
DROP INDEX collections_titles;
DROP INDEX collections_trigrams;
ALTER TABLE collections DROP COLUMN title_key;
