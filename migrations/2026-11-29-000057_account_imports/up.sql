-- The last archive that a member has imported into their account, or will.
CREATE TABLE account_imports (
    user_id bigint PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    state text NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed')),
    -- The zip, until the import has ended; null: what is kept is looked for in the catalogue again.
    archive bytea,
    is_retry boolean NOT NULL,
    requested_at timestamptz NOT NULL,
    ended_at timestamptz,
    -- Why it failed, for the member.
    failure text,
    -- How many entries of each kind were imported, kept and unreadable, when it was done.
    figures jsonb NOT NULL DEFAULT '[]',
    CHECK ((state IN ('done', 'failed')) = (ended_at IS NOT NULL)),
    CHECK ((state = 'failed') = (failure IS NOT NULL)),
    CHECK (archive IS NULL OR ended_at IS NULL)
);

-- Entries of imported archives whose book is not in the catalogue.
CREATE TABLE kept_import_entries (
    user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
    kind text NOT NULL,
    -- What makes the entry one of its kind, so that importing it twice keeps it once.
    key text COLLATE "C" NOT NULL,
    -- The book, as the archive names it.
    subid text,
    title text NOT NULL,
    author text NOT NULL,
    -- The entry as it stands in the archive: JSON.
    entry text NOT NULL,
    PRIMARY KEY (user_id, kind, key)
);
