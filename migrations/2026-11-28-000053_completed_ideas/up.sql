-- Key ideas that a member has read or heard to their end in a session. An idea is named by the heading of its section.
CREATE TABLE completed_ideas (
    user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
    book_id bigint NOT NULL,
    idea text NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (user_id, book_id, idea)
);
