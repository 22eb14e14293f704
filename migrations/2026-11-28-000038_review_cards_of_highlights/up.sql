-- A highlight is removed with its account only.
ALTER TABLE review_cards
    ADD CONSTRAINT review_cards_highlight_fkey FOREIGN KEY (user_id, highlight_id) REFERENCES highlights ON DELETE CASCADE;
