-- The length that an editor stated for an episode; it counts while there is no recording.
ALTER TABLE podcasts ADD COLUMN stated_minutes integer CHECK (stated_minutes > 0);
