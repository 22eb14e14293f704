ALTER TABLE jobs DROP COLUMN trace_context;
DROP INDEX provider_events_received;
DROP TABLE site_settings;
DROP TABLE backups;
DROP TABLE nodes;
