-- What members learn by heart: questions with their answers. Ids are made by the member's devices, so they are unique within a member.
CREATE TABLE review_cards (
    user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
    id bigint NOT NULL CHECK (id BETWEEN 1 AND 9007199254740991),
    kind text NOT NULL CHECK (kind IN ('idea', 'highlight', 'own')),
    -- Null: an own card about nothing in particular, or the source was deleted. These columns get their references in later
    -- migrations, each of which locks one table.
    book_id bigint,
    summary_id bigint,
    highlight_id bigint,
    -- As they were when the card was stored first.
    source_title text NOT NULL,
    source_author text NOT NULL,
    -- Of an idea: by what it is found in the text of its book.
    section integer CHECK (section >= 0),
    idea_title text NOT NULL,
    idea_opening text NOT NULL,
    -- What was found in the present text; null where it is gone.
    found_section integer CHECK (found_section >= 0),
    found_title text,
    found_answer text,
    question text NOT NULL CHECK (char_length(question) <= 500),
    answer text NOT NULL CHECK (char_length(answer) <= 2000),
    -- The hidden words of a highlight: starts and ends in characters, in turn.
    blanks integer[] NOT NULL,
    content_at timestamptz NOT NULL,
    is_paused boolean NOT NULL,
    paused_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL,
    -- The latest moment of any part of it.
    edited_at timestamptz NOT NULL,
    -- A change that is later than that brings it back.
    deleted_at timestamptz,
    is_shown boolean NOT NULL GENERATED ALWAYS AS (deleted_at IS NULL OR deleted_at < edited_at) STORED,
    -- The schedule, which follows from the answers. Days are those of the member's calendar.
    first_day date NOT NULL,
    due_day date NOT NULL,
    last_day date,
    stability real,
    difficulty real,
    answers integer NOT NULL CHECK (answers >= 0),
    lapses integer NOT NULL CHECK (lapses >= 0),
    version bigint NOT NULL,
    PRIMARY KEY (user_id, id),
    CHECK (num_nonnulls(book_id, summary_id) <= 1),
    CHECK ((kind = 'idea') = (section IS NOT NULL)),
    CHECK ((kind = 'highlight') = (highlight_id IS NOT NULL)),
    CHECK (num_nonnulls(found_section, found_title, found_answer) IN (0, 3)),
    CHECK ((stability IS NULL) = (difficulty IS NULL))
);
CREATE UNIQUE INDEX review_cards_version ON review_cards (user_id, version);
CREATE INDEX review_cards_book ON review_cards (book_id, user_id) WHERE book_id IS NOT NULL;
CREATE INDEX review_cards_summary ON review_cards (summary_id) WHERE summary_id IS NOT NULL;
CREATE INDEX review_cards_highlight ON review_cards (user_id, highlight_id) WHERE highlight_id IS NOT NULL;

CREATE TABLE card_answers (
    user_id bigint NOT NULL,
    id bigint NOT NULL CHECK (id BETWEEN 1 AND 9007199254740991),
    card_id bigint NOT NULL,
    rating smallint NOT NULL CHECK (rating BETWEEN 1 AND 4),
    at timestamptz NOT NULL,
    -- Of the member's calendar, when the answer was stored first.
    day date NOT NULL,
    PRIMARY KEY (user_id, id),
    FOREIGN KEY (user_id, card_id) REFERENCES review_cards ON DELETE CASCADE
);
CREATE INDEX card_answers_card ON card_answers (user_id, card_id, at, id);
CREATE INDEX card_answers_day ON card_answers (user_id, day);
