-- Whether a rating counts for its book: its reader had opened the book here when they gave or imported it.
ALTER TABLE ratings ADD COLUMN counts boolean NOT NULL DEFAULT true;
