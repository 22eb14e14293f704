//! `cargo xtask texts`: lists every text that the product shows, in one file for editors to review.
//!
//! Texts come from three kinds of sources: the web app's TypeScript (`web`), Rust (`rust`), and templates and tables of texts
//! (`templates`). Texts for operators (logs, configuration, commands) and the demo content are left out. A literal is listed when
//! it looks like natural language. This includes a few identifiers, because completeness matters more than precision.

mod rust;
mod templates;
mod web;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use crate::checkout::Checkout;
use crate::frontend;
use crate::tidy::files;

/// Crates without texts for members, visitors or editors.
const SILENT: [&str; 12] = [
    "backup",
    "cache",
    "config",
    "durable-fs",
    "jobs",
    "kernel",
    "language-model",
    "postgres",
    "seed",
    "synthetic",
    "telemetry",
    "testing",
];

/// A text with its location.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Text {
    path: String,
    line: usize,
    text: String,
}

/// Writes `target/xtask/texts.md`.
pub(crate) fn command(checkout: &Checkout, rest: &[String]) -> Result<ExitCode> {
    if !rest.is_empty() {
        bail!("`texts` knows no `{}`", rest.join(" "));
    }
    frontend::install_packages(checkout)?;
    let mut texts = web::texts(checkout)?;
    for file in files::read_all(checkout.root())?.iter().filter(|file| is_source(&file.path)) {
        texts.extend(match kind(&file.path) {
            "rs" => rust::texts(&file.path, &file.text).with_context(|| format!("cannot read {}", file.path))?,
            _ => templates::texts(&file.path, &file.text),
        });
    }
    let target = frontend::made(checkout)?.join("texts.md");
    fs::write(&target, document(&texts)).with_context(|| format!("cannot write {}", target.display()))?;
    println!("wrote {} texts into {}", texts.len(), target.display());
    Ok(ExitCode::SUCCESS)
}

/// Whether a file may contain the server's texts; those of the web app are listed by a script of its own.
fn is_source(path: &str) -> bool {
    let Some((krate, place)) = path.strip_prefix("crates/").and_then(|path| path.split_once('/')) else { return false };
    if SILENT.contains(&krate) {
        return false;
    }
    let is_of_tests = |part: &str| part.contains("test") || part.contains("contract") || part.starts_with("memory");
    match kind(path) {
        "rs" => place.starts_with("src/") && !place.split(['/', '.']).any(is_of_tests),
        "html" | "typ" => place.starts_with("templates/"),
        "toml" => place.starts_with("product/"),
        _ => false,
    }
}

fn kind(path: &str) -> &str {
    Path::new(path).extension().and_then(|kind| kind.to_str()).unwrap_or_default()
}

/// The crate, or the folder of the web app, that a text belongs to.
fn area(path: &str) -> String {
    let parts: Vec<&str> = path.split('/').collect();
    match parts.as_slice() {
        ["frontend", _, folder @ ("features" | "shared"), name, ..] => format!("web app: {folder}/{name}"),
        ["frontend", _, folder, _, ..] => format!("web app: {folder}"),
        ["crates", "web", "src", folder, _, ..] => format!("server: web/{folder}"),
        ["crates", name, ..] => format!("server: {name}"),
        _ => "web app".to_owned(),
    }
}

/// The texts grouped by area and file, with their line numbers, as Markdown.
fn document(texts: &[Text]) -> String {
    let mut areas: BTreeMap<String, BTreeMap<&str, Vec<&Text>>> = BTreeMap::new();
    for text in texts {
        areas.entry(area(&text.path)).or_default().entry(&text.path).or_default().push(text);
    }
    let mut document = String::new();
    for (area, files) in areas {
        let _ = writeln!(document, "# {area}\n");
        for (path, mut texts) in files {
            texts.sort();
            for text in texts {
                let _ = writeln!(document, "{path}:{}: {}", text.line, text.text);
            }
            document.push('\n');
        }
    }
    document
}

/// Whether a text looks like natural language: several words, or one capitalized word. SQL, paths and class lists do not.
fn reads_as_text(text: &str) -> bool {
    const SQL: [&str; 6] = ["SELECT ", "INSERT ", "UPDATE ", "DELETE ", "WITH ", "LISTEN "];
    let text = text.trim();
    let is_markup = text.starts_with('<') && text.ends_with('>') || text.contains("__") || text.contains("--");
    if is_markup || SQL.iter().any(|verb| text.starts_with(verb)) {
        return false;
    }
    let words: Vec<&str> = text.split_whitespace().filter(|word| word.chars().any(char::is_alphabetic)).collect();
    match words.as_slice() {
        [] => false,
        [word] => {
            let word = word.trim_end_matches(['.', ',', ':', '!', '?', '…']);
            word.chars().next().is_some_and(char::is_uppercase)
                && word.chars().count() > 1
                && word
                    .chars()
                    .skip(1)
                    .all(|character| character.is_lowercase() || character == '-' || character == '’')
        }
        _ => true,
    }
}

/// A text on one line.
fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_texts_and_names_of_machines_are_not() {
        for text in ["Log in", "Saved.", "a year", "{name} was added.", "Follow-up"] {
            assert!(reads_as_text(text), "{text}");
        }
        for text in ["", "id", "Idempotency-Key", "SELECT 1 FROM users", "button button--primary", "/books/", "{} · {}"]
        {
            assert!(!reads_as_text(text), "{text}");
        }
    }

    #[test]
    fn tests_templates_of_other_kinds_and_silent_crates_are_left_out() {
        for path in
            ["crates/mail/src/letters.rs", "crates/web/templates/front.html", "crates/workflows/product/pages.toml"]
        {
            assert!(is_source(path), "{path}");
        }
        for path in [
            "crates/mail/src/tests.rs",
            "crates/billing/src/contract.rs",
            "crates/catalogue/src/memory/books.rs",
            "crates/postgres/src/db.rs",
            "crates/web/Cargo.toml",
            "apps/server/tests/it/smtp.rs",
        ] {
            assert!(!is_source(path), "{path}");
        }
    }

    #[test]
    fn the_document_has_each_text_with_its_place_below_its_area() {
        let text = |path: &str, line, text: &str| Text { path: path.to_owned(), line, text: text.to_owned() };
        let texts = [
            text("frontend/src/features/billing/Cart.tsx", 9, "Your cart"),
            text("crates/web/src/billing/errors.rs", 7, "Pay first."),
            text("crates/web/src/billing/errors.rs", 3, "Pay again."),
        ];
        assert_eq!(
            document(&texts),
            "# server: web/billing\n\ncrates/web/src/billing/errors.rs:3: Pay again.\ncrates/web/src/billing/errors.rs:7: Pay first.\n\n\
             # web app: features/billing\n\nfrontend/src/features/billing/Cart.tsx:9: Your cart\n\n"
        );
    }
}
