//! The shared libraries that a program is linked with, and the packages that they come from.
//!
//! `ldd` asks the loader, which knows where this machine has them; `dpkg-shlibdeps` knows the oldest version that will do.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::process;

/// The paths of the libraries and of the loader, as the loader finds them.
pub(crate) fn of_program(program: &Path) -> Result<Vec<PathBuf>> {
    let output = process::output(Command::new("ldd").arg(program)).context("cannot list the program's libraries")?;
    parse(&output)
}

fn parse(output: &str) -> Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for line in output.lines().map(str::trim) {
        if line.ends_with("not found") {
            bail!("this machine lacks a library of the program: {line}");
        }
        let path = line.split_once("=> ").map_or(line, |(_, path)| path);
        if path.starts_with('/') {
            paths.push(PathBuf::from(path.split_once(" (").map_or(path, |(path, _)| path)));
        }
    }
    paths.sort();
    Ok(paths)
}

/// The file with the license of each Debian package that these libraries are of, by the package's name; none on another system.
pub(crate) fn debian_licenses(libraries: &[PathBuf]) -> BTreeMap<String, PathBuf> {
    let mut found = BTreeMap::new();
    for library in libraries {
        // Packages name the path before or after `/lib` became a link to `/usr/lib`.
        let paths = [Some(library.clone()), fs::canonicalize(library).ok()];
        let mut owners = paths.iter().flatten().filter_map(|path| owner(path));
        if let Some(package) = owners.next() {
            let license = Path::new("/usr/share/doc").join(&package).join("copyright");
            if license.is_file() {
                found.insert(package, license);
            }
        }
    }
    found
}

/// The Debian package that a file is of.
fn owner(path: &Path) -> Option<String> {
    let output = process::output(Command::new("dpkg").arg("--search").arg(path)).ok()?;
    Some(output.split([':', ',']).next()?.trim().to_owned())
}

/// The `Depends` of a Debian package with this program: `libc6 (>= 2.34), libssl3 (>= 3.0.0)`.
pub(crate) fn debian_depends(program: &Path) -> Result<String> {
    // The program reads the package's name from a source package.
    let folder = tempfile::tempdir()?;
    fs::create_dir(folder.path().join("debian"))?;
    fs::write(folder.path().join("debian/control"), "Source: pith\n\nPackage: pith\nArchitecture: any\n")?;
    let mut command = Command::new("dpkg-shlibdeps");
    command.current_dir(folder.path()).arg("-O").arg("-e").arg(std::path::absolute(program)?);
    let output =
        process::output(&mut command).context("cannot find out which packages have the program's libraries")?;
    let depends = output.lines().find_map(|line| line.strip_prefix("shlibs:Depends="));
    depends.map(str::to_owned).context("dpkg-shlibdeps named no packages")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_and_the_loader_are_found_and_a_missing_one_is_named() {
        let output = "\tlinux-vdso.so.1 (0x00007ffe)\n\tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f1)\n\
                      \t/lib64/ld-linux-x86-64.so.2 (0x00007f2)\n";
        let paths = ["/lib/x86_64-linux-gnu/libc.so.6", "/lib64/ld-linux-x86-64.so.2"];
        assert_eq!(parse(output).unwrap(), paths.map(PathBuf::from));
        let error = parse("\tlibssl.so.3 => not found\n").unwrap_err().to_string();
        assert!(error.contains("libssl.so.3"), "{error}");
    }
}
