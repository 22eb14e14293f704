ALTER TABLE review_cards DROP CONSTRAINT review_cards_book_id_fkey;
