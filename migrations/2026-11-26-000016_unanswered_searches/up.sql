-- How often a search without a result was made: its words and a day, and nothing of who searched.
CREATE TABLE unanswered_searches (
    -- Of the calendar of UTC.
    day date NOT NULL,
    -- Folded, separated by spaces.
    words text COLLATE "C" NOT NULL,
    count bigint NOT NULL CHECK (count > 0),
    PRIMARY KEY (day, words)
);
