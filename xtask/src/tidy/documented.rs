//! Required documentation: public items of a module, trait methods, and variants of errors. Fields, other variants and methods
//! may go without, because a comment that only repeats the name is noise. (The compiler's `missing_docs` would require all of
//! them.)

use std::path::Path;

use syn::{Attribute, Item, ItemEnum, ItemMod, ItemTrait, TraitItem, Visibility};

use super::circles::is_for_tests;
use super::files::SourceFile;

/// Where the rule applies: the product's libraries.
const CHECKED: &str = "crates/";
/// Exceptions: test tools, and tables that are named like their columns.
const APART: [&str; 5] =
    ["crates/testing/", "crates/synthetic/", "/tests/", "/contract", "crates/postgres/src/schema.rs"];

/// The items that lack documentation.
pub(super) fn breaches(files: &[SourceFile]) -> Vec<String> {
    let mut found = Vec::new();
    for file in files.iter().filter(|file| is_checked(&file.path)) {
        // A file that can't be parsed is reported by the rule about import cycles.
        let Ok(tree) = file.tree() else { continue };
        let mut names = Vec::new();
        collect(&tree.items, &mut names);
        found.extend(names.into_iter().map(|name| format!("{}: say what `{name}` is", file.path)));
    }
    found
}

fn is_checked(path: &str) -> bool {
    path.starts_with(CHECKED)
        && path.contains("/src/")
        && Path::new(path).extension().is_some_and(|kind| kind == "rs")
        && !APART.iter().any(|part| path.contains(part))
}

/// Collects the names of items that need documentation and have none.
fn collect(items: &[Item], names: &mut Vec<String>) {
    for item in items {
        let (attributes, visibility, name) = match item {
            Item::Const(item) => (&item.attrs, &item.vis, item.ident.to_string()),
            Item::Enum(item) => {
                collect_variants(item, names);
                (&item.attrs, &item.vis, item.ident.to_string())
            }
            Item::Fn(item) => (&item.attrs, &item.vis, item.sig.ident.to_string()),
            Item::Mod(item) => {
                collect_module(item, names);
                continue;
            }
            Item::Static(item) => (&item.attrs, &item.vis, item.ident.to_string()),
            Item::Struct(item) => (&item.attrs, &item.vis, item.ident.to_string()),
            Item::Trait(item) => {
                collect_methods(item, names);
                (&item.attrs, &item.vis, item.ident.to_string())
            }
            Item::Type(item) => (&item.attrs, &item.vis, item.ident.to_string()),
            _ => continue,
        };
        if is_public(visibility) && !is_documented(attributes) {
            names.push(name);
        }
    }
}

fn collect_module(module: &ItemMod, names: &mut Vec<String>) {
    if let Some((_, items)) = module.content.as_ref().filter(|_| !module.attrs.iter().any(is_for_tests)) {
        collect(items, names);
    }
}

fn collect_variants(item: &ItemEnum, names: &mut Vec<String>) {
    if is_public(&item.vis) && item.ident.to_string().ends_with("Error") {
        let bare = item.variants.iter().filter(|variant| !is_documented(&variant.attrs));
        names.extend(bare.map(|variant| format!("{}::{}", item.ident, variant.ident)));
    }
}

fn collect_methods(item: &ItemTrait, names: &mut Vec<String>) {
    if !is_public(&item.vis) {
        return;
    }
    for method in &item.items {
        if let TraitItem::Fn(method) = method
            && !is_documented(&method.attrs)
        {
            names.push(format!("{}::{}", item.ident, method.sig.ident));
        }
    }
}

const fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

fn is_documented(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| attribute.path().is_ident("doc") || attribute.path().is_ident("error"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<String> {
        breaches(&[SourceFile::new("crates/billing/src/trial.rs", text)])
    }

    #[test]
    fn a_public_item_without_documentation_is_a_breach() {
        for (item, name) in [
            ("pub fn judge() {}", "judge"),
            ("pub struct Trial;", "Trial"),
            ("pub const DAYS: u32 = 3;", "DAYS"),
            ("/// Trials.\npub trait Trials { fn judge(&self); }", "Trials::judge"),
            ("/// Why not.\npub enum TrialError { Used }", "TrialError::Used"),
            ("/// Inner.\npub mod inner { pub type Days = u32; }", "Days"),
        ] {
            assert_eq!(of(item), [format!("crates/billing/src/trial.rs: say what `{name}` is")], "{item}");
            assert_eq!(breaches(&[SourceFile::new("crates/testing/src/stripe.rs", item)]), Vec::<String>::new());
            assert_eq!(breaches(&[SourceFile::new("crates/billing/tests/it/trial.rs", item)]), Vec::<String>::new());
        }
    }

    #[test]
    fn fields_variants_methods_and_what_is_not_public_may_go_without() {
        for item in [
            "/// A trial.\npub struct Trial { pub days: u32 }",
            "/// A state.\npub enum State { Trial, Over }",
            "/// Why not.\npub enum TrialError { #[error(\"It was used.\")] Used }",
            "fn judge() {}",
            "pub(crate) struct Trial;",
            "/// A trial.\npub struct Trial;\nimpl Trial { pub fn days(&self) -> u32 { 3 } }",
            "#[cfg(test)]\nmod tests { pub fn judge() {} }",
        ] {
            assert_eq!(of(item), Vec::<String>::new(), "{item}");
        }
    }
}
