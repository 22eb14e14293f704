-- The rights of the role that `serve` and `worker` run as, on every table that the current user owns. Run by the owner after the
-- migrations, each time, in one transaction: other connections see the rights of before or those of after. The role's name is the
-- setting `pith.application_role`.
DO $rights$
DECLARE
    application CONSTANT text := current_setting('pith.application_role');
    place CONSTANT text := current_schema();
    -- Rows that are added and never changed. The ledger is corrected by further entries. An account that is deleted leaves its
    -- entries: personal values go by the foreign key of `audit_personal_changes`, which acts with the owner's rights.
    append_only CONSTANT text[] := ARRAY['ledger_transactions', 'ledger_entries', 'audit_entries', 'audit_personal_changes'];
    relation record;
    allowed text;
    is_schema_owner boolean;
    is_database_owner boolean;
BEGIN
    SELECT pg_has_role(nspowner, 'USAGE') INTO is_schema_owner FROM pg_namespace WHERE nspname = place;
    SELECT pg_has_role(datdba, 'USAGE') INTO is_database_owner FROM pg_database WHERE datname = current_database();

    IF is_database_owner THEN
        EXECUTE format('REVOKE ALL ON DATABASE %I FROM %I', current_database(), application);
        -- A temporary table stands before a table of the same name.
        EXECUTE format('REVOKE CREATE, TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
        EXECUTE format('GRANT CONNECT ON DATABASE %I TO %I', current_database(), application);
    END IF;
    IF is_schema_owner THEN
        EXECUTE format('REVOKE ALL ON SCHEMA %I FROM %I', place, application);
        EXECUTE format('REVOKE CREATE ON SCHEMA %I FROM PUBLIC', place);
        EXECUTE format('GRANT USAGE ON SCHEMA %I TO %I', place, application);
    END IF;

    FOR relation IN
        SELECT c.relname AS name, c.relkind AS kind FROM pg_class c
        WHERE c.relnamespace = place::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'S') AND pg_has_role(c.relowner, 'USAGE')
            -- Not what an extension brought.
            AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
        ORDER BY c.relname
    LOOP
        IF relation.kind = 'S' THEN
            EXECUTE format('REVOKE ALL ON SEQUENCE %I.%I FROM %I', place, relation.name, application);
            -- A backup reads where a counter stands.
            EXECUTE format('GRANT USAGE, SELECT ON SEQUENCE %I.%I TO %I', place, relation.name, application);
            CONTINUE;
        END IF;
        -- Neither TRUNCATE nor TRIGGER nor REFERENCES, on any table.
        allowed := CASE
            WHEN relation.name = ANY (append_only) THEN 'SELECT, INSERT'
            WHEN relation.name = '__diesel_schema_migrations' OR relation.kind IN ('v', 'm') THEN 'SELECT'
            ELSE 'SELECT, INSERT, UPDATE, DELETE'
        END;
        -- Of columns too.
        EXECUTE format('REVOKE ALL ON %I.%I FROM %I', place, relation.name, application);
        EXECUTE format('REVOKE ALL ON %I.%I FROM PUBLIC', place, relation.name);
        EXECUTE format('GRANT %s ON %I.%I TO %I', allowed, place, relation.name, application);
    END LOOP;

    -- It acts with the owner's rights, and nobody else may call it.
    EXECUTE format('GRANT EXECUTE ON FUNCTION %I.tidy_catalogue() TO %I', place, application);

    -- A table that a later migration makes, until this has run again.
    EXECUTE format('ALTER DEFAULT PRIVILEGES IN SCHEMA %I GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO %I', place, application);
    EXECUTE format('ALTER DEFAULT PRIVILEGES IN SCHEMA %I GRANT USAGE, SELECT ON SEQUENCES TO %I', place, application);

    -- Whoever inserts into the ledger runs it: it reads the ledger's own tables, whatever their search path is.
    EXECUTE format('ALTER FUNCTION %I.check_ledger_balance() SET search_path = %I, pg_temp', place, place);
END $rights$;
