-- A highlight stays when its book is deleted.
ALTER TABLE highlights ADD CONSTRAINT highlights_book_id_fkey FOREIGN KEY (book_id) REFERENCES books ON DELETE SET NULL;
ALTER TABLE highlighted_books ADD CONSTRAINT highlighted_books_book_id_fkey FOREIGN KEY (book_id) REFERENCES books ON DELETE CASCADE;
