-- The audit log, versions of what editors change, and the figures of the business.

-- Who changed what in the back office, and by operators' commands: append-only.
CREATE TABLE audit_entries (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at timestamptz NOT NULL,
    actor_kind text NOT NULL CHECK (actor_kind IN ('person', 'operator', 'system')),
    -- The person. No reference: the entry outlives the account, without its name.
    actor_id bigint,
    -- The operator's command, or the scheduled job.
    actor_name text,
    action text NOT NULL,
    subject_kind text NOT NULL,
    subject_id bigint,
    -- Null for people: their names are read from their accounts.
    subject_name text,
    -- A list of fields: field, from, to; the values of fields that name a person stand in audit_personal_changes.
    changes jsonb NOT NULL,
    address text,
    device text,
    CHECK ((actor_id IS NOT NULL) = (actor_kind = 'person')),
    CHECK ((actor_name IS NULL) = (actor_kind = 'person')),
    CHECK (subject_kind <> 'user' OR subject_name IS NULL)
);
CREATE INDEX audit_entries_actor_id ON audit_entries (actor_id, id) WHERE actor_id IS NOT NULL;
CREATE INDEX audit_entries_subject ON audit_entries (subject_kind, subject_id, id);
CREATE INDEX audit_entries_action ON audit_entries (action, id);
CREATE INDEX audit_entries_at ON audit_entries (at);

-- Values that name a person: they go with the account.
CREATE TABLE audit_personal_changes (
    entry_id bigint PRIMARY KEY REFERENCES audit_entries,
    user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
    changes jsonb NOT NULL
);
CREATE INDEX audit_personal_changes_user_id ON audit_personal_changes (user_id);

CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit log is append-only: % on % is refused', TG_OP, TG_TABLE_NAME;
END $$;
-- Personal values may go when, and only when, the account is gone.
CREATE FUNCTION refuse_audit_personal_delete() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM users WHERE id = OLD.user_id) THEN
        RAISE EXCEPTION 'the audit log is append-only: % on % is refused', TG_OP, TG_TABLE_NAME;
    END IF;
    RETURN OLD;
END $$;
CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR DELETE ON audit_entries
    FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_entries_no_truncate BEFORE TRUNCATE ON audit_entries
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_personal_changes_no_update BEFORE UPDATE ON audit_personal_changes
    FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_personal_changes_no_delete BEFORE DELETE ON audit_personal_changes
    FOR EACH ROW EXECUTE FUNCTION refuse_audit_personal_delete();
CREATE TRIGGER audit_personal_changes_no_truncate BEFORE TRUNCATE ON audit_personal_changes
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

-- The version of a row of the catalogue or the editorial part; a row without an entry has version 1.
CREATE TABLE row_versions (
    kind text NOT NULL,
    row_id bigint NOT NULL,
    version bigint NOT NULL CHECK (version > 0),
    changed_at timestamptz,
    -- Null: nobody, or a person whose account was deleted.
    changed_by bigint REFERENCES users ON DELETE SET NULL,
    PRIMARY KEY (kind, row_id)
);
CREATE INDEX row_versions_changed_by ON row_versions (changed_by) WHERE changed_by IS NOT NULL;

-- What a row said in each version.
CREATE TABLE row_revisions (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind text NOT NULL,
    row_id bigint NOT NULL,
    version bigint NOT NULL,
    saved_at timestamptz NOT NULL,
    saved_by bigint REFERENCES users ON DELETE SET NULL,
    content text NOT NULL
);
CREATE INDEX row_revisions_row ON row_revisions (kind, row_id, id);
CREATE INDEX row_revisions_saved_by ON row_revisions (saved_by) WHERE saved_by IS NOT NULL;

-- What people do on the site, with no personal data beyond the member's id.
CREATE TABLE events (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL,
    user_id bigint REFERENCES users ON DELETE SET NULL,
    at timestamptz NOT NULL
);
CREATE INDEX events_at ON events (at);
CREATE INDEX events_user_id ON events (user_id);

-- What the charts show: counted day by day by a scheduled job, so that a year is answered out of few rows.
CREATE TABLE daily_counts (
    -- Of the calendar of UTC.
    day date PRIMARY KEY,
    signups bigint NOT NULL,
    completions bigint NOT NULL,
    visits bigint NOT NULL,
    -- Subscriptions that were paid for the first time, and those that ended after they had been paid for.
    subscriptions bigint NOT NULL,
    ended bigint NOT NULL,
    -- At the end of the day.
    members bigint NOT NULL,
    paying bigint NOT NULL,
    trials bigint NOT NULL,
    mrr_cents bigint NOT NULL,
    revenue_cents bigint NOT NULL,
    refunds_cents bigint NOT NULL
);

CREATE TABLE daily_plan_revenue (
    day date NOT NULL,
    plan_id text NOT NULL,
    plan_name text NOT NULL,
    amount_cents bigint NOT NULL,
    PRIMARY KEY (day, plan_id)
);

CREATE TABLE daily_book_counts (
    day date NOT NULL,
    book_id bigint NOT NULL REFERENCES books ON DELETE CASCADE,
    opened bigint NOT NULL,
    completed bigint NOT NULL,
    PRIMARY KEY (day, book_id)
);
-- How often one book was opened in a range of days.
CREATE INDEX daily_book_counts_book_days ON daily_book_counts (book_id, day) INCLUDE (opened);

-- The daily counts of books, added up by month: a year of them is read as twelve rows of each book.
CREATE TABLE monthly_book_counts (
    -- Its first day.
    month date NOT NULL,
    book_id bigint NOT NULL REFERENCES books ON DELETE CASCADE,
    opened bigint NOT NULL,
    completed bigint NOT NULL,
    PRIMARY KEY (month, book_id)
);
CREATE INDEX monthly_book_counts_book_id ON monthly_book_counts (book_id);

-- Of those who joined in a month: how many paid for a subscription at the end of another.
CREATE TABLE monthly_cohorts (
    joined_month date NOT NULL,
    paid_month date NOT NULL,
    paid bigint NOT NULL,
    PRIMARY KEY (joined_month, paid_month)
);
