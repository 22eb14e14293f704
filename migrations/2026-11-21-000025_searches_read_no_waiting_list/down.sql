ALTER INDEX books_search RESET (fastupdate);
ALTER INDEX books_text_search RESET (fastupdate);
