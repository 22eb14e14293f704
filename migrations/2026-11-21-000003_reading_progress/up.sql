-- Who may read, what they read, and what they made of it.

-- Who is paid until when.
CREATE TABLE entitlements (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
    plan_id text NOT NULL,
    plan_name text NOT NULL,
    starts_at timestamptz NOT NULL,
    -- Null: for life.
    ends_at timestamptz,
    CHECK (ends_at IS NULL OR ends_at > starts_at)
);
CREATE INDEX entitlements_user_id ON entitlements (user_id);

-- Which full texts a reader has opened, and by what right.
CREATE TABLE opened_books (
    user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
    book_id bigint NOT NULL REFERENCES books ON DELETE CASCADE,
    -- 'free': the book is free; 'plan': lapses with the plan; 'allowance': one of the first summaries;
    -- 'monthly': the summary of a month.
    granted_by text NOT NULL CHECK (granted_by IN ('free', 'plan', 'allowance', 'monthly')),
    opened_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, book_id)
);
-- What a reader has taken of the allowance is counted at every open, among a plan's thousands of books or not.
CREATE INDEX opened_books_allowance ON opened_books (user_id) WHERE granted_by IN ('allowance', 'monthly');

CREATE TABLE history (
    user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
    book_id bigint NOT NULL REFERENCES books ON DELETE CASCADE,
    -- The section, from 0.
    position integer NOT NULL CHECK (position >= 0),
    -- The first completion.
    completed_at timestamptz,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, book_id)
);
CREATE INDEX history_newest ON history (user_id, updated_at DESC, book_id DESC);

-- The days, in the reader's time zone, on which at least one summary was completed.
CREATE TABLE reading_days (
    user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
    day date NOT NULL,
    completions integer NOT NULL CHECK (completions > 0),
    PRIMARY KEY (user_id, day)
);

CREATE TABLE library (
    user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
    book_id bigint NOT NULL REFERENCES books ON DELETE CASCADE,
    added_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, book_id)
);
CREATE INDEX library_newest ON library (user_id, added_at DESC, book_id DESC);

CREATE TABLE ratings (
    user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
    book_id bigint NOT NULL REFERENCES books ON DELETE CASCADE,
    rating smallint NOT NULL CHECK (rating BETWEEN 1 AND 5),
    feedback text NOT NULL DEFAULT '' CHECK (char_length(feedback) <= 500),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, book_id)
);

-- The categories that a reader has chosen.
CREATE TABLE recommends (
    user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
    category_id bigint NOT NULL REFERENCES categories ON DELETE CASCADE,
    PRIMARY KEY (user_id, category_id)
);
