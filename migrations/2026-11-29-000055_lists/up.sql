-- Lists of books that members keep. Ids are made by the member's devices, so they are unique within a member.
CREATE TABLE lists (
    user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
    id bigint NOT NULL CHECK (id BETWEEN 1 AND 9007199254740991),
    name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100),
    name_at timestamptz NOT NULL,
    note text NOT NULL CHECK (char_length(note) <= 2000),
    note_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL,
    -- The latest moment of any part of it.
    edited_at timestamptz NOT NULL,
    -- A change that is later than that brings it back.
    deleted_at timestamptz,
    is_shown boolean NOT NULL GENERATED ALWAYS AS (deleted_at IS NULL OR deleted_at < edited_at) STORED,
    sharing text NOT NULL CHECK (sharing IN ('private', 'link', 'public')),
    -- The last part of its URL; null: private.
    slug text COLLATE "C" CHECK (char_length(slug) BETWEEN 1 AND 120),
    -- Of one that was taken down: since when it had been shared.
    shared_at timestamptz,
    is_taken_down boolean NOT NULL DEFAULT false,
    version bigint NOT NULL,
    PRIMARY KEY (user_id, id),
    CHECK ((sharing = 'private') = (slug IS NULL))
);
CREATE UNIQUE INDEX lists_version ON lists (user_id, version);
CREATE UNIQUE INDEX lists_slug ON lists (slug);
-- What an operator looks through.
CREATE INDEX lists_listed ON lists (shared_at, user_id, id) WHERE is_shown AND (sharing = 'public' OR is_taken_down);

-- The books of lists, those that were taken off included.
CREATE TABLE list_books (
    user_id bigint NOT NULL,
    list_id bigint NOT NULL,
    -- Gets its reference in the next migration, so that each locks one table.
    book_id bigint NOT NULL,
    -- Null: it was taken off.
    rank text CHECK (char_length(rank) BETWEEN 1 AND 200),
    at timestamptz NOT NULL,
    PRIMARY KEY (user_id, list_id, book_id),
    FOREIGN KEY (user_id, list_id) REFERENCES lists ON DELETE CASCADE
);
CREATE INDEX list_books_book ON list_books (book_id);

-- Who follows which list of another member.
CREATE TABLE list_followers (
    user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
    owner_id bigint NOT NULL,
    list_id bigint NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (user_id, owner_id, list_id),
    FOREIGN KEY (owner_id, list_id) REFERENCES lists ON DELETE CASCADE,
    CHECK (user_id <> owner_id)
);
CREATE INDEX list_followers_list ON list_followers (owner_id, list_id);

-- Lists that their owners have given to the members who have their seats.
CREATE TABLE team_lists (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id bigint NOT NULL,
    list_id bigint NOT NULL,
    UNIQUE (user_id, list_id),
    FOREIGN KEY (user_id, list_id) REFERENCES lists ON DELETE CASCADE
);

-- Members who have agreed that the team sees what they have finished of a list.
CREATE TABLE team_list_agreements (
    team_list_id bigint NOT NULL REFERENCES team_lists ON DELETE CASCADE,
    user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
    at timestamptz NOT NULL,
    PRIMARY KEY (team_list_id, user_id)
);
CREATE INDEX team_list_agreements_user ON team_list_agreements (user_id);
