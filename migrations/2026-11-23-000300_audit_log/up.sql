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

-- An admin may suspend a person.
ALTER TABLE users ADD COLUMN suspended_at timestamptz, ADD COLUMN suspended_reason text,
    ADD CHECK ((suspended_at IS NULL) = (suspended_reason IS NULL));
CREATE INDEX users_created_at ON users (created_at DESC, id DESC);
