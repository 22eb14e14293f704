-- A review card stays when its book is deleted.
ALTER TABLE review_cards ADD CONSTRAINT review_cards_book_id_fkey FOREIGN KEY (book_id) REFERENCES books ON DELETE SET NULL;
