DROP TABLE plans;
DROP TABLE site_pages;
DROP TABLE insights;
DROP TABLE podcasts;
DROP TABLE posts;
