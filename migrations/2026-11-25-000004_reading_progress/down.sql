DROP TABLE recommends, ratings, library, reading_days, completions, history, opened_books;
