//! Manifests: lints and versions are inherited from the workspace, so that each is defined once; no library has doc tests.
//!
//! cargo-deny (`workspace-dependencies`) rejects a version that two crates specify, but not a single crate's own version.

use toml::{Table, Value};

use super::files::SourceFile;
use super::packages::Packages;

const KINDS: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];

/// What the members' manifests define themselves but should inherit.
pub(super) fn breaches(files: &[SourceFile], packages: &Packages) -> Vec<String> {
    let mut found = Vec::new();
    for package in packages.iter() {
        let path = format!("{}/Cargo.toml", package.folder);
        match files.iter().find(|file| file.path == path).map(|file| file.text.parse::<Table>()) {
            Some(Ok(manifest)) => {
                found.extend(in_manifest(&manifest).into_iter().map(|what| format!("{path}: {what}")));
                let library = format!("{}/src/lib.rs", package.folder);
                if files.iter().any(|file| file.path == library) && !has_no_doctests(&manifest) {
                    found.push(format!(
                        "{path}: say `[lib] doctest = false`; rustdoc would compile each library for no example"
                    ));
                }
            }
            Some(Err(error)) => found.push(format!("{path}: cannot be read: {error}")),
            None => found.push(format!("{path}: cannot be found")),
        }
    }
    found
}

fn in_manifest(manifest: &Table) -> Vec<String> {
    let mut found = Vec::new();
    if !manifest.get("lints").is_some_and(inherits) {
        found.push("say `[lints] workspace = true`".to_owned());
    }
    let mut places = vec![manifest];
    if let Some(targets) = manifest.get("target").and_then(Value::as_table) {
        places.extend(targets.values().filter_map(Value::as_table));
    }
    for (place, kind) in places.iter().flat_map(|place| KINDS.map(|kind| (place, kind))) {
        let dependencies = place.get(kind).and_then(Value::as_table).into_iter().flatten();
        for (name, _) in dependencies.filter(|(_, dependency)| !inherits(dependency)) {
            found.push(format!("say `{name}.workspace = true`; versions and features stand in the root manifest"));
        }
    }
    found
}

fn has_no_doctests(manifest: &Table) -> bool {
    manifest.get("lib").and_then(|library| library.get("doctest")).and_then(Value::as_bool) == Some(false)
}

fn inherits(value: &Value) -> bool {
    value.get("workspace").and_then(Value::as_bool) == Some(true)
}

#[cfg(test)]
mod tests {
    use super::super::packages::fixture;
    use super::*;

    fn of(text: &str) -> Vec<String> {
        breaches(&[SourceFile::new("crates/kernel/Cargo.toml", text)], &fixture(&[("crates/kernel", "kernel", &[])]))
    }

    #[test]
    fn what_inherits_is_tidy() {
        let text = "[lints]\nworkspace = true\n[dependencies]\nserde.workspace = true\nx = { workspace = true, optional = true }";
        assert_eq!(of(text), Vec::<String>::new());
    }

    #[test]
    fn a_library_with_documentation_tests_is_a_breach() {
        let library = SourceFile::new("crates/kernel/src/lib.rs", "//! Kernel.\n");
        let of = |text: &str| {
            let manifest = SourceFile::new("crates/kernel/Cargo.toml", text);
            breaches(&[manifest, library.clone()], &fixture(&[("crates/kernel", "kernel", &[])]))
        };
        assert_eq!(of("[lib]\ndoctest = false\n[lints]\nworkspace = true"), Vec::<String>::new());
        for text in ["[lints]\nworkspace = true", "[lib]\nname = \"kernel\"\n[lints]\nworkspace = true"] {
            let found = of(text);
            assert_eq!(found.len(), 1, "{found:?}");
            assert!(found[0].contains("doctest = false"), "{found:?}");
        }
    }

    #[test]
    fn lints_of_ones_own_are_a_breach() {
        for text in ["", "[lints.clippy]\nall = \"allow\"", "[lints]\nworkspace = false"] {
            let found = of(text);
            assert!(found[0].contains("[lints] workspace = true"), "{found:?}");
        }
    }

    #[test]
    fn versions_of_ones_own_are_a_breach() {
        for text in [
            "[dependencies]\nserde = \"1\"",
            "[dev-dependencies]\nserde = { version = \"1\" }",
            "[build-dependencies.serde]\nversion = \"1\"",
            "[target.'cfg(unix)'.dependencies]\nserde = \"1\"",
        ] {
            let found = of(&format!("{text}\n[lints]\nworkspace = true"));
            assert_eq!(found.len(), 1, "{found:?}");
            assert!(found[0].contains("serde.workspace = true"), "{found:?}");
        }
    }

    #[test]
    fn a_manifest_that_cannot_be_read_is_a_breach() {
        assert!(of("[dependencies")[0].contains("cannot be read"));
    }
}
