DROP TABLE collection_books;
