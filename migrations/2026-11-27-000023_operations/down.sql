ALTER TABLE jobs DROP COLUMN trace_context;
DROP TABLE site_settings;
DROP TABLE backups;
DROP TABLE nodes;
