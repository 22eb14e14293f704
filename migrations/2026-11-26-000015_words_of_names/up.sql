-- Whether a word stands in a title or an author's name: those are what a misspelled search most likely means.
ALTER TABLE search_words ADD COLUMN in_name boolean NOT NULL DEFAULT false;
UPDATE search_words SET in_name = true WHERE word IN (
    SELECT regexp_split_to_table(title_key COLLATE "default", '[^[:alnum:]]+') FROM books
    UNION SELECT regexp_split_to_table(name_key COLLATE "default", '[^[:alnum:]]+') FROM authors
);
-- Of another collation than the column, as `search_words_trigrams` is. Few words are indexed, and the table has one row for each word
-- of all texts: building this takes a moment even for a large catalogue.
CREATE INDEX search_words_of_names ON search_words USING gist (word COLLATE "default" gist_trgm_ops) WHERE in_name;
