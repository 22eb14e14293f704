DROP TABLE popular_passages;
DROP TABLE checked_books;
