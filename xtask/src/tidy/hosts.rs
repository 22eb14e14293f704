//! No file may name a package registry: each machine configures where packages come from.
//!
//! cargo-deny (`sources`) checks this for Cargo.lock; no tool does for npm's files.

use super::files::SourceFile;

/// Hosts of registries, written so that this file does not break its own rule.
const HOSTS: [&str; 7] = [
    concat!("registry.", "npmjs.org"),
    concat!("registry.", "yarnpkg.com"),
    concat!("index.", "crates.io"),
    concat!("static.", "crates.io"),
    concat!("files.", "pythonhosted.org"),
    concat!("pypi.", "org/simple"),
    concat!("proxy.", "golang.org"),
];
/// The lines that name a registry.
pub(super) fn breaches(files: &[SourceFile]) -> Vec<String> {
    let mut found = Vec::new();
    for file in files {
        let name = file.path.rsplit('/').next().unwrap_or_default();
        for (index, line) in file.text.lines().enumerate() {
            if let Some(what) = in_line(name, line) {
                found.push(format!("{}:{}: {what}", file.path, index + 1));
            }
        }
    }
    found
}

fn in_line(name: &str, line: &str) -> Option<&'static str> {
    let line = line.trim_start();
    if HOSTS.iter().any(|host| line.contains(host)) {
        return Some("names a registry's host");
    }
    match name {
        "package-lock.json" if line.starts_with("\"resolved\": \"http") => Some(
            "holds an address to fetch from: `npm config set omit-lockfile-registry-resolved true`, then `npm install`",
        ),
        ".npmrc" if line.contains("registry=") => Some("names a registry"),
        "config.toml"
            if line.starts_with("replace-with") || line.starts_with("[source.") || line.starts_with("[registries") =>
        {
            Some("names a registry")
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn breaks(path: &str, text: &str) {
        let found = breaches(&[SourceFile::new(path, text)]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with(&format!("{path}:2: ")), "{found:?}");
    }

    #[test]
    fn hosts_and_addresses_are_breaches() {
        breaks("README.md", &format!("# Pith\nfrom https://{}/react\n", HOSTS[0]));
        breaks("frontend/package-lock.json", "{\n    \"resolved\": \"https://mirror.example/react.tgz\",\n");
        breaks("frontend/.npmrc", "fund=false\nregistry=https://mirror.example/\n");
        breaks(".cargo/config.toml", "\n[source.crates-io]\n");
    }

    #[test]
    fn what_every_lock_file_says_is_fine() {
        let files = [
            SourceFile::new("frontend/package-lock.json", "\"resolved\": \"../local\",\n\"integrity\": \"sha512-a\"\n"),
            SourceFile::new("docs/adr/1.md", "https://crates.io/crates/diesel\n"),
        ];
        assert_eq!(breaches(&files), Vec::<String>::new());
    }
}
