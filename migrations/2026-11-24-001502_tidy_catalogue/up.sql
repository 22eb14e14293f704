-- What only the owner of a table may do, for the role that loads books: it acts with the owner's rights, and does this alone.
CREATE FUNCTION tidy_catalogue() RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    ANALYZE books, book_categories, book_sections, book_stats, book_tags, search_words;
    PERFORM gin_clean_pending_list('books_search'), gin_clean_pending_list('books_text_search');
END $$;
-- Its names mean these tables, whoever calls it.
DO $$ BEGIN EXECUTE format('ALTER FUNCTION tidy_catalogue() SET search_path = %I, pg_temp', current_schema()); END $$;
REVOKE EXECUTE ON FUNCTION tidy_catalogue() FROM PUBLIC;
