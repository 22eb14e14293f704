//! `schema.rs`, which is kept by hand, against the database that the migrations make.

use std::collections::BTreeMap;

use diesel::{QueryableByName, RunQueryDsl, sql_query, sql_types::Text};
use testing::TestDatabase;

/// Tables by their names: columns by theirs, with Diesel's types.
type Tables = BTreeMap<String, BTreeMap<String, String>>;

/// Tables of which only statements written as text know; Diesel's own notes of its migrations.
const WITHOUT_DIESEL: [&str; 13] = [
    "__diesel_schema_migrations",
    "backups",
    "daily_book_counts",
    "daily_counts",
    "daily_plan_revenue",
    "ledger_sums",
    "monthly_book_counts",
    "monthly_cohorts",
    "nodes",
    "payment_cohorts",
    "row_revisions",
    "row_versions",
    "site_settings",
];

/// What `table!` says in a source.
fn declared(source: &str) -> Tables {
    let mut tables = Tables::new();
    let mut current = None;
    for line in source.lines().map(str::trim) {
        if let Some((name, type_name)) = line.strip_suffix(',').and_then(|line| line.split_once(" -> ")) {
            let columns: &mut BTreeMap<_, _> =
                current.as_ref().and_then(|table| tables.get_mut(table)).expect("a column stands in a table");
            columns.insert(name.to_owned(), type_name.to_owned());
        } else if let Some((name, _)) = line.strip_suffix(") {").and_then(|line| line.split_once(" (")) {
            tables.insert(name.to_owned(), BTreeMap::new());
            current = Some(name.to_owned());
        }
    }
    tables
}

/// What the database has, with the columns that an insert may leave out.
fn migrated(database: &TestDatabase) -> (Tables, Vec<(String, String)>) {
    #[derive(QueryableByName)]
    struct Column {
        #[diesel(sql_type = Text)]
        table_name: String,
        #[diesel(sql_type = Text)]
        column_name: String,
        #[diesel(sql_type = Text)]
        type_name: String,
        #[diesel(sql_type = diesel::sql_types::Bool)]
        is_optional: bool,
        #[diesel(sql_type = diesel::sql_types::Bool)]
        has_default: bool,
    }
    let columns: Vec<Column> = sql_query(
        "SELECT table_name::text, column_name::text, udt_name::text AS type_name, is_nullable = 'YES' AS is_optional, \
         is_nullable = 'YES' OR column_default IS NOT NULL OR is_identity = 'YES' OR is_generated = 'ALWAYS' AS has_default \
         FROM information_schema.columns WHERE table_schema = current_schema()",
    )
    .load(&mut database.connect())
    .expect("the columns are listed");
    let (mut tables, mut left_out) = (Tables::new(), Vec::new());
    for column in columns {
        let name = diesel_type(&column.type_name);
        let type_name = if column.is_optional { format!("Nullable<{name}>") } else { name };
        if column.has_default {
            left_out.push((column.table_name.clone(), column.column_name.clone()));
        }
        tables.entry(column.table_name).or_default().insert(column.column_name, type_name);
    }
    (tables, left_out)
}

/// Diesel's name of a type of Postgres: `int8` is `Int8`, `_text` is `Array<Text>`.
fn diesel_type(name: &str) -> String {
    if let Some(element) = name.strip_prefix('_') {
        return format!("Array<{}>", diesel_type(element));
    }
    name[..1].to_uppercase() + &name[1..]
}

#[test]
fn schema_rs_says_of_each_table_what_the_migrated_database_has() {
    let declared = declared(include_str!("../../src/schema.rs"));
    let (migrated, left_out) = migrated(&TestDatabase::new());
    assert!(declared.len() > 50, "{} tables were read", declared.len());

    let names = |tables: &Tables| tables.keys().cloned().collect::<Vec<_>>();
    let mut expected = names(&declared);
    expected.extend(WITHOUT_DIESEL.map(str::to_owned));
    expected.sort();
    assert_eq!(names(&migrated), expected);

    for (table, columns) in &declared {
        for (column, type_name) in columns {
            assert_eq!(migrated[table].get(column), Some(type_name), "{table}.{column}");
        }
        for column in migrated[table].keys().filter(|column| !columns.contains_key(*column)) {
            let key = (table.clone(), column.clone());
            assert!(left_out.contains(&key), "{table}.{column} is not declared, and an insert needs it");
        }
    }
}

#[test]
fn operating_says_of_no_table_that_is_not_there_how_it_grows() {
    let guide = include_str!("../../../../docs/OPERATING.md");
    let section = guide.split_once("## What grows").expect("a section").1;
    let section = section.split("\n## ").next().unwrap_or_default();
    let rows = section.lines().filter_map(|line| line.strip_prefix("| `")?.split('|').next());
    let named: Vec<&str> = rows.flat_map(|cell| cell.split(", ").map(|name| name.trim().trim_matches('`'))).collect();
    assert!(named.len() > 20, "{named:?}");
    let (tables, _) = migrated(&TestDatabase::new());
    for table in named {
        assert!(tables.contains_key(table), "there is no table {table}");
    }
}
