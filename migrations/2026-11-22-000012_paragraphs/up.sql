-- The paragraph at the top of the screen, from 0 in its section; null: the section's beginning.
ALTER TABLE history ADD COLUMN paragraph integer CHECK (paragraph BETWEEN 0 AND 9999);
