DROP INDEX book_tags_by_date;
ALTER TABLE book_tags DROP COLUMN upload_date;
DROP INDEX books_text_search;
CREATE INDEX books_text_search ON books USING gin (text_search) WHERE published;
DROP EXTENSION btree_gin;
