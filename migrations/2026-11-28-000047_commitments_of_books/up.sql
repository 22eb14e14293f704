-- A commitment stays when its book is deleted.
ALTER TABLE commitments ADD CONSTRAINT commitments_book_id_fkey FOREIGN KEY (book_id) REFERENCES books ON DELETE SET NULL;

-- Whether the member is asked for a commitment and what became of it. The table is as new as this release, like `commitments`: no node
-- of the release before writes to it.
ALTER TABLE study_settings ADD COLUMN asks_commitments boolean NOT NULL DEFAULT true;
