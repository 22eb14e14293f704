DROP TABLE recommends, ratings, library, reading_days, history, opened_books, entitlements;
