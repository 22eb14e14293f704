DROP TABLE search_words, catalogue_totals, book_opens, book_stats, collection_categories, collections, book_sections,
    book_tags, book_goals, book_categories, books, tags, goals, categories, authors;
DROP EXTENSION pg_trgm;
