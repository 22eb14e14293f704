DROP TABLE book_documents;
