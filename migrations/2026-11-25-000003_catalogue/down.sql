DROP FUNCTION tidy_catalogue();
DROP TABLE publication_notices, films, narrations, infographic_periods, visual_sets, visuals, book_opens, book_stats, collection_books,
    collection_categories, collections, book_sections, book_tags, book_goals, book_categories, search_words, catalogue_totals, books,
    tags, goals, categories, authors;
DROP EXTENSION btree_gin;
DROP EXTENSION pg_trgm;
