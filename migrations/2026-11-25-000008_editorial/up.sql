-- Blog, podcast, the insight of the day, the site's pages and its frame.

CREATE TABLE posts (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    slug text NOT NULL UNIQUE,
    title text NOT NULL,
    description text NOT NULL,
    text text NOT NULL,
    words integer NOT NULL,
    -- The categories' names and, at the same places, their slugs.
    categories text[] NOT NULL,
    category_slugs text[] NOT NULL,
    author text NOT NULL,
    -- The subid of a book, which may be gone.
    book text,
    photo text,
    published_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CHECK (cardinality(categories) = cardinality(category_slugs))
);
CREATE INDEX posts_published_at ON posts (published_at DESC, id DESC);
CREATE INDEX posts_category_slugs ON posts USING gin (category_slugs);

CREATE TABLE podcasts (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    slug text NOT NULL UNIQUE,
    title text NOT NULL,
    author text NOT NULL,
    author_desc text NOT NULL,
    description text NOT NULL,
    script text NOT NULL,
    words integer NOT NULL,
    image text,
    published_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    -- The recording: its file, its length in milliseconds and in bytes, and the hash of the script that it speaks.
    media text,
    media_ms bigint,
    media_bytes bigint,
    media_text_hash text,
    CHECK ((media IS NULL) = (media_ms IS NULL) AND (media IS NULL) = (media_bytes IS NULL))
);
CREATE INDEX podcasts_published_at ON podcasts (published_at DESC, id DESC);

CREATE TABLE insights (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    title text NOT NULL UNIQUE,
    insight text NOT NULL,
    book text,
    quoted boolean NOT NULL,
    created_at timestamptz NOT NULL
);

CREATE TABLE site_pages (
    slug text PRIMARY KEY,
    title text NOT NULL,
    description text NOT NULL,
    text text NOT NULL,
    revised_at timestamptz NOT NULL
);

-- Content of the site's frame.
CREATE TABLE site_content (
    name text PRIMARY KEY,
    value jsonb NOT NULL
);
