DROP TABLE jobs;
DROP TABLE single_use_secrets;
ALTER TABLE sessions DROP COLUMN strong;
ALTER TABLE sessions DROP COLUMN place;
ALTER TABLE sessions DROP COLUMN device;
ALTER TABLE users DROP COLUMN email_confirmed_at;
