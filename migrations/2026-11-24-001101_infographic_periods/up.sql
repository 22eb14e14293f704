-- From when until when each infographic could be had: what an add-on of infographics entitles to is told from this alone, so that
-- what was once bought stays bought, whatever is drawn anew, withdrawn or published again.
CREATE TABLE infographic_periods (
    book_id bigint NOT NULL REFERENCES books ON DELETE CASCADE,
    shown_from timestamptz NOT NULL,
    shown_until timestamptz CHECK (shown_until >= shown_from),
    PRIMARY KEY (book_id, shown_from)
);
CREATE UNIQUE INDEX infographic_periods_open ON infographic_periods (book_id) WHERE shown_until IS NULL;

-- Until now the date of the book's upload counted.
INSERT INTO infographic_periods (book_id, shown_from)
SELECT b.id, b.upload_date FROM books b JOIN visual_sets s ON s.book_id = b.id
WHERE b.published AND NOT b.coming_soon AND coalesce(s.infographic, b.infographic) IS NOT NULL;
