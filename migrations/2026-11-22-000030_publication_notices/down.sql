DROP TABLE publication_notices;
UPDATE catalogue_totals SET books = (SELECT count(*) FROM books WHERE published),
    illustrated = (SELECT count(*) FROM books WHERE published AND visuals > 0);
UPDATE categories c SET book_count = (SELECT count(*) FROM book_categories t JOIN books b ON b.id = t.book_id
    WHERE t.category_id = c.id AND b.published);
UPDATE authors a SET book_count = (SELECT count(*) FROM books b WHERE b.author_id = a.id AND b.published);
