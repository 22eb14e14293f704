//! The licenses of everything in a release, as one text.
//!
//! Texts are taken from the packages themselves, because most licenses ask for the copyright line that only they have. Equal texts
//! stand once.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::Result;

use super::components::Component;
use crate::checkout::Checkout;
use crate::tidy::files::walk;

/// How the name of a file with a license begins.
const NAMES: [&str; 7] = ["license", "licence", "copying", "copyright", "notice", "unlicense", "ofl"];
/// Extensions of such files. (`LICENSE.rs` is a program, `LICENSE-MIT` has none.)
const EXTENSIONS: [&str; 5] = ["", "txt", "md", "mit", "apache"];

/// Writes the text for these packages and for the fonts of the checkout.
pub(crate) fn text(checkout: &Checkout, components: &[Component]) -> Result<String> {
    let mut owners_by_text: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut without = Vec::new();
    let added = checkout.root().join("packaging/licenses");
    for component in components {
        let mut texts = texts_below(&component.folder)?;
        // What a package should have and has not.
        if let Ok(text) = fs::read_to_string(added.join(format!("{}.txt", component.name))) {
            texts.insert(text.trim().to_owned());
        }
        let name = format!("{} {}", component.name, component.version);
        if texts.is_empty() {
            let license = component.license.as_deref().unwrap_or("no license stated");
            without.push(format!("{name}: {license}. {}", component.authors.join(", ")));
        }
        for text in texts {
            owners_by_text.entry(text).or_default().insert(name.clone());
        }
    }
    for folder in ["crates", "apps"] {
        for text in texts_below(&checkout.root().join(folder))? {
            owners_by_text.entry(text).or_default().insert("fonts".to_owned());
        }
    }
    let mut by_owner: Vec<(&BTreeSet<String>, &String)> =
        owners_by_text.iter().map(|(text, owners)| (owners, text)).collect();
    by_owner.sort();

    let mut all = "The packages that this program contains, and their licenses. The source of each, also of those under the MPL, is in the public \
         registry of its kind (crates.io, npm) under its name and version.\n"
            .to_owned();
    for component in components {
        let license = component.license.as_deref().unwrap_or("see below");
        write!(all, "\n{} {}: {license}", component.name, component.version)?;
    }
    if !without.is_empty() {
        all.push_str("\n\nThese packages name their license and have no text of it:\n\n");
        all.push_str(&without.iter().map(|line| line.trim_end()).collect::<Vec<_>>().join("\n"));
    }
    for (owners, text) in by_owner {
        let owners: Vec<&str> = owners.iter().map(String::as_str).collect();
        write!(all, "\n\n{}\n{}\n\n{text}", "=".repeat(100), owners.join(", "))?;
    }
    all.push('\n');
    Ok(all)
}

/// The texts of the licenses in a folder, also of sources of others that lie in it.
fn texts_below(folder: &Path) -> Result<BTreeSet<String>> {
    let mut texts = BTreeSet::new();
    for file in walk(folder)? {
        if is_license(&file) {
            let text = String::from_utf8_lossy(&fs::read(&file)?).replace("\r\n", "\n");
            texts.insert(text.trim().to_owned());
        }
    }
    texts.remove("");
    Ok(texts)
}

fn is_license(file: &Path) -> bool {
    let lower = |part: Option<&OsStr>| part.and_then(OsStr::to_str).unwrap_or_default().to_lowercase();
    let (name, extension) = (lower(file.file_name()), lower(file.extension()));
    NAMES.iter().any(|begin| name.starts_with(begin)) && EXTENSIONS.contains(&extension.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_with_licenses_are_told_by_their_names() {
        for name in
            ["LICENSE", "LICENSE-MIT", "license-apache.txt", "COPYING", "UNLICENSE", "OFL-Inter.txt", "NOTICE.md"]
        {
            assert!(is_license(Path::new(name)), "{name}");
        }
        for name in ["license.rs", "README.md", "licenses.json", "my-license"] {
            assert!(!is_license(Path::new(name)), "{name}");
        }
    }
}
