ALTER TABLE list_books DROP CONSTRAINT list_books_book_id_fkey;
