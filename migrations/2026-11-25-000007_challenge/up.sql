-- The ten-day challenge, the quizzes, and what people choose when they get started.

-- A member's goals, in the order in which they were chosen.
CREATE TABLE chosen_goals (
    user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
    goal_id bigint NOT NULL REFERENCES goals ON DELETE CASCADE,
    place smallint NOT NULL,
    PRIMARY KEY (user_id, goal_id)
);
CREATE INDEX chosen_goals_goal_id ON chosen_goals (goal_id);

CREATE TABLE ten_day_plans (
    user_id bigint PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    -- The goals for which it was drawn up; one that was deleted since is passed over.
    goals bigint[] NOT NULL,
    saved_at timestamptz NOT NULL
);

CREATE TABLE ten_day_books (
    user_id bigint NOT NULL REFERENCES ten_day_plans ON DELETE CASCADE,
    day smallint NOT NULL CHECK (day BETWEEN 1 AND 10),
    book_id bigint NOT NULL REFERENCES books ON DELETE CASCADE,
    PRIMARY KEY (user_id, day),
    UNIQUE (user_id, book_id)
);
CREATE INDEX ten_day_books_book_id ON ten_day_books (book_id);

-- Who wants one mail a day about the plan. A row stays when the mails end: it says on which day the latest one went out.
CREATE TABLE daily_mails (
    user_id bigint PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    -- In the member's own time zone; null: no mails are wanted.
    hour smallint CHECK (hour BETWEEN 0 AND 23),
    requested_at timestamptz NOT NULL,
    last_sent_on date,
    due_at timestamptz CHECK (due_at IS NULL OR hour IS NOT NULL)
);
CREATE INDEX daily_mails_due ON daily_mails (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE quiz_questions (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- What a True counts for; it also says which quiz the statement belongs to.
    dimension text NOT NULL CHECK (dimension IN (
        'Linguistic', 'Logical-Mathematical', 'Spatial', 'Musical', 'Bodily-Kinesthetic', 'Interpersonal', 'Intrapersonal',
        'Naturalistic', 'Existential', 'Red', 'Yellow', 'Green', 'Blue'
    )),
    statement text NOT NULL CHECK (statement <> ''),
    place integer NOT NULL
);

CREATE TABLE quiz_results (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
    kind text NOT NULL CHECK (kind IN ('intelligence', 'personality')),
    -- The totals: of each dimension how often True was answered, out of how many statements.
    dimensions text[] NOT NULL,
    counts smallint[] NOT NULL CHECK (cardinality(counts) = cardinality(dimensions)),
    questions smallint[] NOT NULL CHECK (cardinality(questions) = cardinality(dimensions)),
    taken_at timestamptz NOT NULL
);
CREATE INDEX quiz_results_user_id ON quiz_results (user_id, kind, id);

-- Two statements of a type stand apart, so that one does not remind of the other.
INSERT INTO quiz_questions (dimension, statement, place) VALUES
    ('Linguistic', 'I often know that a sentence is wrong before I can say why.', 1),
    ('Spatial', 'I can turn an object around in my head and say how it looks from behind.', 2),
    ('Interpersonal', 'I notice that the mood in a room has changed before anyone speaks of it.', 3),
    ('Logical-Mathematical', 'When I hear a surprising figure, I work out whether it can be true.', 4),
    ('Musical', 'I recognise people I know by the rhythm of their steps.', 5),
    ('Naturalistic', 'I can name most of the trees or birds on my way to work.', 6),
    ('Intrapersonal', 'I can usually say what I feel, and what set it off.', 7),
    ('Bodily-Kinesthetic', 'I understand how a thing works best by taking it apart.', 8),
    ('Existential', 'I often ask myself what a day like this one was good for.', 9),
    ('Linguistic', 'I reread a message before I send it, to find the better word.', 10),
    ('Musical', 'A tune that I have heard once can stay with me all day, with its harmony.', 11),
    ('Logical-Mathematical', 'I enjoy a problem more the longer it resists me, as long as it has a solution.', 12),
    ('Interpersonal', 'Friends ask me to explain what somebody else may have meant.', 13),
    ('Spatial', 'In a strange city I seldom lose my sense of direction.', 14),
    ('Bodily-Kinesthetic', 'When I think hard about something, I have to move.', 15),
    ('Intrapersonal', 'I know quite precisely in what I am likely to fail.', 16),
    ('Naturalistic', 'I notice what has changed in a garden since last week.', 17),
    ('Existential', 'A starry night makes my worries look different.', 18),
    ('Red', 'I would rather decide too early than too late.', 1),
    ('Green', 'I listen to the end, even when I know what is coming.', 2),
    ('Yellow', 'I tell others of an idea before I have thought it through.', 3),
    ('Blue', 'I read the instructions before I begin.', 4),
    ('Green', 'I put my own plans off when somebody needs me.', 5),
    ('Red', 'I say what I think, also when it makes the conversation difficult.', 6),
    ('Blue', 'A small mistake in a good piece of work bothers me.', 7),
    ('Yellow', 'I easily start a conversation with a person I do not know.', 8),
    ('Red', 'When a group does not get on, I take the lead without being asked.', 9),
    ('Green', 'I dislike it when a plan is changed without a need.', 10),
    ('Yellow', 'I would rather begin something new than finish something old.', 11),
    ('Blue', 'I trust a figure only when I know where it comes from.', 12),
    ('Red', 'Losing a game annoys me, even when nothing is at stake.', 13),
    ('Yellow', 'People say that I am good at raising their spirits.', 14),
    ('Green', 'I remember what others have told me of their worries.', 15);
