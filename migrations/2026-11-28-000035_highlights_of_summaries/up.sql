-- A highlight stays when its own summary is deleted.
ALTER TABLE highlights
    ADD CONSTRAINT highlights_summary_id_fkey FOREIGN KEY (summary_id) REFERENCES member_summaries ON DELETE SET NULL;
