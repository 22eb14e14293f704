//! The product's name is configuration: no page, text of the app or mail may contain the default name.
//!
//! Clippy only reads Rust, but the name may also appear in a template, a text or a component.

use std::path::Path;

use super::files::{SourceFile, has_word};

/// The default of `SITE_NAME`, as a word: `PithError` and `pith-site` are other words.
const DEFAULT_NAME: &str = "Pith";
/// What members see: the web app, the server, and the crates they are built from.
const SHOWN: [&str; 3] = ["frontend/src/", "apps/server/", "crates/"];
/// Extensions of files that contain texts.
const KINDS: [&str; 6] = ["rs", "ts", "tsx", "css", "html", "txt"];
/// Files that may contain it: the default itself, and the title of the API description.
const ALLOWED: [&str; 2] = ["crates/config/src/lib.rs", "crates/web/src/lib.rs"];
/// Exceptions: the demo's texts, tests, and tools that are not part of the product.
const APART: [&str; 7] =
    ["/seed/", "/tests/", "/tests.rs", ".test.ts", "/examples/", "crates/synthetic/", "crates/testing/"];

/// The lines that contain the name.
pub(super) fn breaches(files: &[SourceFile]) -> Vec<String> {
    let mut found = Vec::new();
    for file in files.iter().filter(|file| is_shown(&file.path)) {
        for (index, line) in file.text.lines().take_while(|line| line.trim() != "#[cfg(test)]").enumerate() {
            if !line.trim_start().starts_with("//") && has_word(line, DEFAULT_NAME) {
                found.push(format!("{}:{}: take the product's name from `SITE_NAME`", file.path, index + 1));
            }
        }
    }
    found
}

fn is_shown(path: &str) -> bool {
    let kind = Path::new(path).extension().and_then(|kind| kind.to_str()).unwrap_or_default();
    SHOWN.iter().any(|folder| path.starts_with(folder))
        && KINDS.contains(&kind)
        && !ALLOWED.contains(&path)
        && !APART.iter().any(|part| path.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(path: &str, text: &str) -> Vec<String> {
        breaches(&[SourceFile::new(path, text)])
    }

    #[test]
    fn a_text_that_says_the_name_is_a_breach() {
        for (path, text) in [
            ("frontend/src/app/Footer.tsx", "<p>\nThank you for reading at Pith.</p>"),
            ("frontend/src/lib/useTitle.ts", "export {};\ndocument.title = `${title} · Pith`;"),
            ("crates/web/templates/front.html", "<p>\nPith puts the books that fit on your home page.</p>"),
            ("crates/mail/templates/letter.txt", "Hello\nfrom Pith"),
            ("crates/mail/src/letters.rs", "//! Letters.\nlet subject = \"Welcome to Pith\";"),
        ] {
            let found = of(path, text);
            assert_eq!(found.len(), 1, "{path}: {found:?}");
            assert!(found[0].starts_with(&format!("{path}:2: ")), "{found:?}");
        }
    }

    #[test]
    fn comments_tests_the_demo_and_the_default_may_say_it() {
        for (path, text) in [
            ("crates/config/src/lib.rs", "let site_name = \"Pith\";"),
            (
                "crates/mail/src/letters.rs",
                "//! Letters of Pith.\nstruct PithLetter;\n#[cfg(test)]\nconst S: &str = \"Pith\";",
            ),
            ("apps/server/seed/pages/about.html", "<p>Pith</p>"),
            ("apps/server/tests/it/smtp.rs", "\"Pith\""),
            ("frontend/src/app/app.test.tsx", "'Pith'"),
            ("frontend/src/lib/site.ts", "readBlock('pith-site')"),
            ("README.md", "# Pith"),
        ] {
            assert_eq!(of(path, text), Vec::<String>::new(), "{path}");
        }
    }
}
