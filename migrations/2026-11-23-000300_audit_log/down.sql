DROP INDEX users_created_at;
ALTER TABLE users DROP COLUMN suspended_at, DROP COLUMN suspended_reason;
DROP TABLE audit_personal_changes;
DROP TABLE audit_entries;
DROP FUNCTION refuse_audit_personal_delete();
DROP FUNCTION refuse_audit_change();
