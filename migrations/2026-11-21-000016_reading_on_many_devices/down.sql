DROP TABLE completions;
ALTER TABLE history
    DROP COLUMN hidden_at,
    DROP COLUMN audio_at,
    DROP COLUMN audio_ms,
    DROP COLUMN furthest,
    DROP COLUMN place_device,
    DROP COLUMN place_at;
