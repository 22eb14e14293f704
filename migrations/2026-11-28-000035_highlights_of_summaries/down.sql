ALTER TABLE highlights DROP CONSTRAINT highlights_summary_id_fkey;
