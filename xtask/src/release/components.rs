//! The third-party packages that a release contains: crates of the binary, and npm packages of the web app.
//!
//! `cargo tree` resolves the features of one package exactly, which `cargo metadata` does not. `cargo-about` and
//! `cargo-cyclonedx` do the same for crates, but have to be compiled, and know nothing of the web app.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::checkout::Checkout;
use crate::process;

/// Where a package comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Source {
    Cargo,
    Npm,
}

/// A package.
#[derive(Clone, Debug)]
pub(crate) struct Component {
    pub(crate) source: Source,
    pub(crate) name: String,
    pub(crate) version: String,
    /// An SPDX expression.
    pub(crate) license: Option<String>,
    pub(crate) authors: Vec<String>,
    /// Its algorithm as `CycloneDX` names it, and the hash in hexadecimal digits.
    pub(crate) hash: Option<(&'static str, String)>,
    /// Its sources on this machine.
    pub(crate) folder: PathBuf,
    /// The packages among these that it uses, by their purl.
    pub(crate) uses: BTreeSet<String>,
}

impl Component {
    /// The package URL: `pkg:cargo/serde@1.0.0`.
    pub(crate) fn purl(&self) -> String {
        match self.source {
            Source::Cargo => format!("pkg:cargo/{}@{}", self.name, self.version),
            Source::Npm => format!("pkg:npm/{}@{}", self.name.replace('@', "%40"), self.version),
        }
    }
}

/// All packages, sorted.
pub(crate) fn all(checkout: &Checkout) -> Result<Vec<Component>> {
    let mut all = crates(checkout)?;
    all.extend(npm_packages(checkout)?);
    all.sort_by_key(|one| (one.source, one.name.clone(), one.version.clone()));
    // npm may have installed one twice.
    all.dedup_by_key(|one| one.purl());
    Ok(all)
}

/// The crates that are compiled into `pith` for this machine.
fn crates(checkout: &Checkout) -> Result<Vec<Component>> {
    let mut tree = checkout.cargo();
    tree.args(["tree", "--locked", "--package", "server", "--edges", "normal,no-proc-macro"]);
    let listed = process::output(tree.args(["--prefix", "none", "--format", "{p}"]))?;
    let listed: BTreeSet<(&str, &str)> = listed.lines().filter_map(name_and_version).collect();

    let mut metadata = checkout.cargo();
    let text = process::output(metadata.args(["metadata", "--locked", "--format-version", "1"]))?;
    let metadata: Value = serde_json::from_str(&text).context("cargo metadata is not JSON")?;
    let lock = fs::read_to_string(checkout.root().join("Cargo.lock")).context("cannot read Cargo.lock")?;
    let lock: toml::Table = toml::from_str(&lock).context("Cargo.lock is not TOML")?;
    let hash_of = |name: &str, version: &str| {
        let locked = lock.get("package")?.as_array()?.iter().find(|one| {
            one.get("name").and_then(toml::Value::as_str) == Some(name)
                && one.get("version").and_then(toml::Value::as_str) == Some(version)
        })?;
        Some(("SHA-256", locked.get("checksum")?.as_str()?.to_owned()))
    };

    let packages = metadata["packages"].as_array().context("cargo metadata lists no packages")?;
    let third_party = packages.iter().filter(|package| {
        let name = package["name"].as_str().unwrap_or_default();
        let version = package["version"].as_str().unwrap_or_default();
        // Our own crates have no source.
        package["source"].is_string() && listed.contains(&(name, version))
    });
    let mut found = Vec::new();
    for package in third_party {
        let text = |field: &str| package[field].as_str().map(str::to_owned);
        let name = text("name").context("a crate without a name")?;
        let version = text("version").context("a crate without a version")?;
        let manifest = PathBuf::from(text("manifest_path").context("a crate without a manifest")?);
        let authors = package["authors"].as_array().into_iter().flatten().filter_map(Value::as_str);
        found.push(Component {
            source: Source::Cargo,
            license: text("license").map(|license| license.replace('/', " OR ")),
            authors: authors.map(str::to_owned).collect(),
            hash: hash_of(&name, &version),
            folder: manifest.parent().context("a manifest lies in a folder")?.to_owned(),
            uses: BTreeSet::new(),
            name,
            version,
        });
    }
    add_uses(&mut found, &metadata);
    Ok(found)
}

/// The name and version of a line `serde v1.0.0 (…)`.
fn name_and_version(line: &str) -> Option<(&str, &str)> {
    let mut words = line.split_whitespace();
    Some((words.next()?, words.next()?.strip_prefix('v')?))
}

/// Adds which of these crates uses which.
fn add_uses(found: &mut [Component], metadata: &Value) {
    let manifest = |id: &Value| {
        let packages = metadata["packages"].as_array()?;
        let package = packages.iter().find(|package| package["id"] == *id)?;
        Some(PathBuf::from(package["manifest_path"].as_str()?).parent()?.to_owned())
    };
    let purls: Vec<(PathBuf, String)> = found.iter().map(|one| (one.folder.clone(), one.purl())).collect();
    let purl_in = |folder: &PathBuf| purls.iter().find(|(of, _)| of == folder).map(|(_, purl)| purl.clone());
    for node in metadata["resolve"]["nodes"].as_array().into_iter().flatten() {
        let Some(component) =
            manifest(&node["id"]).and_then(|folder| found.iter_mut().find(|one| one.folder == folder))
        else {
            continue;
        };
        let normal = node["deps"].as_array().into_iter().flatten().filter(|dependency| {
            dependency["dep_kinds"].as_array().into_iter().flatten().any(|kind| kind["kind"].is_null())
        });
        component.uses = normal.filter_map(|dependency| purl_in(&manifest(&dependency["pkg"])?)).collect();
    }
}

/// The npm packages that the web app's scripts and styles may contain: what `package.json` names as `dependencies`, and
/// what these need. Optional packages are programs of the tests, and those of types leave nothing in a script. webpack's runtime is part of
/// every script.
fn npm_packages(checkout: &Checkout) -> Result<Vec<Component>> {
    let folder = checkout.frontend();
    let lock =
        fs::read_to_string(folder.join("package-lock.json")).context("cannot read frontend/package-lock.json")?;
    let lock: Value = serde_json::from_str(&lock).context("frontend/package-lock.json is not JSON")?;
    let packages = lock["packages"].as_object().context("frontend/package-lock.json lists no packages")?;
    let mut found = Vec::new();
    for (place, package) in packages {
        let Some((_, name)) = place.rsplit_once("node_modules/") else { continue };
        let is_shipped = ["dev", "devOptional", "optional"].iter().all(|flag| package[*flag] != true);
        if !(is_shipped && !name.starts_with("@types/") || place == "node_modules/webpack") {
            continue;
        }
        found.push(Component {
            source: Source::Npm,
            name: name.to_owned(),
            version: package["version"].as_str().context("an npm package without a version")?.to_owned(),
            license: package["license"].as_str().map(str::to_owned),
            authors: Vec::new(),
            hash: package["integrity"].as_str().and_then(hash_of_integrity),
            folder: folder.join(place),
            uses: BTreeSet::new(),
        });
    }
    let purls: Vec<(String, String)> = found.iter().map(|one| (one.name.clone(), one.purl())).collect();
    for one in &mut found {
        let place = one.folder.strip_prefix(&folder).ok().and_then(|place| place.to_str()).unwrap_or_default();
        let needs = packages.get(place).and_then(|package| package["dependencies"].as_object());
        let needs = needs.into_iter().flat_map(|needs| needs.keys());
        one.uses = needs
            .filter_map(|need| purls.iter().find(|(name, _)| name == need).map(|(_, purl)| purl.clone()))
            .collect();
    }
    Ok(found)
}

/// The hash of a `sha512-…` in base64.
fn hash_of_integrity(integrity: &str) -> Option<(&'static str, String)> {
    use base64::Engine as _;
    let bytes = base64::engine::general_purpose::STANDARD.decode(integrity.strip_prefix("sha512-")?).ok()?;
    Some(("SHA-512", hex::encode(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crates_and_npm_packages_of_the_product_are_listed_and_not_those_of_its_tests() {
        let all = all(&Checkout::find().unwrap()).unwrap();
        let find = |source, name: &str| all.iter().find(|one| one.source == source && one.name == name);
        let diesel = find(Source::Cargo, "diesel").expect("diesel is linked");
        assert_eq!(diesel.hash.as_ref().map(|(kind, hash)| (*kind, hash.len())), Some(("SHA-256", 64)));
        assert!(diesel.uses.iter().any(|purl| purl.starts_with("pkg:cargo/pq-sys@")), "{:?}", diesel.uses);
        assert!(find(Source::Cargo, "proptest").is_none() && find(Source::Cargo, "serde_derive").is_none());
        let react = find(Source::Npm, "react-dom").expect("react-dom is in the scripts");
        assert_eq!(react.hash.as_ref().map(|(kind, hash)| (*kind, hash.len())), Some(("SHA-512", 128)));
        assert!(find(Source::Npm, "vitest").is_none());
        assert!(find(Source::Npm, "@tiptap/react").unwrap().purl().starts_with("pkg:npm/%40tiptap/react@"));
    }

    #[test]
    fn a_line_of_cargo_tree_is_read() {
        assert_eq!(name_and_version("serde v1.0.229 (*)"), Some(("serde", "1.0.229")));
        assert_eq!(name_and_version(""), None);
    }
}
