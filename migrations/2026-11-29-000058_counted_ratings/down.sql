ALTER TABLE ratings DROP COLUMN counts;
