-- Finding authors, tags and collections.

-- As an author stands in a directory, where the last word of the name does not come first: 'Du Bois, W. E. B.'.
ALTER TABLE authors ADD COLUMN sort_name text;
-- How many published books there are.
ALTER TABLE authors ADD COLUMN book_count bigint NOT NULL DEFAULT 0;
UPDATE authors SET
    name_key = regexp_replace(name_key, '^(.*)\s+(\S+)$', '\2 \1'),
    book_count = (SELECT count(*) FROM books WHERE books.author_id = authors.id AND books.published);
CREATE INDEX authors_directory ON authors (name_key, id) WHERE book_count > 0;
-- What is typed is compared with names by their parts of three letters.
CREATE INDEX authors_trigrams ON authors USING gin (name_key gin_trgm_ops);
CREATE INDEX tags_trigrams ON tags USING gin (slug gin_trgm_ops);

-- The categories of a collection stand in the editors' order.
ALTER TABLE collection_categories ADD COLUMN place integer NOT NULL DEFAULT 0;
CREATE INDEX collections_by_date ON collections (upload_date DESC, id DESC);
