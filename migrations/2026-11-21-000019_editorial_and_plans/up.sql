-- What the house itself writes, and what can be bought.

CREATE TABLE posts (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    slug text NOT NULL UNIQUE,
    title text NOT NULL,
    description text NOT NULL,
    text text NOT NULL,
    words integer NOT NULL,
    -- The categories' names and, at the same places, what they are called in addresses.
    categories text[] NOT NULL,
    category_slugs text[] NOT NULL,
    author text NOT NULL,
    -- The name in addresses of a book, which may be gone.
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
    -- The recording: its file, its length in milliseconds and in bytes, and of what script it was made.
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

CREATE TABLE plans (
    id text PRIMARY KEY,
    name text NOT NULL,
    kind text NOT NULL CHECK (kind IN ('monthly', 'yearly', 'lifetime', 'gift', 'bulk', 'once')),
    price_cents bigint NOT NULL CHECK (price_cents >= 0),
    place integer NOT NULL
);
INSERT INTO plans (id, name, kind, price_cents, place) VALUES
    ('monthly', 'Monthly', 'monthly', 999, 0),
    ('yearly', 'Yearly', 'yearly', 5999, 1),
    ('lifetime', 'Lifetime', 'lifetime', 14900, 2),
    ('gift', 'Gift', 'gift', 4499, 3),
    ('bulk', 'Teams', 'bulk', 2999, 4),
    ('infographics-20', '20 infographics', 'once', 1099, 5),
    ('infographics-50', '50 infographics', 'once', 2999, 6),
    ('quiz', 'Intelligence quiz', 'once', 299, 7),
    ('personality-quiz', 'Personality quiz', 'once', 299, 8),
    ('book', 'Book summary', 'once', 499, 9);
