-- A row of the history changes at every turn of a page. Postgres reads each check of a table from its text whenever a statement writes
-- to it, and an index on the time of the last visit kept the updates from staying within their page (HOT). What the checks said is
-- said by the types that write the row; a reader's history is read by the key's beginning and sorted.
ALTER TABLE history
    DROP CONSTRAINT history_position_check,
    DROP CONSTRAINT history_paragraph_check,
    DROP CONSTRAINT history_place_device_check,
    DROP CONSTRAINT history_furthest_check,
    DROP CONSTRAINT history_audio_ms_check,
    DROP CONSTRAINT history_check,
    SET (fillfactor = 85);
DROP INDEX history_newest;
