-- Editors list all authors by their names, also those without a book that can be read.
CREATE INDEX authors_names ON authors (name_key, id);
