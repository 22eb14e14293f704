DROP INDEX books_publish_at;
ALTER TABLE books DROP COLUMN vector, DROP COLUMN infographic, DROP COLUMN podcast, DROP COLUMN publish_at;
DROP TABLE row_revisions;
DROP TABLE row_versions;
