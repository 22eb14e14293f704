DROP TABLE kept_import_entries;
DROP TABLE account_imports;
