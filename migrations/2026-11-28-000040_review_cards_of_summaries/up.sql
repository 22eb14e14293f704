-- A review card stays when its own summary is deleted.
ALTER TABLE review_cards
    ADD CONSTRAINT review_cards_summary_id_fkey FOREIGN KEY (summary_id) REFERENCES member_summaries ON DELETE SET NULL;
