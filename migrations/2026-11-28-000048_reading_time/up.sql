-- What members have chosen about their daily goal; without a row there is no goal, and the time is counted.
CREATE TABLE reading_goals (
    user_id bigint PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    -- Null: no goal.
    unit text CHECK (unit IN ('minutes', 'summaries')),
    amount smallint CHECK (amount > 0),
    counts_time boolean NOT NULL,
    CHECK ((unit IS NULL) = (amount IS NULL)),
    CHECK (counts_time OR unit IS DISTINCT FROM 'minutes')
);

-- How long members read and listened on a day of their calendar. Each device counts for itself, so that late and repeated reports add
-- nothing.
CREATE TABLE reading_time (
    user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
    day date NOT NULL,
    device text NOT NULL,
    seconds integer NOT NULL CHECK (seconds BETWEEN 1 AND 86400),
    PRIMARY KEY (user_id, day, device)
);
