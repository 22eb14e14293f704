//! Rust sources: every file has a `//!` header, the server and workflows don't access storage directly, no docs have examples.
//!
//! Clippy's `disallowed_types` apply to the whole workspace: a crate with its own `clippy.toml` would lose the common settings.

use super::files::{SourceFile, has_word};
use super::packages::Packages;

/// The server: its processes, and the HTTP layer.
const SERVER: [&str; 2] = ["apps/server/src/", "crates/web/src/"];
/// Workflows that cross domains.
const WORKFLOWS: &str = "crates/workflows/src/";
/// How hand-written SQL statements begin.
const SQL: [&str; 6] = ["SELECT ", "INSERT INTO", "DELETE FROM", "UPDATE ", "CREATE TABLE", "sql_query"];

/// The breaches in `.rs` files.
pub(super) fn breaches(files: &[SourceFile], packages: &Packages) -> Vec<String> {
    let rust = || files.iter().filter(|file| has_extension(&file.path, "rs"));
    let folders: Vec<String> = packages
        .iter()
        .filter(|package| package.is_domain())
        .map(|package| format!("{}/src/", package.folder))
        .collect();
    let stores: Vec<&str> = rust()
        .filter(|file| folders.iter().any(|folder| file.path.starts_with(folder)))
        .flat_map(|file| store_traits(&file.text))
        .collect();

    let mut found = Vec::new();
    for file in rust() {
        if !file.text.trim_start_matches('\u{feff}').starts_with("//!") {
            found.push(format!("{}: begin with a `//!` line that says what the file is", file.path));
        }
        for (number, _) in file.text.lines().enumerate().filter(|(_, line)| opens_example(line)) {
            found.push(format!(
                "{}:{}: no example in documentation, nothing runs it: write a test",
                file.path,
                number + 1
            ));
        }
        let who = if SERVER.iter().any(|folder| file.path.starts_with(folder)) {
            "the server"
        } else if file.path.starts_with(WORKFLOWS) {
            "workflows"
        } else {
            continue;
        };
        for (number, line) in code_lines(&file.text) {
            let mut breach = |what: &str| found.push(format!("{}:{number}: no {what} in {who}", file.path));
            if let Some(store) = stores.iter().find(|store| has_word(line, store)) {
                breach(&format!("`{store}`: use the domain's queries, commands or service"));
            }
            if SQL.iter().any(|statement| line.contains(statement)) || has_word(line, "diesel") {
                breach("SQL: it lies in crates/postgres");
            }
        }
    }
    found
}

/// Whether a line of documentation begins a code block, which rustdoc would compile as Rust.
fn opens_example(line: &str) -> bool {
    let line = line.trim_start();
    ["///", "//!"].iter().any(|mark| line.strip_prefix(mark).is_some_and(|text| text.trim_start().starts_with("```")))
}

/// The names of the traits `…Store` that a file declares.
fn store_traits(text: &str) -> impl Iterator<Item = &str> {
    code_lines(text).filter_map(|(_, line)| {
        let rest = line.split("trait ").nth(1)?;
        let name = rest.split(|character: char| !character.is_alphanumeric()).next()?;
        name.ends_with("Store").then_some(name)
    })
}

/// The lines that are not comments, with their numbers.
fn code_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line))
        .filter(|(_, line)| !line.trim_start().starts_with("//"))
}

fn has_extension(path: &str, extension: &str) -> bool {
    std::path::Path::new(path).extension().is_some_and(|found| found == extension)
}

#[cfg(test)]
mod tests {
    use super::super::packages::fixture;
    use super::*;

    const STORE: &str = "//! Storage.\npub trait BookStore: Send {\n    fn book(&mut self);\n}\n";

    fn of(path: &str, text: &str) -> Vec<String> {
        let packages = fixture(&[("crates/catalogue", "catalogue", &[]), ("apps/server", "server", &[])]);
        breaches(&[SourceFile::new("crates/catalogue/src/store.rs", STORE), SourceFile::new(path, text)], &packages)
    }

    #[test]
    fn a_file_without_a_header_is_a_breach() {
        let found = of("crates/catalogue/src/lib.rs", "// Catalogue.\npub mod store;\n");
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains("`//!`"), "{found:?}");
        assert_eq!(of("crates/catalogue/src/lib.rs", "//! Catalogue.\n"), Vec::<String>::new());
    }

    #[test]
    fn an_example_in_documentation_is_a_breach() {
        let text = "//! Catalogue.\n/// Adds.\n///\n/// ```\nfn add() {}\n// ```\n";
        let found = of("crates/catalogue/src/lib.rs", text);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains("lib.rs:4: "), "{found:?}");
    }

    #[test]
    fn the_server_and_workflows_know_no_store() {
        for folder in SERVER.into_iter().chain([WORKFLOWS]) {
            let found = of(&format!("{folder}books.rs"), "//! Books.\nuse catalogue::BookStore;\n");
            assert_eq!(found.len(), 1, "{found:?}");
            assert!(found[0].contains("books.rs:2") && found[0].contains("BookStore"), "{found:?}");
        }
        // Neither a word that contains the name, nor a file in an allowed folder.
        assert_eq!(of("crates/web/src/billing/a.rs", "//! A.\nuse x::BookStores;\n"), Vec::<String>::new());
        assert_eq!(of("crates/postgres/src/a.rs", "//! A.\nuse catalogue::BookStore;\n"), Vec::<String>::new());
    }

    #[test]
    fn the_server_and_workflows_know_no_sql() {
        for line in ["let q = \"SELECT 1\";", "diesel::sql_query(q);", "let q = \"DELETE FROM books\";"] {
            for folder in SERVER.into_iter().chain([WORKFLOWS]) {
                let found = of(&format!("{folder}books.rs"), &format!("//! Books.\n{line}\n"));
                assert_eq!(found.len(), 1, "{found:?}");
                assert!(found[0].contains("SQL"), "{found:?}");
            }
        }
        assert_eq!(of("crates/web/src/billing/a.rs", "//! A.\n// SELECT a book.\n"), Vec::<String>::new());
    }

    #[test]
    fn traits_of_stores_are_found() {
        let text = "pub trait ProgressStore {\n}\npub trait Progress: ProgressStore {}\n// trait OldStore\n";
        assert_eq!(store_traits(text).collect::<Vec<_>>(), ["ProgressStore"]);
    }
}
