DROP TABLE events, site_content;
