-- Titles, authors, tags, categories and headings are searched by parts of the catalogue too. See `catalogue/search.rs`.
DROP INDEX books_search;
CREATE INDEX books_search ON books USING gin ((id / 16384), search) WHERE published;

-- All words are known that begin with a letter, those with digits too.
INSERT INTO search_words (word, stem)
SELECT word, word FROM ts_stat('SELECT search || text_search FROM books')
WHERE word ~ '^[^\W\d]' AND word ~ '\d' AND word !~ '\W' AND length(word) >= 3
ON CONFLICT DO NOTHING;
