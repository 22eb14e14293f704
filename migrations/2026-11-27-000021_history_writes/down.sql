CREATE INDEX history_newest ON history (user_id, updated_at DESC, book_id DESC);
ALTER TABLE history
    ADD CONSTRAINT history_position_check CHECK (position >= 0),
    ADD CONSTRAINT history_paragraph_check CHECK (paragraph BETWEEN 0 AND 9999),
    ADD CONSTRAINT history_place_device_check CHECK (place_device ~ '^[A-Za-z0-9_-]{1,64}$'),
    ADD CONSTRAINT history_furthest_check CHECK (furthest >= 0),
    ADD CONSTRAINT history_audio_ms_check CHECK (audio_ms >= 0),
    ADD CONSTRAINT history_check CHECK ((audio_ms IS NULL) = (audio_at IS NULL)),
    RESET (fillfactor);
