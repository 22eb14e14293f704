DELETE FROM deliveries WHERE book_id IS NULL;
ALTER TABLE deliveries
    DROP COLUMN summary_id,
    ALTER COLUMN book_id SET NOT NULL;
