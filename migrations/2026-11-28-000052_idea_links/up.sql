-- Links between key ideas of two books. An idea is named by the heading of its section: sections are written again at each save.
CREATE TABLE idea_links (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind text NOT NULL CHECK (kind IN ('agrees', 'contradicts', 'builds-on')),
    from_book bigint NOT NULL REFERENCES books ON DELETE CASCADE,
    from_idea text NOT NULL,
    to_book bigint NOT NULL REFERENCES books ON DELETE CASCADE,
    to_idea text NOT NULL,
    note text NOT NULL,
    state text NOT NULL CHECK (state IN ('draft', 'published', 'dismissed')),
    CHECK (from_book <> to_book)
);
CREATE INDEX idea_links_from_book ON idea_links (from_book);
CREATE INDEX idea_links_to_book ON idea_links (to_book);
-- Two ideas have one link at most, whichever direction it has.
CREATE UNIQUE INDEX idea_links_ideas ON idea_links (
    least(from_book, to_book), greatest(from_book, to_book),
    md5(CASE WHEN from_book < to_book THEN from_idea ELSE to_idea END),
    md5(CASE WHEN from_book < to_book THEN to_idea ELSE from_idea END)
);
