-- What readers opened, read, saved and rated.

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

-- Where readers are, as several devices report it, late and in any order.
CREATE TABLE history (
    user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
    book_id bigint NOT NULL REFERENCES books ON DELETE CASCADE,
    -- The section, from 0.
    position integer NOT NULL CHECK (position >= 0),
    -- The paragraph at the top of the screen, from 0 in its section; null: the section's beginning.
    paragraph integer CHECK (paragraph BETWEEN 0 AND 9999),
    -- When the reader was at that section; null: no device has reported one (only a video was started, or audio played).
    place_at timestamptz DEFAULT now(),
    -- The browser that reported it: a random name that it gave itself.
    place_device text CHECK (place_device ~ '^[A-Za-z0-9_-]{1,64}$'),
    -- The furthest section ever reached, from 0.
    furthest integer NOT NULL DEFAULT 0 CHECK (furthest >= 0),
    -- Where the audio was, in milliseconds, and when.
    audio_ms bigint CHECK (audio_ms >= 0),
    audio_at timestamptz,
    -- The first completion.
    completed_at timestamptz,
    -- The entry was hidden then; reading later than that brings it back.
    hidden_at timestamptz,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, book_id),
    CHECK ((audio_ms IS NULL) = (audio_at IS NULL))
);
CREATE INDEX history_newest ON history (user_id, updated_at DESC, book_id DESC);
CREATE INDEX history_book_id ON history (book_id);

-- Which summaries were completed on which day of the reader's calendar. A request that comes twice counts once;
-- reading_days has their number.
CREATE TABLE completions (
    user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
    day date NOT NULL,
    book_id bigint NOT NULL REFERENCES books ON DELETE CASCADE,
    PRIMARY KEY (user_id, day, book_id)
);
CREATE INDEX completions_day ON completions (day);

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
