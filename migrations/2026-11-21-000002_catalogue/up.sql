-- Books with their sections, and everything by which they are found.

CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE TABLE authors (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    slug text NOT NULL UNIQUE,
    name text NOT NULL,
    -- Names and titles are folded (no case, no accents) by the server, and compared byte by byte, so that no locale matters.
    name_key text COLLATE "C" NOT NULL,
    description text NOT NULL DEFAULT ''
);

CREATE TABLE categories (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    subid text NOT NULL UNIQUE,
    name text NOT NULL,
    -- The OKLCH hue, in degrees, that the category owns.
    hue smallint NOT NULL CHECK (hue BETWEEN 0 AND 359),
    small_image text,
    place integer NOT NULL,
    -- How many published books it has: counting them at each page would cost more than the page.
    book_count bigint NOT NULL DEFAULT 0
);

CREATE TABLE goals (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    slug text NOT NULL UNIQUE,
    title text NOT NULL,
    short_title text NOT NULL,
    mobile_title text NOT NULL,
    description text NOT NULL DEFAULT '',
    place integer NOT NULL
);

CREATE TABLE tags (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    slug text NOT NULL UNIQUE,
    name text NOT NULL
);

CREATE TABLE books (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    subid text NOT NULL UNIQUE CHECK (subid ~ '[a-z]'),
    title text NOT NULL,
    title_key text COLLATE "C" NOT NULL,
    author_id bigint NOT NULL REFERENCES authors,
    description text NOT NULL DEFAULT '',
    -- Cleaned HTML, normalised: every section begins with a level-3 heading.
    body text NOT NULL DEFAULT '',
    -- The part of the body that anyone may read.
    truncated_body text NOT NULL DEFAULT '',
    -- The headings of the sections, in order.
    section_titles text[] NOT NULL DEFAULT '{}',
    -- Names of the author, categories, goals and tags as JSON, so that a list is read from one table. Made at every
    -- save, of this book or of what is named. Text, because the database never looks into it.
    shown text NOT NULL DEFAULT '{}',
    -- A list of {text, chapter}.
    quotes jsonb NOT NULL DEFAULT '[]',
    -- Keys in the object store.
    image text,
    media text,
    video text,
    year integer,
    words integer NOT NULL DEFAULT 0,
    free boolean NOT NULL DEFAULT false,
    is_popular boolean NOT NULL DEFAULT false,
    coming_soon boolean NOT NULL DEFAULT false,
    published boolean NOT NULL DEFAULT true,
    upload_date timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    -- Title (A), author (B), tags, categories and headings (C).
    search tsvector NOT NULL DEFAULT '',
    -- All words of title, author, tags, categories and body, without positions: only to be looked up in its index.
    text_search tsvector NOT NULL DEFAULT ''
);
-- Bodies are read whole and compressed by whoever serves them: unpacking them once more would only cost time.
ALTER TABLE books ALTER COLUMN body SET STORAGE EXTERNAL;
CREATE INDEX books_by_title ON books (title_key, id) WHERE published;
CREATE INDEX books_by_date ON books (upload_date DESC, id DESC) WHERE published;
CREATE INDEX books_with_audio ON books (upload_date DESC, id DESC) WHERE published AND media IS NOT NULL;
CREATE INDEX books_with_video ON books (upload_date DESC, id DESC) WHERE published AND video IS NOT NULL;
CREATE INDEX books_free ON books (is_popular DESC, upload_date DESC, id DESC) WHERE published AND free AND NOT coming_soon;
CREATE INDEX books_by_author ON books (author_id, upload_date DESC, id DESC);
CREATE INDEX books_search ON books USING gin (search) WHERE published;
CREATE INDEX books_text_search ON books USING gin (text_search) WHERE published;

-- How many books are published: one row.
CREATE TABLE catalogue_totals (
    sole boolean PRIMARY KEY DEFAULT true CHECK (sole),
    books bigint NOT NULL DEFAULT 0
);
INSERT INTO catalogue_totals DEFAULT VALUES;

-- The distinct words of all texts, folded, by which misspelt ones are corrected. A word stays when its last text goes.
CREATE TABLE search_words (
    word text COLLATE "C" PRIMARY KEY,
    stem text COLLATE "C" NOT NULL
);
CREATE INDEX search_words_stem ON search_words (stem);
-- Of another collation than the column, so that nobody looks for equal words in it: it would find them, slowly.
CREATE INDEX search_words_trigrams ON search_words USING gist (word COLLATE "default" gist_trgm_ops);

CREATE TABLE book_categories (
    book_id bigint NOT NULL REFERENCES books ON DELETE CASCADE,
    category_id bigint NOT NULL REFERENCES categories ON DELETE CASCADE,
    place integer NOT NULL,
    PRIMARY KEY (book_id, category_id)
);
CREATE INDEX book_categories_category_id ON book_categories (category_id, book_id);

CREATE TABLE book_goals (
    book_id bigint NOT NULL REFERENCES books ON DELETE CASCADE,
    goal_id bigint NOT NULL REFERENCES goals ON DELETE CASCADE,
    PRIMARY KEY (book_id, goal_id)
);
CREATE INDEX book_goals_goal_id ON book_goals (goal_id, book_id);

CREATE TABLE book_tags (
    book_id bigint NOT NULL REFERENCES books ON DELETE CASCADE,
    tag_id bigint NOT NULL REFERENCES tags ON DELETE CASCADE,
    PRIMARY KEY (book_id, tag_id)
);
CREATE INDEX book_tags_tag_id ON book_tags (tag_id, book_id);

-- A book's sections as they are searched: plain text, in order.
CREATE TABLE book_sections (
    book_id bigint NOT NULL REFERENCES books ON DELETE CASCADE,
    place integer NOT NULL,
    title text NOT NULL,
    text text NOT NULL,
    -- How many bytes of the text the preview shows.
    previewed integer NOT NULL DEFAULT 0,
    -- Heading (A) and text (D).
    search tsvector NOT NULL DEFAULT '',
    PRIMARY KEY (book_id, place)
);
-- Ranking reads the vector of many sections, and the text of few.
ALTER TABLE book_sections ALTER COLUMN search SET STORAGE MAIN;
ALTER TABLE book_sections ALTER COLUMN text SET STORAGE EXTERNAL;

-- Collections gather categories.
CREATE TABLE collections (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    title text NOT NULL,
    subtitle text NOT NULL DEFAULT '',
    image text,
    upload_date timestamptz NOT NULL
);

CREATE TABLE collection_categories (
    collection_id bigint NOT NULL REFERENCES collections ON DELETE CASCADE,
    category_id bigint NOT NULL REFERENCES categories ON DELETE CASCADE,
    PRIMARY KEY (collection_id, category_id)
);
CREATE INDEX collection_categories_category_id ON collection_categories (category_id);

-- What readers do to a book, apart from the book: written often, and never by an editor.
CREATE TABLE book_stats (
    book_id bigint PRIMARY KEY REFERENCES books ON DELETE CASCADE,
    read_count bigint NOT NULL DEFAULT 0,
    ratings_count bigint NOT NULL DEFAULT 0,
    ratings_sum bigint NOT NULL DEFAULT 0,
    -- Opens of the last 14 days, decayed; made anew by the server from `book_opens`. `isPopular` breaks ties.
    trending double precision NOT NULL DEFAULT 0,
    -- The book's own mark and date (in days since 1970), repeated for the indexes.
    is_popular boolean NOT NULL DEFAULT false,
    uploaded_day integer NOT NULL DEFAULT 0,
    -- Rating (drawn to 3.5 while there are few), popularity and age in one number: what recommendations are ordered by.
    merit double precision NOT NULL GENERATED ALWAYS AS (
        (ratings_sum + 17.5::double precision) / (ratings_count + 5)
        + CASE WHEN is_popular THEN 0.25::double precision ELSE 0 END
        + 0.05::double precision * ln(1 + read_count::double precision)
        + 0.1::double precision * (uploaded_day / 365::double precision)
    ) STORED
);
CREATE INDEX book_stats_trending ON book_stats (trending DESC, is_popular DESC, book_id DESC);
CREATE INDEX book_stats_popular ON book_stats (is_popular DESC, trending DESC, book_id DESC);
CREATE INDEX book_stats_merit ON book_stats (merit DESC, book_id DESC);

CREATE TABLE book_opens (
    book_id bigint NOT NULL REFERENCES books ON DELETE CASCADE,
    day date NOT NULL,
    opens bigint NOT NULL,
    PRIMARY KEY (book_id, day)
);
CREATE INDEX book_opens_day ON book_opens (day);
