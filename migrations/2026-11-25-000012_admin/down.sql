DROP TABLE monthly_cohorts, monthly_book_counts, daily_book_counts, daily_plan_revenue, daily_counts, events, row_revisions, row_versions,
    audit_personal_changes, audit_entries;
DROP FUNCTION refuse_audit_personal_delete();
DROP FUNCTION refuse_audit_change();
