DROP TABLE study_settings;
DROP TABLE highlighted_books;
DROP TABLE highlight_tags;
DROP TABLE highlights;
DROP TABLE study_members;
