//! The Debian package: an `ar` archive of two tar archives.
//!
//! `dpkg-deb` needs a copy of all files with the right owners and modes; the archives that it would make are those of [`Tree`], which
//! has the same bytes on each machine.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::stamp::Stamp;
use super::tree::Tree;
use super::{Parts, libraries, licenses};

/// Files that an upgrade replaces only if nobody has changed them.
const CONFFILES: [(&str, u32); 2] = [("etc/pith/pith.env", 0o640), ("etc/pith/owner.env", 0o600)];
const SCRIPTS: [&str; 3] = ["postinst", "prerm", "postrm"];
const UNITS: [&str; 2] = ["pith.service", "pith-worker@.service"];
/// Packages that the program and the scripts use beside the libraries: certificates for calls to providers, and `useradd`.
const DEPENDS: &str = "ca-certificates, passwd";
const SUGGESTS: &str = "postgresql (>= 15), nginx | caddy, ffmpeg, festival | flite | espeak-ng, festvox-us-slt-hts";
const DESCRIPTION: &str = "summaries of non-fiction books: the site and its API
 One server on Postgres and a folder or a bucket for files, with its web app.
 It listens on the loopback address, for a reverse proxy that terminates TLS.";

/// Writes the package.
pub(crate) fn write(parts: &Parts<'_>, dist: &Path) -> Result<PathBuf> {
    let architecture = architecture()?;
    let data = data(parts)?;
    let depends = libraries::debian_depends(parts.pith)?;
    let control = control(parts.stamp, architecture, &depends, data.size()?);
    let control = control_tree(parts, control, md5_sums(&data)?);

    let path = dist.join(format!("pith_{}_{architecture}.deb", version(parts.stamp)));
    let file = File::create(&path).with_context(|| format!("cannot write {}", path.display()))?;
    let mut archive = ar::Builder::new(file);
    let mut add = |name: &str, bytes: &[u8]| {
        let mut header = ar::Header::new(name.as_bytes().to_vec(), bytes.len() as u64);
        header.set_mtime(parts.stamp.seconds);
        header.set_mode(0o100_644);
        archive.append(&header, bytes).with_context(|| format!("cannot write {}", path.display()))
    };
    add("debian-binary", b"2.0\n")?;
    for (name, tree) in [("control.tar.gz", control), ("data.tar.gz", data)] {
        let mut bytes = Vec::new();
        tree.write_tar_gz(parts.stamp.seconds, parts.compression, &mut bytes)?;
        add(name, &bytes)?;
    }
    Ok(path)
}

/// Debian's name of this machine's architecture.
fn architecture() -> Result<&'static str> {
    match std::env::consts::ARCH {
        "x86_64" => Ok("amd64"),
        "aarch64" => Ok("arm64"),
        other => bail!("no Debian package is made for {other}"),
    }
}

/// The version as Debian orders it: `1.0.0~rc.1` is before `1.0.0`.
fn version(stamp: &Stamp) -> String {
    stamp.version.replace('-', "~")
}

/// The files of the package.
fn data(parts: &Parts<'_>) -> Result<Tree> {
    let source = parts.packaging().join("debian");
    let mut tree = Tree::default();
    tree.add_file("usr/bin/pith", 0o755, parts.pith);
    tree.add_file("usr/sbin/pithctl", 0o755, &source.join("pithctl"));
    for (path, mode) in CONFFILES {
        let name = path.rsplit('/').next().unwrap_or(path);
        tree.add_file(path, mode, &source.join(name));
    }
    for unit in UNITS {
        tree.add_file(&format!("usr/lib/systemd/system/{unit}"), 0o644, &source.join(unit));
    }
    parts.add_documents(&mut tree, "usr/share/doc/pith/");
    for (path, text) in &parts.shared {
        if path.starts_with("man/") {
            tree.add_gzip(&format!("usr/share/{path}.gz"), 0o644, text.as_bytes())?;
        } else {
            tree.add_bytes(&format!("usr/share/{path}"), 0o644, text.as_str());
        }
    }
    tree.add_bytes("usr/share/doc/pith/copyright", 0o644, copyright(parts)?);
    Ok(tree)
}

/// The license of the project, and where those of the rest are.
fn copyright(parts: &Parts<'_>) -> Result<String> {
    let mut text = String::new();
    for license in licenses(parts.checkout)? {
        text += &fs::read_to_string(&license).with_context(|| format!("cannot read {}", license.display()))?;
        text.push('\n');
    }
    Ok(text + "The licenses of what the program contains: /usr/share/doc/pith/THIRD-PARTY-LICENSES.txt\n")
}

fn control_tree(parts: &Parts<'_>, control: String, sums: String) -> Tree {
    let mut tree = Tree::default();
    tree.add_bytes("control", 0o644, control);
    tree.add_bytes("md5sums", 0o644, sums);
    let conffiles = CONFFILES.map(|(path, _)| format!("/{path}\n"));
    tree.add_bytes("conffiles", 0o644, conffiles.concat());
    for script in SCRIPTS {
        tree.add_file(script, 0o755, &parts.packaging().join("debian").join(script));
    }
    tree
}

/// What `dpkg --verify` compares: all files but those that an operator changes.
fn md5_sums(data: &Tree) -> Result<String> {
    let sums = data.md5_sums()?;
    let fixed = sums.iter().filter(|(path, _)| !CONFFILES.iter().any(|(conffile, _)| conffile == path));
    let lines: Vec<String> = fixed.map(|(path, sum)| format!("{sum}  {path}\n")).collect();
    Ok(lines.concat())
}

/// The package's description. `DEBFULLNAME` and `DEBEMAIL` name who makes it, as in Debian's own tools.
fn control(stamp: &Stamp, architecture: &str, depends: &str, bytes: u64) -> String {
    let variable = |name: &str, default: &str| std::env::var(name).unwrap_or_else(|_| default.to_owned());
    let name = variable("DEBFULLNAME", "The developers of Pith");
    let email = variable("DEBEMAIL", "support@example.com");
    format!(
        "Package: pith\nVersion: {}\nArchitecture: {architecture}\nMaintainer: {name} <{email}>\nInstalled-Size: {}\n\
         Depends: {depends}, {DEPENDS}\nSuggests: {SUGGESTS}\nSection: web\nPriority: optional\n\
         Description: {DESCRIPTION}\n",
        version(stamp),
        bytes.div_ceil(1024)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_is_described_as_debian_reads_it() {
        let stamp = Stamp { version: "1.2.3".to_owned(), commit: "abc".to_owned(), seconds: 0 };
        let text = control(&stamp, "amd64", "libc6 (>= 2.34)", 2_049);
        assert!(text.starts_with("Package: pith\nVersion: 1.2.3\nArchitecture: amd64\n"), "{text}");
        assert!(text.contains("\nInstalled-Size: 3\nDepends: libc6 (>= 2.34), ca-certificates, passwd\n"), "{text}");
        let candidate = Stamp { version: "1.2.3-rc.1".to_owned(), ..stamp };
        assert_eq!(version(&candidate), "1.2.3~rc.1");
        assert!(text.ends_with(".\n") && text.contains("\n One server"), "{text}");
    }
}
