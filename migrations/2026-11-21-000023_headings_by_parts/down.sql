DROP INDEX books_search;
CREATE INDEX books_search ON books USING gin (search) WHERE published;
