//! `cargo xtask release`: everything that an operator installs, in `target/dist`.
//!
//! The same commit gives the same bytes on machines with the same toolchain and libraries: entries are sorted, their time is the commit's,
//! and no path of the machine is in the program.

mod components;
mod debian;
mod image;
pub(crate) mod libraries;
mod notices;
mod program;
mod sbom;
mod stamp;
mod sums;
mod tree;

use std::fs;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use flate2::Compression;

pub(crate) use self::debian::write as write_debian_package;
pub(crate) use self::stamp::Stamp;
use self::tree::Tree;
use crate::checkout::Checkout;
use crate::console::say;
use crate::{frontend, process, tools};

/// Documents that every form of a release contains, in the checkout.
const DOCUMENTS: [&str; 4] =
    ["packaging/README.md", "packaging/nginx.conf", "packaging/Caddyfile", "docs/OPERATING.md"];
/// Files for Prometheus and Grafana, in `packaging/monitoring` and in the folder `monitoring` of every form of a release.
const MONITORING: [&str; 4] = ["prometheus.yml", "alerts.yml", "alerts_test.yml", "grafana-dashboard.json"];
/// What the program writes of itself for a system: the path under `usr/share`, and the command.
const SHARED: [(&str, &[&str]); 4] = [
    ("man/man1/pith.1", &["man"]),
    ("bash-completion/completions/pith", &["completions", "bash"]),
    ("fish/vendor_completions.d/pith.fish", &["completions", "fish"]),
    ("zsh/vendor-completions/_pith", &["completions", "zsh"]),
];
const THIRD_PARTY: &str = "THIRD-PARTY-LICENSES.txt";

/// What a release is made of.
#[derive(Clone)]
pub(crate) struct Parts<'a> {
    pub(crate) checkout: &'a Checkout,
    pub(crate) stamp: &'a Stamp,
    /// The server's program, without symbols.
    pub(crate) pith: &'a Path,
    pub(crate) compression: Compression,
    /// Licenses and documents, by their names; read once, so that all files of a release have the same.
    documents: Vec<(String, Vec<u8>)>,
    /// The manual page and the shells' completions, which the program writes itself: their paths under `usr/share`, and their texts.
    shared: Vec<(&'static str, String)>,
    /// The bill of materials.
    bill: String,
}

impl<'a> Parts<'a> {
    /// Collects the licenses and the bill of materials beside the program.
    pub(crate) fn collect(
        checkout: &'a Checkout,
        stamp: &'a Stamp,
        pith: &'a Path,
        compression: Compression,
    ) -> Result<Self> {
        let components = components::all(checkout)?;
        let mut documents = read_documents(checkout)?;
        documents.push((THIRD_PARTY.to_owned(), notices::text(checkout, &components)?.into_bytes()));
        let bill = sbom::text(stamp, &components)?;
        Ok(Self { checkout, stamp, pith, compression, documents, shared: read_shared(pith)?, bill })
    }

    /// The same parts with another version.
    pub(crate) fn with_stamp<'b>(&'b self, stamp: &'b Stamp) -> Parts<'b> {
        Parts { stamp, ..self.clone() }
    }

    fn packaging(&self) -> PathBuf {
        self.checkout.root().join("packaging")
    }

    /// Adds licenses and documents, with `prefix` before their names.
    fn add_documents(&self, tree: &mut Tree, prefix: &str) {
        for (name, bytes) in &self.documents {
            tree.add_bytes(&format!("{prefix}{name}"), 0o644, bytes.as_slice());
        }
    }
}

/// The project's own licenses.
fn licenses(checkout: &Checkout) -> Result<Vec<PathBuf>> {
    top_files(checkout, "LICENSE")
}

/// Files of the checkout whose names begin so.
fn top_files(checkout: &Checkout, begin: &str) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(checkout.root())? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with(begin) {
            found.push(entry.path());
        }
    }
    found.sort();
    Ok(found)
}

/// The documents of every form of a release, by their names.
fn read_documents(checkout: &Checkout) -> Result<Vec<(String, Vec<u8>)>> {
    let files = DOCUMENTS.iter().map(|path| checkout.root().join(path));
    let files = files.chain(licenses(checkout)?).chain(top_files(checkout, "CHANGELOG")?);
    let named = files.map(|file| {
        let name = file.file_name().and_then(|name| name.to_str()).context("a file's name is not UTF-8")?;
        Ok((name.to_owned(), file))
    });
    let monitoring = MONITORING.map(|name| format!("monitoring/{name}"));
    let monitoring = monitoring.map(|name| Ok((name.clone(), checkout.root().join("packaging").join(name))));
    let read = |named: Result<(String, PathBuf)>| {
        let (name, file) = named?;
        let bytes = fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        Ok((name, bytes))
    };
    named.chain(monitoring).map(read).collect()
}

/// Has the program write its manual page and completions.
fn read_shared(pith: &Path) -> Result<Vec<(&'static str, String)>> {
    let read =
        |(path, arguments): (&'static str, &[&str])| Ok((path, process::output(Command::new(pith).args(arguments))?));
    SHARED.into_iter().map(read).collect()
}

/// Builds the program and makes everything from it.
pub(crate) fn command(checkout: &Checkout, rest: &[String]) -> Result<ExitCode> {
    if !rest.is_empty() {
        bail!("`release` takes no arguments, not `{}`", rest.join(" "));
    }
    let begin = Instant::now();
    tools::ensure_build_tools()?;
    frontend::install_packages(checkout)?;
    frontend::build(checkout)?;
    let stamp = Stamp::read(checkout)?;
    say!("Building pith {} ({}) …", stamp.version, stamp.commit);
    let pith = program::build(checkout, &stamp)?;
    let dist = checkout.target()?.join("dist");
    if dist.exists() {
        fs::remove_dir_all(&dist).with_context(|| format!("cannot empty {}", dist.display()))?;
    }
    let files = make(&Parts::collect(checkout, &stamp, &pith, Compression::best())?, &dist)?;
    for file in files {
        let size = fs::metadata(&file)?.len();
        say!("{:>12} bytes  {}", size, file.strip_prefix(&dist).unwrap_or(&file).display());
    }
    say!("Made in {:.0} s: {}", begin.elapsed().as_secs_f32(), dist.display());
    Ok(ExitCode::SUCCESS)
}

/// Makes all files of a release in a new folder, and returns their paths.
pub(crate) fn make(parts: &Parts<'_>, dist: &Path) -> Result<Vec<PathBuf>> {
    fs::create_dir_all(dist).with_context(|| format!("cannot make {}", dist.display()))?;
    let mut files = vec![write_archive(parts, dist)?];
    match tools::ensure_dpkg() {
        Ok(()) => files.push(debian::write(parts, dist)?),
        Err(error) => say!("No Debian package is made: {error:#}"),
    }
    if cfg!(target_os = "linux") {
        files.push(image::write(parts, dist)?);
    } else {
        say!("No image is made: it holds a program for Linux, and this machine makes none");
    }
    let bill = dist.join(format!("pith-{}.cdx.json", parts.stamp.version));
    fs::write(&bill, &parts.bill).with_context(|| format!("cannot write {}", bill.display()))?;
    files.push(bill);
    files.extend(copy_compose(parts, dist)?);
    files.push(sums::write(&files, dist)?);
    Ok(files)
}

/// Writes the program with licenses and documents as one compressed archive.
fn write_archive(parts: &Parts<'_>, dist: &Path) -> Result<PathBuf> {
    let name = format!("pith-{}-{}-{}", parts.stamp.version, std::env::consts::ARCH, std::env::consts::OS);
    let mut tree = Tree::default();
    tree.add_file(&format!("{name}/pith"), 0o755, parts.pith);
    parts.add_documents(&mut tree, &format!("{name}/"));
    for (path, text) in &parts.shared {
        tree.add_bytes(&format!("{name}/share/{path}"), 0o644, text.as_str());
    }
    let path = dist.join(format!("{name}.tar.gz"));
    let file = fs::File::create(&path).with_context(|| format!("cannot write {}", path.display()))?;
    tree.write_tar_gz(parts.stamp.seconds, parts.compression, BufWriter::new(file))?;
    Ok(path)
}

/// Copies the compose file and what it reads.
fn copy_compose(parts: &Parts<'_>, dist: &Path) -> Result<Vec<PathBuf>> {
    let folder = dist.join("compose");
    fs::create_dir_all(&folder)?;
    let copy = |name: &str| -> Result<PathBuf> {
        let (from, to) = (parts.packaging().join(name), folder.join(name.rsplit('/').next().unwrap_or(name)));
        fs::copy(&from, &to).with_context(|| format!("cannot copy {}", from.display()))?;
        Ok(to)
    };
    ["compose/compose.yaml", "compose/.env.example", "Caddyfile"].into_iter().map(copy).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn read(path: &str) -> String {
        fs::read_to_string(Checkout::find().unwrap().root().join(path)).unwrap()
    }

    /// The names of the lines `NAME=value`, commented out or not, with their values.
    fn settings(path: &str) -> Vec<(String, String)> {
        let text = read(path);
        let lines = text.lines().filter_map(|line| line.trim_start_matches('#').split_once('='));
        let is_name = |name: &str| name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_' || byte == b'3');
        lines.filter(|(name, _)| is_name(name)).map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
    }

    #[test]
    fn every_setting_of_the_package_is_documented() {
        let documented = read("docs/OPERATING.md");
        for path in ["packaging/debian/pith.env", "packaging/debian/owner.env"] {
            let settings = settings(path);
            assert!(!settings.is_empty());
            for (name, _) in settings {
                assert!(documented.contains(&format!("`{name}`")), "{name} of {path}");
            }
        }
    }

    #[test]
    fn the_compose_example_names_every_variable_and_gives_none_a_value() {
        let compose = read("packaging/compose/compose.yaml");
        let variables = compose.split("${").skip(1).filter_map(|rest| rest.split(['}', ':']).next().map(str::to_owned));
        let example = settings("packaging/compose/.env.example");
        assert!(example.iter().all(|(_, value)| value.is_empty()), "{example:?}");
        let names: BTreeSet<String> = example.into_iter().map(|(name, _)| name).collect();
        assert_eq!(variables.collect::<BTreeSet<_>>(), names);
    }
}
