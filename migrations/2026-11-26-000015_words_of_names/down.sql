DROP INDEX search_words_of_names;
ALTER TABLE search_words DROP COLUMN in_name;
