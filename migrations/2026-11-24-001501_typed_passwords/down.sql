ALTER TABLE sessions DROP COLUMN password_typed;
