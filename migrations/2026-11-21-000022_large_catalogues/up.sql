-- What a search and the list of a tag read does not grow with the catalogue.

CREATE EXTENSION IF NOT EXISTS btree_gin;
-- By parts of 8192 books: a search for words of a text reads the latest part first and stops when it has enough. See `catalogue/search.rs`.
DROP INDEX books_text_search;
CREATE INDEX books_text_search ON books USING gin ((id / 8192), text_search) WHERE published;

-- The book's own date, so that the books of a tag can be walked in their order.
ALTER TABLE book_tags ADD COLUMN upload_date timestamptz;
UPDATE book_tags t SET upload_date = b.upload_date FROM books b WHERE b.id = t.book_id;
CREATE INDEX book_tags_by_date ON book_tags (tag_id, upload_date DESC, book_id DESC);
