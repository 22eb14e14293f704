ALTER TABLE study_settings DROP COLUMN asks_commitments;
ALTER TABLE commitments DROP CONSTRAINT commitments_book_id_fkey;
