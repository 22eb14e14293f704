-- A saved book goes into the indexes at once (5 ms more for a save). Otherwise Postgres writes it on a list that every
-- search reads through from its beginning, until a save some hundred books later has to sort in all of them.
ALTER INDEX books_search SET (fastupdate = off);
ALTER INDEX books_text_search SET (fastupdate = off);
SELECT gin_clean_pending_list('books_search'), gin_clean_pending_list('books_text_search');
