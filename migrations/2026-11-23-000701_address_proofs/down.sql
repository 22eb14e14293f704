ALTER TABLE sessions DROP COLUMN address_proved_at;
