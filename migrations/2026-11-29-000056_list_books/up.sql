-- A book that is deleted leaves the lists.
ALTER TABLE list_books ADD CONSTRAINT list_books_book_id_fkey FOREIGN KEY (book_id) REFERENCES books ON DELETE CASCADE;
