-- Books with their sections, recordings and key ideas, and everything by which they are found.

CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

CREATE TABLE authors (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    slug text NOT NULL UNIQUE,
    name text NOT NULL,
    -- Names and titles are folded (no case, no accents) by the server, and compared byte by byte, so that no locale matters.
    -- An author's begins with the family name.
    name_key text COLLATE "C" NOT NULL,
    -- As the author stands in a directory, where the last word of the name does not come first: 'Du Bois, W. E. B.'.
    sort_name text,
    description text NOT NULL DEFAULT '',
    -- How many books can be read.
    book_count bigint NOT NULL DEFAULT 0
);
CREATE INDEX authors_directory ON authors (name_key, id) WHERE book_count > 0;
-- Editors list all authors by their names, also those without a book that can be read.
CREATE INDEX authors_names ON authors (name_key, id);
-- What is typed is compared with names by their parts of three letters.
CREATE INDEX authors_trigrams ON authors USING gin (name_key gin_trgm_ops);

CREATE TABLE categories (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    subid text NOT NULL UNIQUE,
    name text NOT NULL,
    -- The OKLCH hue, in degrees, that the category owns.
    hue smallint NOT NULL CHECK (hue BETWEEN 0 AND 359),
    small_image text,
    place integer NOT NULL,
    -- How many books can be read: counting them at each page would cost more than the page.
    book_count bigint NOT NULL DEFAULT 0
);

CREATE TABLE goals (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    slug text NOT NULL UNIQUE,
    title text NOT NULL,
    short_title text NOT NULL,
    mobile_title text NOT NULL,
    description text NOT NULL DEFAULT '',
    place integer NOT NULL,
    -- Keys in the object store: the small and the large picture.
    photo text,
    feature_photo text
);

CREATE TABLE tags (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    slug text NOT NULL UNIQUE,
    name text NOT NULL
);
CREATE INDEX tags_trigrams ON tags USING gin (slug gin_trgm_ops);
-- Byte by byte, whatever the order of the database's language is.
CREATE INDEX tags_beginnings ON tags (slug COLLATE "C");

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
    -- Names of the author, categories, goals and tags as JSON, so that a list is read from one table. Written at every
    -- save of this book or of what is named. Text, because the database never looks into it.
    shown text NOT NULL DEFAULT '{}',
    -- A list of {text, chapter}.
    quotes jsonb NOT NULL DEFAULT '[]',
    -- Keys in the object store: cover, audio, video; a drawing of the editors', an uploaded infographic, an episode about the book.
    image text,
    media text,
    video text,
    vector text,
    infographic text,
    podcast text,
    year integer,
    words integer NOT NULL DEFAULT 0,
    -- How many key ideas are illustrated.
    visuals smallint NOT NULL DEFAULT 0,
    free boolean NOT NULL DEFAULT false,
    is_popular boolean NOT NULL DEFAULT false,
    coming_soon boolean NOT NULL DEFAULT false,
    published boolean NOT NULL DEFAULT true,
    -- When a book that is not published, or is coming soon, can be read.
    publish_at timestamptz,
    upload_date timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    -- Title (A), author (B), tags, categories and headings (C).
    search tsvector NOT NULL DEFAULT '',
    -- All words of title, author, tags, categories and body, without positions: only to be looked up in its index.
    text_search tsvector NOT NULL DEFAULT ''
);
-- Bodies are read whole and compressed by the server: unpacking them once more would only cost time.
ALTER TABLE books ALTER COLUMN body SET STORAGE EXTERNAL;
CREATE INDEX books_by_title ON books (title_key, id) WHERE published;
CREATE INDEX books_by_date ON books (upload_date DESC, id DESC) WHERE published;
CREATE INDEX books_with_audio ON books (upload_date DESC, id DESC) WHERE published AND media IS NOT NULL;
CREATE INDEX books_with_video ON books (upload_date DESC, id DESC) WHERE published AND video IS NOT NULL;
CREATE INDEX books_free ON books (is_popular DESC, upload_date DESC, id DESC) WHERE published AND free AND NOT coming_soon;
CREATE INDEX books_by_author ON books (author_id, upload_date DESC, id DESC);
CREATE INDEX books_publish_at ON books (publish_at) WHERE publish_at IS NOT NULL;
-- By parts of the catalogue: a search reads the latest part first and stops when it has enough (`catalogue/search.rs`). A saved book
-- goes into these indexes at once (5 ms more for a save): otherwise Postgres writes it on a list that every search reads through, until
-- a save some hundred books later has to sort in all of them.
CREATE INDEX books_search ON books USING gin ((id / 16384), search) WITH (fastupdate = off) WHERE published;
CREATE INDEX books_text_search ON books USING gin ((id / 8192), text_search) WITH (fastupdate = off) WHERE published;

-- How many books can be read, and how many of them are illustrated: one row.
CREATE TABLE catalogue_totals (
    sole boolean PRIMARY KEY DEFAULT true CHECK (sole),
    books bigint NOT NULL DEFAULT 0,
    illustrated bigint NOT NULL DEFAULT 0
);
INSERT INTO catalogue_totals DEFAULT VALUES;

-- The distinct words of all texts, folded, by which misspelt ones are corrected. A word stays when its last text goes.
CREATE TABLE search_words (
    word text COLLATE "C" PRIMARY KEY,
    stem text COLLATE "C" NOT NULL
);
CREATE INDEX search_words_stem ON search_words (stem);
-- Of another collation than the column, so that it is not used to look up equal words: it would find them, slowly.
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
    -- The book's own date, so that the books of a tag can be walked in their order.
    upload_date timestamptz,
    PRIMARY KEY (book_id, tag_id)
);
CREATE INDEX book_tags_tag_id ON book_tags (tag_id, book_id);
CREATE INDEX book_tags_by_date ON book_tags (tag_id, upload_date DESC, book_id DESC);

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

-- Collections gather categories, or books of the editors' choice.
CREATE TABLE collections (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    title text NOT NULL,
    -- The title as it is compared, written whenever a collection is saved.
    title_key text COLLATE "C" NOT NULL DEFAULT '',
    subtitle text NOT NULL DEFAULT '',
    image text,
    upload_date timestamptz NOT NULL
);
CREATE INDEX collections_by_date ON collections (upload_date DESC, id DESC);
CREATE INDEX collections_titles ON collections (title_key, id);
CREATE INDEX collections_trigrams ON collections USING gin (title_key gin_trgm_ops);

-- In the editors' order.
CREATE TABLE collection_categories (
    collection_id bigint NOT NULL REFERENCES collections ON DELETE CASCADE,
    category_id bigint NOT NULL REFERENCES categories ON DELETE CASCADE,
    place integer NOT NULL DEFAULT 0,
    PRIMARY KEY (collection_id, category_id)
);
CREATE INDEX collection_categories_category_id ON collection_categories (category_id);

-- The books that editors chose for a collection, in their order. One without any holds the books of its categories.
CREATE TABLE collection_books (
    collection_id bigint NOT NULL REFERENCES collections ON DELETE CASCADE,
    book_id bigint NOT NULL REFERENCES books ON DELETE CASCADE,
    place integer NOT NULL,
    PRIMARY KEY (collection_id, book_id)
);
CREATE INDEX collection_books_book_id ON collection_books (book_id);

-- What readers do to a book, apart from the book: written often, and never by an editor.
CREATE TABLE book_stats (
    book_id bigint PRIMARY KEY REFERENCES books ON DELETE CASCADE,
    read_count bigint NOT NULL DEFAULT 0,
    ratings_count bigint NOT NULL DEFAULT 0,
    ratings_sum bigint NOT NULL DEFAULT 0,
    -- Opens of the last 14 days, decayed; computed by the server from `book_opens`. `isPopular` breaks ties.
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

-- Illustrated key ideas of books.
CREATE TABLE visuals (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    book_id bigint NOT NULL REFERENCES books ON DELETE CASCADE,
    -- Among the book's, from 0.
    place smallint NOT NULL,
    title text NOT NULL,
    body text NOT NULL,
    -- The picture's key in the object store; null until it has one.
    image text,
    -- What the infographic shows of it, as the crate `artwork` draws it: a motif as JSON and its ground. Null where only an uploaded
    -- picture is known.
    motif text,
    ground text,
    UNIQUE (book_id, place),
    CONSTRAINT visuals_drawing CHECK ((motif IS NULL) = (ground IS NULL))
);

-- The pictures that are made of all of a book's key ideas.
CREATE TABLE visual_sets (
    book_id bigint PRIMARY KEY REFERENCES books ON DELETE CASCADE,
    -- Keys in the object store: what lists show, the infographic, and its thumbnail.
    image text NOT NULL,
    infographic text,
    infographic_thumb text,
    saved_at timestamptz NOT NULL
);

-- From when until when each infographic could be had: what an add-on of infographics entitles to follows from this alone, so that
-- what was once bought stays bought, whatever is drawn again, withdrawn or published again.
CREATE TABLE infographic_periods (
    book_id bigint NOT NULL REFERENCES books ON DELETE CASCADE,
    shown_from timestamptz NOT NULL,
    shown_until timestamptz CHECK (shown_until >= shown_from),
    PRIMARY KEY (book_id, shown_from)
);
CREATE UNIQUE INDEX infographic_periods_open ON infographic_periods (book_id) WHERE shown_until IS NULL;

-- Recordings that the product makes of a book: its text read aloud, and a short film.
CREATE TABLE narrations (
    book_id bigint PRIMARY KEY REFERENCES books ON DELETE CASCADE,
    -- The audio's key in the object store. The row describes the book's audio as long as it is this one: an editor may have put
    -- another recording in its place.
    media text NOT NULL,
    duration_ms bigint NOT NULL CHECK (duration_ms >= 0),
    -- When each heading and paragraph begins: a list of [section, paragraph or null, milliseconds].
    marks jsonb NOT NULL,
    -- Of the text that was read. The marks count as long as the book has it.
    text_hash text NOT NULL,
    -- The voice, such as `us-slt-hts`.
    voice text NOT NULL,
    made_at timestamptz NOT NULL
);

CREATE TABLE films (
    book_id bigint PRIMARY KEY REFERENCES books ON DELETE CASCADE,
    -- Keys in the object store: the video, a picture to show before it, its captions.
    media text NOT NULL,
    poster text NOT NULL,
    captions text NOT NULL,
    duration_ms bigint NOT NULL CHECK (duration_ms >= 0),
    text_hash text NOT NULL,
    made_at timestamptz NOT NULL
);

-- Who wants a mail when a summary that is coming soon can be read.
CREATE TABLE publication_notices (
    user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
    book_id bigint NOT NULL REFERENCES books ON DELETE CASCADE,
    requested_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, book_id)
);
CREATE INDEX publication_notices_book_id ON publication_notices (book_id, requested_at);

-- What only the owner of a table may do, for the role that loads books: it acts with the owner's rights, and does this alone.
CREATE FUNCTION tidy_catalogue() RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    ANALYZE books, book_categories, book_sections, book_stats, book_tags, search_words;
    PERFORM gin_clean_pending_list('books_search'), gin_clean_pending_list('books_text_search');
END $$;
-- Its names mean these tables, whichever role calls it.
DO $$ BEGIN EXECUTE format('ALTER FUNCTION tidy_catalogue() SET search_path = %I, pg_temp', current_schema()); END $$;
REVOKE EXECUTE ON FUNCTION tidy_catalogue() FROM PUBLIC;
