//! The Debian package: installed into a root of its own, configured, started, upgraded and removed.

use std::fs::{self, File};
use std::net::{Ipv4Addr, SocketAddr};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use rustix::process::Signal;

use super::{Checks, Root, Site, check_front_page, ensure_that, last_lines, settings};
use crate::console::say;
use crate::process::{self, Running};
use crate::release::{self, Parts, Stamp};
use crate::{ports, server, tools};

/// What the package's scripts and `pithctl` run.
const PROGRAMS: [&str; 19] = [
    "sh", "base64", "cat", "chmod", "chown", "find", "getent", "grep", "head", "id", "install", "mv", "rm", "setpriv",
    "useradd", "userdel", "env", "true", "chroot",
];
const READY_LIMIT: Duration = Duration::from_mins(2);
const STOP: [(Signal, Duration); 1] = [(Signal::TERM, Duration::from_mins(1))];
/// The exposure of the unit, of 100, up to which `systemd-analyze security` calls a service well guarded.
const EXPOSURE: &str = "25";

/// An installed package whose server runs.
pub(super) struct Installed {
    pub(super) root: Root,
    pub(super) address: SocketAddr,
    /// The installation's `PITH_SECRET`.
    pub(super) secret: String,
    /// What the server writes to its standard error.
    pub(super) log: PathBuf,
    pub(super) server: Running,
}

/// Installs the package and starts its server.
pub(super) fn check(site: &Site<'_>, parts: &Parts<'_>, package: &Path, checks: &mut Checks) -> Result<Installed> {
    let root = Root::new(site.folder.join("debian"), site.scratch.checkout)?;
    prepare(&root, parts.pith, package)?;
    // The first version is an older one, so that this one is an upgrade.
    let stamp = Stamp { version: "0.0.1".to_owned(), ..parts.stamp.clone() };
    let old = release::write_debian_package(&parts.with_stamp(&stamp), &site.folder)?;
    let said = dpkg(&root, &["--install"], Some(&old))?;
    fs::remove_file(old)?;
    checks.check_result("an installation says what to do next", ensure_that(said.contains("pithctl migrate"), &said));
    checks.check_result("the package's files have their owners and modes", check_files(&root));
    let verified = dpkg(&root, &["--verify", "pith"], None).and_then(|said| ensure_that(said.is_empty(), &said));
    checks.check_result("dpkg verifies every file", verified);
    checks.check_result("every installation has a secret of its own", check_secret(&root));
    if tools::has("systemd-analyze") {
        checks.check_result("the units are understood", check_units(&root));
    } else {
        say!("NOT TRIED: systemd's units, because systemd-analyze is not installed");
    }

    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, ports::free_on_loopback()?));
    configure(&root, &settings(site, address))?;
    let owner = site.database.owner.as_deref().context("the cluster has an owner")?;
    root.write("/etc/pith/owner.env", &format!("DATABASE_OWNER_URL={owner}\n"))?;
    for verb in ["migrate", "seed"] {
        process::output(root.command(None, "/usr/sbin/pithctl")?.arg(verb))?;
    }
    checks.check("pithctl migrates and loads content", &[]);
    let log = site.folder.join("pith.log");
    let server = start(&root, address, &log)?;
    checks.check_result("the installed server answers its front page", check_front_page(address));
    checks.check_result("it runs as the user pith, without the owner's address", check_process(&root, &server));
    let secret = root.read("/etc/pith/secret.env")?.trim().trim_start_matches("PITH_SECRET=").to_owned();
    Ok(Installed { root, address, secret, log, server })
}

/// Makes the root a system that dpkg can install into: accounts, and the packages that ours depends on.
fn prepare(root: &Root, pith: &Path, package: &Path) -> Result<()> {
    root.add_programs(&PROGRAMS)?;
    // What the packages of `Depends` would bring.
    root.add_libraries(pith)?;
    for (link, target) in [("bin", "usr/bin"), ("sbin", "usr/sbin")] {
        std::os::unix::fs::symlink(target, root.path(link))?;
    }
    root.write("/usr/sbin/nologin", "")?;
    root.write("/etc/passwd", "root:x:0:0:root:/root:/bin/sh\n")?;
    root.write("/etc/group", "root:x:0:\n")?;
    root.write("/etc/shadow", "root:*:19000:0:99999:7:::\n")?;
    root.write("/etc/gshadow", "root:*::\n")?;
    root.write("/etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files dns\n")?;
    root.write("/etc/login.defs", "SYS_UID_MIN 100\nSYS_UID_MAX 999\nSYS_GID_MIN 100\nSYS_GID_MAX 999\n")?;
    fs::create_dir_all(root.path("/dev"))?;
    fs::create_dir_all(root.path("/tmp"))?;
    fs::set_permissions(root.path("/tmp"), fs::Permissions::from_mode(0o1777))?;
    // Files stand in for devices: the scripts only discard into one and read random bytes from the other.
    root.write("/dev/null", "")?;
    let random = process::output(Command::new("openssl").args(["rand", "-base64", "96"]))?;
    root.write("/dev/urandom", &random)?;

    let depends = process::output(Command::new("dpkg-deb").arg("--field").arg(package).arg("Depends"))?;
    let mut status = String::new();
    for dependency in depends.split(',') {
        let name = dependency.split_whitespace().next().context("an empty dependency")?;
        let mut query = Command::new("dpkg");
        status +=
            &process::output(query.args(["--status", name])).with_context(|| format!("{name} is not installed"))?;
        status.push('\n');
        root.write(&format!("/var/lib/dpkg/info/{name}.list"), "/.\n")?;
    }
    // What those depend on is not there, and is not asked for again.
    let kept = status.lines().filter(|line| !line.starts_with("Depends:") && !line.starts_with("Pre-Depends:"));
    root.write("/var/lib/dpkg/status", &(kept.collect::<Vec<_>>().join("\n") + "\n"))?;
    fs::create_dir_all(root.path("/var/lib/dpkg/updates"))?;
    Ok(())
}

/// Runs dpkg on the root and returns what it says.
fn dpkg(root: &Root, arguments: &[&str], package: Option<&Path>) -> Result<String> {
    let mut command = Command::new("sh");
    command.args(["-c", "exec dpkg \"$@\" 2>&1", "dpkg"]);
    command.arg(format!("--root={}", root.folder().display())).args(["--force-confold", "--force-not-root"]);
    command.env("LC_ALL", "C").env("DEBIAN_FRONTEND", "noninteractive");
    let mut said = String::new();
    let status = process::run_lines(command.args(arguments).args(package), |line| {
        said.push_str(line);
        said.push('\n');
    })?;
    if !status.success() {
        bail!("dpkg {} failed: {said}", arguments.join(" "));
    }
    Ok(said)
}

fn check_files(root: &Root) -> Result<()> {
    let user = user(root)?;
    for (path, mode, uid, gid) in [
        ("/usr/bin/pith", 0o755, 0, 0),
        ("/usr/sbin/pithctl", 0o755, 0, 0),
        ("/etc/pith/pith.env", 0o640, 0, user),
        ("/etc/pith/owner.env", 0o600, 0, 0),
        ("/etc/pith/secret.env", 0o640, 0, user),
        ("/var/lib/pith", 0o750, user, user),
        ("/usr/lib/systemd/system/pith.service", 0o644, 0, 0),
        ("/usr/share/doc/pith/copyright", 0o644, 0, 0),
        ("/usr/share/doc/pith/monitoring/alerts.yml", 0o644, 0, 0),
        ("/usr/share/doc/pith/monitoring/grafana-dashboard.json", 0o644, 0, 0),
        ("/usr/share/man/man1/pith.1.gz", 0o644, 0, 0),
    ] {
        let found = fs::metadata(root.path(path)).with_context(|| format!("{path} is missing"))?;
        let found = (found.mode() & 0o7777, found.uid(), found.gid());
        ensure!(found == (mode, uid, gid), "{path} has {:o} {} {}", found.0, found.1, found.2);
    }
    let conffiles = process::output(
        Command::new("sh").args(["-c", "cat \"$1\"", "sh"]).arg(root.path("/var/lib/dpkg/info/pith.conffiles")),
    )?;
    ensure!(conffiles == "/etc/pith/pith.env\n/etc/pith/owner.env\n", "the conffiles are {conffiles}");
    Ok(())
}

/// The id of the user pith, which is that of its group.
fn user(root: &Root) -> Result<u32> {
    let accounts = root.read("/etc/passwd")?;
    let line = accounts.lines().find(|line| line.starts_with("pith:")).context("there is no user pith")?;
    let fields: Vec<&str> = line.split(':').collect();
    ensure!(fields[2] == fields[3], "the user's id is not its group's: {line}");
    ensure!(line.ends_with(":/var/lib/pith:/usr/sbin/nologin"), "the user could log in: {line}");
    Ok(fields[2].parse()?)
}

fn check_secret(root: &Root) -> Result<()> {
    let text = root.read("/etc/pith/secret.env")?;
    let secret = text.trim().strip_prefix("PITH_SECRET=").context("there is none")?;
    ensure!(secret.len() == 44, "it has {} characters", secret.len());
    let shipped = root.read("/etc/pith/pith.env")?;
    let usable = |line: &&str| {
        ["DATABASE_URL=", "PITH_SECRET=", "STRIPE_"].iter().any(|name| line.starts_with(name)) && !line.ends_with('=')
    };
    ensure!(shipped.lines().find(usable).is_none(), "the package ships a value that must be the operator's");
    Ok(())
}

fn check_units(root: &Root) -> Result<()> {
    let folder = root.path("/usr/lib/systemd/system");
    // The targets that every unit is ordered by.
    for entry in fs::read_dir("/usr/lib/systemd/system")? {
        let path = entry?.path();
        if path.extension().is_some_and(|kind| kind == "target" || kind == "slice") {
            fs::copy(&path, root.path(&path))?;
        }
    }
    for unit in ["pith.service", "pith-worker@1.service"] {
        let mut verify = Command::new("systemd-analyze");
        verify.args(["verify", "--man=no"]).arg(format!("--root={}", root.folder().display())).arg(unit);
        process::output(&mut verify)?;
    }
    let mut security = Command::new("systemd-analyze");
    security.args(["security", "--offline=true", "--no-pager", &format!("--threshold={EXPOSURE}")]);
    process::output(security.arg(folder.join("pith.service"))).map(drop)
}

/// Fills in the settings as an operator would: in their lines where there are some.
fn configure(root: &Root, settings: &[(&str, String)]) -> Result<()> {
    let mut text = root.read("/etc/pith/pith.env")?;
    for (name, value) in settings {
        let line = format!("{name}={value}");
        let there = text.lines().find(|line| line.starts_with(&format!("{name}="))).map(str::to_owned);
        text = match there {
            Some(old) => text.replacen(&format!("\n{old}\n"), &format!("\n{line}\n"), 1),
            None => format!("{text}{line}\n"),
        };
    }
    fs::write(root.path("/etc/pith/pith.env"), text)?;
    Ok(())
}

fn start(root: &Root, address: SocketAddr, log: &Path) -> Result<Running> {
    let mut serve = root.command(None, "/usr/sbin/pithctl")?;
    serve.arg("serve").stdin(Stdio::null()).stdout(Stdio::null()).stderr(File::create(log)?);
    let mut server = Running::spawn(&mut serve, "the installed server")?;
    server::await_ready(&mut server, address, "/readyz", READY_LIMIT).with_context(|| last_lines(log))?;
    Ok(server)
}

fn check_process(root: &Root, server: &Running) -> Result<()> {
    let read = |name: &str| fs::read(format!("/proc/{}/{name}", server.id()));
    let status = String::from_utf8_lossy(&read("status")?).into_owned();
    let user = user(root)?.to_string();
    let uid = status.lines().find_map(|line| line.strip_prefix("Uid:")).context("no user")?;
    ensure!(uid.split_whitespace().all(|id| id == user), "it runs as {uid}");
    let environment = String::from_utf8_lossy(&read("environ")?).into_owned();
    ensure!(!environment.contains("DATABASE_OWNER_URL"), "the server knows the owner of the tables");
    ensure!(environment.contains("PITH_SECRET="), "the server has no secret of the installation");
    Ok(())
}

/// Upgrades to the package, first with a database that can't be reached, then removes it.
pub(super) fn check_upgrade_and_removal(
    site: &Site<'_>,
    parts: &Parts<'_>,
    installed: Installed,
    package: &Path,
    checks: &mut Checks,
) -> Result<()> {
    let Installed { root, address, mut server, .. } = installed;
    let settings = settings(site, address);
    let secret = root.read("/etc/pith/secret.env")?;
    let owner = root.read("/etc/pith/owner.env")?;
    root.write("/etc/pith/owner.env", "DATABASE_OWNER_URL=postgres://nobody@127.0.0.1:1/pith\n")?;
    let failed = match dpkg(&root, &["--install"], Some(package)) {
        Ok(said) => Err(anyhow::anyhow!("it succeeded: {said}")),
        Err(error) => ensure_that(error.to_string().contains("could not be migrated"), &error.to_string()),
    };
    checks.check_result("an upgrade that can't migrate fails and says what to do", failed);
    checks.check_result("the server of the release before goes on", check_front_page(address));
    root.write("/etc/pith/owner.env", &owner)?;
    let said = dpkg(&root, &["--configure", "pith"], None);
    let migrated = said.and_then(|said| ensure_that(said.contains("The database is up to date"), &said));
    checks.check_result("then the upgrade is finished, and migrates", migrated);
    server.stop(&STOP);
    let version = process::output(
        Command::new("dpkg-query").arg(format!("--admindir={}", root.path("/var/lib/dpkg").display())).args([
            "--show",
            "--showformat=${Version} ${Status}",
            "pith",
        ]),
    )?;
    let expected = format!("{} install ok installed", parts.stamp.version.replace('-', "~"));
    checks.check_result("it is installed", ensure_that(version == expected, &version));
    let kept =
        root.read("/etc/pith/pith.env")?.contains(&settings[1].1) && root.read("/etc/pith/secret.env")? == secret;
    checks.check_result("an upgrade keeps settings and secret", ensure_that(kept, "they have changed"));
    let mut server = start(&root, address, &site.folder.join("upgraded.log"))?;
    checks.check_result("the upgraded server answers its front page", check_front_page(address));
    server.stop(&STOP);

    dpkg(&root, &["--remove", "pith"], None)?;
    let is_kept = |path: &str| root.path(path).exists();
    let removed = !is_kept("/usr/bin/pith") && is_kept("/etc/pith/pith.env") && is_kept("/var/lib/pith/media");
    checks.check_result("a removal keeps settings and files", ensure_that(removed, "it does not"));
    let said = dpkg(&root, &["--purge", "pith"], None)?;
    let purged = !is_kept("/etc/pith/pith.env") && is_kept("/var/lib/pith/media") && is_kept("/etc/pith/secret.env");
    checks.check_result(
        "a purge keeps what a database still needs, and says so",
        ensure_that(purged && said.contains("are kept"), &said),
    );
    Ok(())
}
