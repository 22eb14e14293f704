//! The specification: every rule of `docs/spec` is defined once and cited by code or a test, and every cited id exists.
//!
//! The ids are specific to this project, so no existing tool checks them.

use std::collections::{BTreeMap, BTreeSet};

use super::features::FEATURES;
use super::files::SourceFile;

/// The folder of the pages, one per feature.
const FOLDER: &str = "docs/spec/";
/// Pages that apply to all features: the wire format, and all pages of the site.
const COMMON: [&str; 2] = ["api", "site"];
/// Where citations count: code and tests.
const CITING: [&str; 6] = ["apps/", "crates/", "frontend/src/", "frontend/e2e/", "migrations/", "xtask/"];
/// Generated files; their sources are checked instead.
const GENERATED: [&str; 1] = ["frontend/src/api/schema.gen.ts"];
/// Ignored, because this file's tests name rules that don't exist.
const OWN: &str = "xtask/src/tidy/spec.rs";

/// The breaches in the specification and in its citations.
pub(super) fn breaches(files: &[SourceFile]) -> Vec<String> {
    let mut found = Vec::new();
    let mut defined: BTreeMap<&str, String> = BTreeMap::new();
    for page in pages() {
        let path = format!("{FOLDER}{page}.md");
        let Some(file) = files.iter().find(|file| file.path == path) else {
            found.push(format!("{path}: this page is missing"));
            continue;
        };
        for (index, line) in file.text.lines().enumerate() {
            let Some(id) = definition(line) else { continue };
            let place = format!("{path}:{}", index + 1);
            if citations(id).next() != Some(id) || !id.starts_with(&format!("{page}.")) {
                found.push(format!("{place}: `{id}` is no id: `{page}.`, then two words or more with hyphens between"));
            } else if let Some(first) = defined.insert(id, place.clone()) {
                found.push(format!("{place}: `{id}` is defined in {first} already"));
            }
        }
    }

    let mut cited = BTreeSet::new();
    for file in files.iter().filter(|file| file.path != OWN) {
        let counts = CITING.iter().any(|folder| file.path.starts_with(folder)) && !GENERATED.contains(&&*file.path);
        for (index, line) in file.text.lines().enumerate() {
            for id in citations(line) {
                if !defined.contains_key(id) {
                    found.push(format!("{}:{}: docs/spec has no rule `{id}`", file.path, index + 1));
                } else if counts {
                    cited.insert(id.to_owned());
                }
            }
        }
    }
    for (id, place) in &defined {
        if !cited.contains(*id) {
            found.push(format!("{place}: neither code nor a test cites `{id}`"));
        }
    }
    found
}

fn pages() -> impl Iterator<Item = &'static str> {
    FEATURES.into_iter().chain(COMMON)
}

/// The id that a line of a page defines: `- **billing.trial-length**: …`.
fn definition(line: &str) -> Option<&str> {
    Some(line.strip_prefix("- **")?.split_once("**: ")?.0)
}

/// The ids in a line: a page's name, a dot, and lower-case words joined by hyphens. File names and URLs are not ids.
fn citations(line: &str) -> impl Iterator<Item = &str> {
    let joins = |character: char| character.is_ascii_alphanumeric() || "-_./@".contains(character);
    pages().flat_map(move |page| {
        line.match_indices(page).filter_map(move |(start, _)| {
            let rule = line[start + page.len()..].strip_prefix('.')?;
            let length = rule
                .find(|character: char| {
                    !(character.is_ascii_lowercase() || character.is_ascii_digit() || character == '-')
                })
                .unwrap_or(rule.len());
            let (words, after) = rule.split_at(length);
            let is_whole = !line[..start].ends_with(joins)
                && !after.starts_with(|character: char| character.is_ascii_alphanumeric() || "_/@".contains(character))
                && !after
                    .strip_prefix('.')
                    .is_some_and(|rest| rest.starts_with(|next: char| next.is_ascii_alphanumeric()));
            let is_hyphenated = words.contains('-') && words.split('-').all(|word| !word.is_empty());
            (is_whole && is_hyphenated).then(|| &line[start..start + page.len() + 1 + length])
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pages without rules, except billing's.
    fn specification(billing: &str) -> Vec<SourceFile> {
        pages()
            .map(|page| {
                let text = if page == "billing" { billing } else { "# Page\n" };
                SourceFile::new(&format!("{FOLDER}{page}.md"), text)
            })
            .collect()
    }

    fn of(billing: &str, others: &[(&str, &str)]) -> Vec<String> {
        let mut files = specification(billing);
        files.extend(others.iter().map(|(path, text)| SourceFile::new(path, text)));
        breaches(&files)
    }

    const RULE: &str = "# Billing\n\n- **billing.trial-length**: A trial lasts three days.\n";

    #[test]
    fn a_rule_that_code_or_a_test_cites_holds() {
        for (path, text) in [
            ("crates/billing/src/trial.rs", "/// How long a trial lasts (`billing.trial-length`)."),
            ("apps/server/tests/it/checkout.rs", "// billing.trial-length"),
            ("frontend/src/features/billing/trial.ts", "/** Three days (billing.trial-length). */"),
        ] {
            assert_eq!(of(RULE, &[(path, text)]), Vec::<String>::new(), "{path}");
        }
    }

    #[test]
    fn a_rule_that_nothing_cites_is_a_breach() {
        let expected = ["docs/spec/billing.md:3: neither code nor a test cites `billing.trial-length`"];
        assert_eq!(of(RULE, &[]), expected);
        assert_eq!(of(RULE, &[("docs/API.md", "See billing.trial-length.")]), expected);
        assert_eq!(of(RULE, &[("frontend/src/api/schema.gen.ts", "/** billing.trial-length */")]), expected);
        assert_eq!(of(RULE, &[("crates/billing/src/a.rs", "// billing.trial-length-of-a-gift")])[1..], expected);
    }

    #[test]
    fn a_citation_of_no_rule_is_a_breach() {
        let found = of("# Billing\n", &[("crates/billing/src/trial.rs", "//! Trials.\n/// (`billing.trial-end`)")]);
        assert_eq!(found, ["crates/billing/src/trial.rs:2: docs/spec has no rule `billing.trial-end`"]);
    }

    #[test]
    fn an_id_is_defined_once_in_its_own_page_and_has_two_words() {
        let cite = ("crates/a.rs", "// billing.trial-length");
        let twice = of(&format!("{RULE}- **billing.trial-length**: Again.\n"), &[cite]);
        assert!(twice[0].contains("is defined in docs/spec/billing.md:3 already"), "{twice:?}");
        for bad in ["billing.trial", "identity.trial-length", "billing.Trial-Length", "billing.trial--length"] {
            let found = of(&format!("{RULE}- **{bad}**: Bad.\n"), &[cite]);
            assert!(found.iter().any(|line| line.contains("is no id")), "{bad}: {found:?}");
        }
    }

    #[test]
    fn a_feature_without_a_page_is_a_breach() {
        let files: Vec<_> = specification("").into_iter().filter(|page| page.path != "docs/spec/support.md").collect();
        assert_eq!(breaches(&files), ["docs/spec/support.md: this page is missing"]);
    }

    #[test]
    fn ids_are_told_from_file_names_and_addresses() {
        let of = |line| citations(line).collect::<Vec<_>>();
        assert_eq!(of("a (billing.trial-length), b `site.mail-queue`."), ["billing.trial-length", "site.mail-queue"]);
        assert_eq!(of("The end: reading-progress.day-streak."), ["reading-progress.day-streak"]);
        for line in [
            "e2e/admin.user-edit.ts",
            "support.two-words@example.com",
            "my-site.some-thing",
            "crates/billing.trial-length",
            "billing.trial_length",
            "billing.trial.length",
        ] {
            assert_eq!(of(line), Vec::<&str>::new(), "{line}");
        }
    }
}
