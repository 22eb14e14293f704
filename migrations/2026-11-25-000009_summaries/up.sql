-- Summaries that members have made of pages, files and texts of their own.
CREATE TABLE member_summaries (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
    -- A request that is repeated with its key is the same summary.
    request_key text,
    title text NOT NULL,
    source_kind text NOT NULL CHECK (source_kind IN ('link', 'file', 'text')),
    source_name text NOT NULL,
    source_url text,
    state text NOT NULL CHECK (state IN ('queued', 'fetching', 'reading', 'summarising', 'done', 'failed')),
    -- The bytes of the file or text, until they were read.
    document bytea,
    engine text CHECK (engine IN ('built-in', 'model')),
    fell_back boolean NOT NULL DEFAULT false,
    language text,
    language_name text,
    words integer,
    idea_count integer,
    source_text text,
    -- [[start, end], …] in bytes of the text.
    headings jsonb,
    ideas jsonb,
    -- In lower case, for the member's search.
    search_title text NOT NULL,
    search_source text NOT NULL,
    search_ideas text NOT NULL DEFAULT '',
    failure_code text,
    failure_text text,
    created_at timestamptz NOT NULL,
    done_at timestamptz,
    CHECK (document IS NULL OR state NOT IN ('done', 'failed'))
);
CREATE INDEX member_summaries_user ON member_summaries (user_id, id DESC);
CREATE UNIQUE INDEX member_summaries_key ON member_summaries (user_id, request_key);
CREATE INDEX member_summaries_unfinished ON member_summaries (user_id) WHERE state NOT IN ('done', 'failed');
