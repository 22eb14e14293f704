ALTER TABLE completed_ideas ADD CONSTRAINT completed_ideas_book_id_fkey FOREIGN KEY (book_id) REFERENCES books ON DELETE CASCADE;
CREATE INDEX completed_ideas_book_id ON completed_ideas (book_id);
