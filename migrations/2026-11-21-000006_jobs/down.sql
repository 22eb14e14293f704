DROP INDEX jobs_done;
DROP INDEX jobs_recipient;
ALTER TABLE jobs DROP COLUMN retries, DROP COLUMN recipient_key, DROP COLUMN about;
