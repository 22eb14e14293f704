DROP INDEX authors_names;
