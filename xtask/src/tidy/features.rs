//! The twelve features: each has a crate for its rules, and a folder or file of the same name in every layer. In `web`, a feature
//! may only use the wire types of other features.
//!
//! No existing tool knows this project's folder structure.

use std::collections::BTreeSet;

use syn::ItemUse;
use syn::visit::Visit;

use super::circles::imports_of;
use super::files::SourceFile;
use super::packages::Packages;

/// The features. The same name is used in each layer: coupons, for example, are in `billing` everywhere.
pub(super) const FEATURES: [&str; 12] = [
    "admin",
    "billing",
    "catalogue",
    "challenge",
    "delivery",
    "editorial",
    "identity",
    "reading-progress",
    "referral",
    "study",
    "summaries",
    "support",
];
/// The HTTP layer.
const WEB: &str = "crates/web/src/";
/// The layers in which each feature has a folder or, while that is enough, one file. With the additional folders of each layer,
/// for what all features share and for the site as a whole.
const LAYERS: [(&str, &[&str]); 6] = [
    ("apps/server/tests/it/", &["data", "harness", "snapshots"]),
    ("crates/postgres/src/", &[]),
    ("crates/postgres/tests/it/", &[]),
    ("crates/workflows/src/", &[]),
    (WEB, &["extract", "http", "middleware", "site", "tests"]),
    ("frontend/src/features/", &["site"]),
];
/// The browser tests have a folder for each feature that needs a browser.
const BROWSER_TESTS: (&str, &[&str]) = ("frontend/e2e/", &["harness"]);
/// The feature-independent part of HTTP: it may not use features or parts of a process.
const HTTP: &str = "crates/web/src/http/";
/// The parts of `web` that build on `http`.
const ABOVE_HTTP: [&str; 7] = ["app", "cached_responses", "editing", "extract", "middleware", "pages", "site_policy"];

/// Files outside of their feature's folder, and imports that reach into another feature.
pub(super) fn breaches(files: &[SourceFile], packages: &Packages) -> Vec<String> {
    let mut found = Vec::new();
    for feature in FEATURES {
        if !packages.iter().any(|package| package.folder == format!("crates/{feature}")) {
            found.push(format!("crates/{feature}: the feature has no crate"));
        }
        for (layer, _) in LAYERS {
            let place = format!("{layer}{}", name_in(layer, feature));
            let is_there = |file: &SourceFile| {
                file.path.strip_prefix(&place).is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
            };
            if !files.iter().any(is_there) {
                found.push(format!("{place}: the feature has no place here"));
            }
        }
    }
    let modules = FEATURES.map(|feature| name_in(WEB, feature));
    let mut strange = BTreeSet::new();
    for file in files {
        let mut layers = LAYERS.into_iter().chain([BROWSER_TESTS]);
        let layer = layers.find_map(|(layer, besides)| Some((layer, besides, file.path.strip_prefix(layer)?)));
        let Some((layer, besides, place)) = layer else { continue };
        let folder = place.split_once('/').map(|(folder, _)| folder);
        let is_known = |folder: &str| {
            besides.contains(&folder) || FEATURES.iter().any(|feature| name_in(layer, feature) == folder)
        };
        if let Some(folder) = folder.filter(|folder| !is_known(folder)) {
            strange.insert(format!("{layer}{folder}"));
        }
        if layer != WEB {
            continue;
        }
        let own = modules.iter().find(|module| Some(module.as_str()) == folder);
        for path in imports(file) {
            let Some(first) = path.first() else { continue };
            let is_feature = modules.contains(first);
            if file.path.starts_with(HTTP) && (is_feature || ABOVE_HTTP.contains(&first.as_str())) {
                found.push(format!("{}: `http` knows no feature and no part of a process: {first}", file.path));
            }
            let is_wire_type = path.iter().any(|part| part == "types" || part.ends_with("_types"));
            if own.is_some_and(|own| is_feature && first != own) && !is_wire_type {
                found.push(format!("{}: a feature takes wire types only from another: {}", file.path, path.join("::")));
            }
        }
    }
    found.extend(strange.iter().map(|folder| format!("{folder}: no feature has this name")));
    found
}

/// A feature's name in a layer: Rust modules have underscores instead of dashes.
fn name_in(layer: &str, feature: &str) -> String {
    if layer.starts_with("frontend/") { feature.to_owned() } else { feature.replace('-', "_") }
}

/// The paths that a file imports from its own crate, without `crate`.
fn imports(file: &SourceFile) -> Vec<Vec<String>> {
    let mut imports = Imports::default();
    if let Ok(tree) = file.tree() {
        imports.visit_file(tree);
    }
    imports.0
}

#[derive(Default)]
struct Imports(Vec<Vec<String>>);

impl<'ast> Visit<'ast> for Imports {
    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        for (_, path) in imports_of(&item.tree, &[]) {
            if let Some(("crate", rest)) = path.split_first().map(|(first, rest)| (first.as_str(), rest)) {
                self.0.push(rest.to_vec());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::packages::fixture;
    use super::*;

    /// The breaches in an otherwise correct checkout with one additional file.
    fn with(path: &str, text: &str) -> Vec<String> {
        let folders = FEATURES.map(|feature| format!("crates/{feature}"));
        let packages: Vec<(&str, &str, &[&str])> =
            folders.iter().zip(FEATURES).map(|(folder, feature)| (folder.as_str(), feature, [].as_slice())).collect();
        let in_layer = |(layer, _)| FEATURES.map(|feature| format!("{layer}{}/a.rs", name_in(layer, feature)));
        let places = LAYERS.into_iter().flat_map(in_layer);
        let mut files: Vec<SourceFile> =
            places.map(|place| SourceFile::new(&place, "//! Part of a feature.")).collect();
        files.push(SourceFile::new(path, text));
        breaches(&files, &fixture(&packages))
    }

    #[test]
    fn wire_types_of_another_feature_and_what_all_stand_on_may_be_used() {
        let text =
            "use crate::{app::App, catalogue::types::book::{self, Book}, billing::prices, http::error::ApiError};";
        assert_eq!(with("crates/web/src/billing/a.rs", text), Vec::<String>::new());
        assert_eq!(with("crates/web/src/http/a.rs", "use crate::http::error::ApiError;"), Vec::<String>::new());
    }

    #[test]
    fn handlers_of_another_feature_may_not() {
        let found = with("crates/web/src/billing/a.rs", "use crate::{app::App, identity::login::login};");
        assert_eq!(
            found,
            ["crates/web/src/billing/a.rs: a feature takes wire types only from another: identity::login::login"]
        );
    }

    #[test]
    fn http_knows_neither_features_nor_the_process() {
        for text in ["use crate::billing::types::Price;", "use crate::app::App;"] {
            let found = with("crates/web/src/http/a.rs", text);
            assert!(matches!(found.as_slice(), [one] if one.contains("`http` knows no feature")), "{found:?}");
        }
    }

    #[test]
    fn a_folder_of_another_name_and_a_feature_without_one_are_named() {
        for (layer, besides) in LAYERS.into_iter().chain([BROWSER_TESTS]) {
            for folder in besides {
                assert_eq!(with(&format!("{layer}{folder}/a.rs"), "//! Shared."), Vec::<String>::new());
            }
            let found = with(&format!("{layer}money/a.rs"), "//! Money.");
            assert_eq!(found, [format!("{layer}money: no feature has this name")]);
        }
        let found = breaches(&[], &fixture(&[]));
        assert_eq!(found.len(), (1 + LAYERS.len()) * FEATURES.len(), "{found:?}");
    }
}
