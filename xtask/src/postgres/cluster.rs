//! One Postgres cluster: its folder, its start, its stop.
//!
//! The npm packages and Debian's provide `initdb`, `postgres` and `pg_ctl`, which this runs. `pg_ctl start` is not used, because
//! it runs Postgres in the background, where it would outlive a killed run and keep the memory that its tests filled.
//! Crates that run a Postgres (`postgresql_embedded`, `pgtemp`) download it from GitHub and need tokio.

use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{Read, Seek, SeekFrom, Write as _};
use std::net::Ipv4Addr;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use percent_encoding::{NON_ALPHANUMERIC, percent_encode};
use rustix::process::{Signal, kill_process};

use super::account::Account;
use super::locate;
use super::pidfile::PidFile;
use super::urls::DatabaseUrls;
use crate::checkout::Checkout;
use crate::console::say;
use crate::process::{self, Running};
use crate::{ports, signals};

/// The product's database in a permanent cluster.
const DATABASE: &str = "pith";
/// The role that owns everything in our clusters.
const OWNER: &str = "pith";
/// The server's role, with the rights that `pith migrate` grants.
const APPLICATION: &str = "pith_app";
/// Systems limit a socket's path to a little over a hundred bytes.
const LONGEST_SOCKET_PATH: usize = 99;
/// Part of the socket's file name; nothing listens on this TCP port.
const SOCKET_PORT: u16 = 5432;
/// Starting truncates a log file larger than this, in bytes.
const LOG_LIMIT: u64 = 10 << 20;
/// Timeout of a start. After a crash Postgres first replays its WAL, which may be long.
const START_LIMIT: Duration = Duration::from_mins(5);
/// How long to retry a start: backends of a killed Postgres may take a moment to exit, and hold its memory until then.
const RETRY_LIMIT: Duration = Duration::from_secs(20);
/// Fast shutdown (rolls open transactions back), then immediate (recovers at the next start).
const STOP: [(Signal, Duration); 2] = [(Signal::INT, Duration::from_secs(30)), (Signal::QUIT, Duration::from_secs(5))];

/// The purpose of a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Permanent: acknowledged writes survive a crash.
    Kept,
    /// For one test run: fast, and removed afterwards.
    Throwaway,
}

/// A running cluster; stopped when dropped.
pub(crate) struct Cluster {
    postgres: Running,
    place: Place,
    passwords: Passwords,
    files: Files,
    bin: PathBuf,
    account: Account,
}

/// The passwords of a cluster's two roles.
struct Passwords {
    owner: String,
    application: String,
}

impl Passwords {
    fn read(files: &Files) -> Result<Self> {
        let read = |path: &Path| fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()));
        Ok(Self { owner: read(&files.password())?, application: read(&files.application_password())? })
    }

    fn urls(&self, place: &Place) -> DatabaseUrls {
        DatabaseUrls {
            application: place.url(APPLICATION, &self.application, DATABASE),
            owner: Some(place.url(OWNER, &self.owner, DATABASE)),
        }
    }
}

/// How a cluster is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Place {
    Socket(PathBuf),
    Loopback(u16),
}

impl Place {
    fn url(&self, user: &str, password: &str, database: &str) -> String {
        format!("postgres://{user}:{password}@{}/{database}", self.host())
    }

    /// Host and port in a URL.
    fn host(&self) -> String {
        match self {
            Self::Socket(folder) => {
                let folder = percent_encode(folder.as_os_str().as_encoded_bytes(), NON_ALPHANUMERIC);
                format!("{folder}:{SOCKET_PORT}")
            }
            Self::Loopback(port) => format!("127.0.0.1:{port}"),
        }
    }
}

/// The file paths of a cluster.
pub(super) struct Files {
    dir: PathBuf,
}

impl Files {
    /// The files of the cluster in this folder, which exists.
    pub(super) fn at(dir: &Path) -> Result<Self> {
        Ok(Self { dir: dir.canonicalize().with_context(|| format!("cannot enter {}", dir.display()))? })
    }

    pub(super) fn data(&self) -> PathBuf {
        self.dir.join("data")
    }

    fn socket(&self) -> PathBuf {
        self.dir.join("run")
    }

    pub(super) fn password(&self) -> PathBuf {
        self.dir.join("password")
    }

    /// The password file of the server's role.
    pub(super) fn application_password(&self) -> PathBuf {
        self.dir.join("application-password")
    }

    fn log(&self) -> PathBuf {
        self.dir.join("log")
    }

    /// The major version that created the cluster; `None` when there is no cluster.
    pub(super) fn version(&self) -> Result<Option<u32>> {
        let path = self.data().join("PG_VERSION");
        match fs::read_to_string(&path) {
            Ok(text) => {
                Ok(Some(text.trim().parse().with_context(|| format!("{} holds `{}`", path.display(), text.trim()))?))
            }
            Err(_) if !self.data().exists() => Ok(None),
            Err(error) => Err(error).with_context(|| {
                format!("{} is not a Postgres cluster: move it away and start again", self.data().display())
            }),
        }
    }
}

impl Cluster {
    /// Creates the cluster in `dir` when it does not exist, and starts it. The caller holds the folder's lock: a Postgres that
    /// still runs in it was left by a process that died, and is stopped first.
    pub(crate) fn start(checkout: &Checkout, dir: &Path, kind: Kind) -> Result<Self> {
        fs::create_dir_all(dir).with_context(|| format!("cannot make {}", dir.display()))?;
        let files = Files::at(dir)?;
        let version = files.version()?;
        let programs = locate::find(checkout, version)?;
        let account = Account::choose(&programs.bin)?;
        if version.is_none() {
            make(&files, &programs.bin, &account, kind)?;
        }
        stop_leftover(&files.data(), &programs.bin, &account)?;
        // A cluster of an earlier release has no such password. `pith migrate` creates the role with it.
        if !files.application_password().exists() {
            write_password(&files.application_password(), &account)?;
        }
        let passwords = Passwords::read(&files)?;
        let begin = Instant::now();
        loop {
            match launch(&files, &programs.bin, &account, kind)? {
                Launch::Ready(postgres, place) => {
                    return Ok(Self { postgres, place, passwords, files, bin: programs.bin, account });
                }
                Launch::InTheWay(_) if begin.elapsed() < RETRY_LIMIT => thread::sleep(Duration::from_millis(200)),
                Launch::InTheWay(log) | Launch::Failed(log) => {
                    bail!("Postgres did not start; the end of {} says:\n{log}", files.log().display())
                }
            }
            signals::check()?;
        }
    }

    /// The URL of the product's database in a permanent cluster, for its owner.
    pub(crate) fn url(&self) -> String {
        self.place.url(OWNER, &self.passwords.owner, DATABASE)
    }

    /// The URLs of the product's database in a permanent cluster.
    pub(crate) fn urls(&self) -> DatabaseUrls {
        self.passwords.urls(&self.place)
    }

    /// The URL of the maintenance database, from which others are created.
    pub(crate) fn admin_url(&self) -> String {
        self.place.url(OWNER, &self.passwords.owner, "postgres")
    }

    /// The URLs of the product's database in the cluster that another process runs in `dir`.
    pub(crate) fn urls_of_running(dir: &Path) -> Result<DatabaseUrls> {
        let files = Files::at(dir)?;
        let data = files.data();
        let found = PidFile::read(&data).filter(|file| file.ready && file.is_alive(&data));
        let file = found.context("its Postgres is not ready; wait until it is")?;
        let passwords = Passwords::read(&files)?;
        let place = match (file.socket, file.port) {
            (Some(folder), _) => Place::Socket(folder.into()),
            (None, Some(port)) => Place::Loopback(port),
            (None, None) => bail!("its Postgres listens nowhere"),
        };
        Ok(passwords.urls(&place))
    }

    /// The URLs of the product's database in whichever of these clusters accepts writes. They have the same passwords, as a standby has
    /// those of its primary.
    pub(crate) fn urls_of_primary(clusters: &[&Self]) -> Option<DatabaseUrls> {
        let hosts = clusters.iter().map(|cluster| cluster.place.host()).collect::<Vec<_>>().join(",");
        let passwords = &clusters.first()?.passwords;
        let url = |user: &str, password: &str| {
            format!("postgres://{user}:{password}@{hosts}/{DATABASE}?target_session_attrs=read-write")
        };
        Some(DatabaseUrls {
            application: url(APPLICATION, &passwords.application),
            owner: Some(url(OWNER, &passwords.owner)),
        })
    }

    /// What a pooler needs to connect: the host or the socket's folder, and the port.
    pub(crate) fn host_and_port(&self) -> (String, u16) {
        match &self.place {
            Place::Socket(folder) => (folder.display().to_string(), SOCKET_PORT),
            Place::Loopback(port) => ("127.0.0.1".to_owned(), *port),
        }
    }

    /// The names and passwords of the two roles: the owner of the tables, and the server's.
    pub(crate) fn roles(&self) -> [(&'static str, &str); 2] {
        [(OWNER, &self.passwords.owner), (APPLICATION, &self.passwords.application)]
    }

    /// What Postgres has logged.
    pub(crate) fn log(&self) -> String {
        log_since(&self.files.log(), 0)
    }

    /// Makes a standby the primary; returns when it accepts writes.
    pub(crate) fn promote(&self) -> Result<()> {
        let mut promote = self.account.command(&self.bin.join("pg_ctl"));
        promote.arg("promote").arg("--pgdata").arg(self.files.data()).args(["--wait", "--timeout"]);
        promote.arg(START_LIMIT.as_secs().to_string());
        process::output(in_english(&mut promote, &self.files.dir)).map(drop).context("cannot promote the standby")
    }

    /// Fails when Postgres has died.
    pub(crate) fn check(&mut self) -> Result<()> {
        match self.postgres.ended()? {
            None => Ok(()),
            Some(status) => bail!("Postgres ended by itself ({status})"),
        }
    }

    /// Stops all of its processes where they are, as when the machine hangs, until the value is dropped.
    pub(crate) fn pause(&self) -> Result<Pause<'_>> {
        let pause = Pause(self);
        self.signal_all(Signal::STOP)?;
        Ok(pause)
    }

    /// Sends a signal to the main process, and then to its children.
    fn signal_all(&self, signal: Signal) -> Result<()> {
        let main = process::pid(self.postgres.id());
        let _ = main.map(|main| kill_process(main, signal));
        for child in process::children(self.postgres.id())?.into_iter().filter_map(process::pid) {
            // It may have ended since.
            let _ = kill_process(child, signal);
        }
        Ok(())
    }

    /// Kills all of its processes at once, as when the machine loses power.
    pub(crate) fn kill(mut self) -> Result<()> {
        // A child that starts after this call finds its parent dead and exits by itself.
        let children = process::children(self.postgres.id())?;
        self.postgres.kill_without_warning();
        for child in children.into_iter().filter_map(process::pid) {
            let _ = kill_process(child, Signal::KILL);
        }
        Ok(())
    }

    fn stop(&mut self) {
        self.postgres.stop(&STOP);
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.stop();
    }
}

/// The time in which a cluster does not respond; it ends when this is dropped.
pub(crate) struct Pause<'a>(&'a Cluster);

impl Drop for Pause<'_> {
    fn drop(&mut self) {
        // Where the processes can't be listed they could not be stopped either.
        let _ = self.0.signal_all(Signal::CONT);
    }
}

/// Creates a cluster in a temporary place and renames it when complete, so that a crash leaves no partial cluster.
fn make(files: &Files, bin: &Path, account: &Account, kind: Kind) -> Result<()> {
    let fresh = files.dir.join("data.new");
    if fresh.exists() {
        fs::remove_dir_all(&fresh).with_context(|| format!("cannot remove {}", fresh.display()))?;
    }
    fs::create_dir(&fresh)?;
    fs::set_permissions(&fresh, Permissions::from_mode(0o700))?;
    account.own(&fresh)?;
    write_password(&files.password(), account)?;

    let mut initdb = account.command(&bin.join("initdb"));
    initdb.arg("--pgdata").arg(&fresh).arg("--pwfile").arg(files.password());
    initdb.args(["--username", OWNER, "--auth=scram-sha-256", "--encoding=UTF8", "--no-locale", "--no-instructions"]);
    if kind == Kind::Throwaway {
        initdb.arg("--no-sync");
    }
    process::output(in_english(&mut initdb, &files.dir)).context("cannot make a Postgres cluster")?;

    if kind == Kind::Kept {
        // Postgres in single-user mode creates the database, so that no client program is needed.
        let mut single = account.command(&bin.join("postgres"));
        single.arg("--single").arg("-D").arg(&fresh).arg("postgres");
        single.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut single = in_english(&mut single, &files.dir).spawn().context("cannot start Postgres alone")?;
        if let Some(mut stdin) = single.stdin.take() {
            writeln!(stdin, "CREATE DATABASE {DATABASE}")?;
        }
        let output = single.wait_with_output()?;
        let said = String::from_utf8_lossy(&output.stderr);
        if !output.status.success() || said.contains("ERROR:") || said.contains("FATAL:") {
            bail!("Postgres did not make the database: {}", said.trim());
        }
    }
    fs::rename(&fresh, files.data()).context("cannot move the new cluster to its place")?;
    Ok(())
}

/// Writes a random password to a file that only this account and root can read.
fn write_password(path: &Path, account: &Account) -> Result<()> {
    let mut random = [0_u8; 24];
    File::open("/dev/urandom")?.read_exact(&mut random).context("cannot read random bytes")?;
    let mut password = String::new();
    for byte in random {
        write!(password, "{byte:02x}")?;
    }
    let mut file = OpenOptions::new().create(true).write(true).truncate(true).open(path)?;
    file.set_permissions(Permissions::from_mode(0o600))?;
    file.write_all(password.as_bytes())?;
    account.own(path)
}

/// Stops an orphaned Postgres of `data`. If its process is gone but its id belongs to another process now, removes the
/// pid file, which Postgres would otherwise trust.
fn stop_leftover(data: &Path, bin: &Path, account: &Account) -> Result<()> {
    let Some(file) = PidFile::read(data) else {
        return Ok(());
    };
    if !file.is_alive(data) {
        let path = data.join("postmaster.pid");
        return match fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(error).with_context(|| format!("cannot remove {}", path.display()))
            }
            _ => Ok(()),
        };
    }
    say!("A Postgres of an earlier start still runs (process {}); stopping it.", file.pid);
    for mode in ["fast", "immediate"] {
        let mut stop = account.command(&bin.join("pg_ctl"));
        stop.arg("stop").arg("--pgdata").arg(data).args(["--mode", mode, "--timeout", "30", "--silent"]);
        if process::output(in_english(&mut stop, data)).is_ok() {
            return Ok(());
        }
    }
    bail!("the Postgres of {} (process {}) does not stop", data.display(), file.pid)
}

/// The result of one attempt to start Postgres.
enum Launch {
    Ready(Running, Place),
    /// Something of an earlier Postgres still holds a resource; with the end of the log.
    InTheWay(String),
    /// Another failure; with the end of the log.
    Failed(String),
}

fn launch(files: &Files, bin: &Path, account: &Account, kind: Kind) -> Result<Launch> {
    let data = files.data();
    let place = place(files, account)?;
    let mut command = account.bound_command(&bin.join("postgres"), "INT");
    command.arg("-D").arg(&data);
    match &place {
        Place::Socket(folder) => {
            command.arg("-k").arg(folder).args(["-h", "", "-p", &SOCKET_PORT.to_string()]);
        }
        Place::Loopback(port) => {
            command.args(["-k", "", "-h", "127.0.0.1", "-p", &port.to_string()]);
        }
    }
    for setting in settings(kind) {
        command.args(["-c", setting]);
    }
    let (log, log_start) = open_log(&files.log())?;
    command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
    let mut postgres = Running::spawn(in_english(&mut command, &files.dir), "Postgres")?;

    let begin = Instant::now();
    let mut said = false;
    loop {
        if postgres.ended()?.is_some() {
            let log = log_since(&files.log(), log_start);
            let in_the_way = ["still in use", "Address already in use", "already exists"];
            return Ok(if in_the_way.iter().any(|text| log.contains(text)) {
                Launch::InTheWay(log)
            } else {
                Launch::Failed(log)
            });
        }
        if PidFile::read(&data).is_some_and(|file| file.pid == postgres.id() && file.ready) {
            return Ok(Launch::Ready(postgres, place));
        }
        signals::check()?;
        if begin.elapsed() > START_LIMIT {
            return Ok(Launch::Failed(log_since(&files.log(), log_start)));
        }
        if !said && begin.elapsed() > Duration::from_secs(5) {
            said = true;
            say!("Postgres is still getting ready (it may be replaying its log after a crash) …");
        }
        thread::sleep(Duration::from_millis(10));
    }
}

/// A socket in the cluster's own folder, or a loopback port if its path would be too long.
fn place(files: &Files, account: &Account) -> Result<Place> {
    let folder = files.socket();
    let path = folder.join(format!(".s.PGSQL.{SOCKET_PORT}.lock"));
    if path.as_os_str().len() > LONGEST_SOCKET_PATH {
        return Ok(Place::Loopback(loopback_port(files)?));
    }
    fs::create_dir_all(&folder)?;
    fs::set_permissions(&folder, Permissions::from_mode(0o700))?;
    account.own(&folder)?;
    // Only this cluster's sockets are in here, and its process is gone: leftover files refer to process ids that may belong to
    // others by now.
    for name in [format!(".s.PGSQL.{SOCKET_PORT}"), format!(".s.PGSQL.{SOCKET_PORT}.lock")] {
        let _ = fs::remove_file(folder.join(name));
    }
    Ok(Place::Socket(folder))
}

/// The port of the last start if it is free, so that URLs stay valid; or another one.
fn loopback_port(files: &Files) -> Result<u16> {
    let path = files.dir.join("port");
    let last = fs::read_to_string(&path).ok().and_then(|text| text.parse().ok());
    if let Some(port) = last.filter(|port| ports::is_free(Ipv4Addr::LOCALHOST.into(), *port)) {
        return Ok(port);
    }
    let port = ports::free_on_loopback()?;
    fs::write(&path, port.to_string()).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(port)
}

fn settings(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Kept => &["timezone=UTC", "log_timezone=UTC", "max_connections=100"],
        // Nothing has to survive a crash; every test has its own database and pool.
        Kind::Throwaway => &[
            "timezone=UTC",
            "log_timezone=UTC",
            "max_connections=300",
            "fsync=off",
            "synchronous_commit=off",
            "full_page_writes=off",
            "autovacuum=off",
            "wal_level=minimal",
            "max_wal_senders=0",
        ],
    }
}

/// Sets English messages, which can be parsed and searched, and a working directory that the account may enter.
fn in_english<'a>(command: &'a mut Command, dir: &Path) -> &'a mut Command {
    command.env("LC_ALL", "C").env_remove("PGDATA").env_remove("PGHOST").env_remove("PGPORT").current_dir(dir)
}

fn open_log(path: &Path) -> Result<(File, u64)> {
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    if file.metadata()?.len() > LOG_LIMIT {
        file.set_len(0)?;
    }
    let start = file.seek(SeekFrom::End(0))?;
    Ok((file, start))
}

fn log_since(path: &Path, start: u64) -> String {
    let read = || -> Result<String> {
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start(start))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).trim().to_owned())
    };
    read().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_made_for_libpq() {
        let socket = Place::Socket(PathBuf::from("/home/a b/run"));
        assert_eq!(socket.url("pith", "secret", "pith"), "postgres://pith:secret@%2Fhome%2Fa%20b%2Frun:5432/pith");
        assert_eq!(Place::Loopback(21_000).url("pith_app", "s", "pith"), "postgres://pith_app:s@127.0.0.1:21000/pith");
    }

    #[test]
    fn a_long_folder_is_reached_over_loopback() {
        let short = tempfile::tempdir().unwrap();
        let files = Files { dir: short.path().to_owned() };
        assert_eq!(place(&files, &Account::Own).unwrap(), Place::Socket(short.path().join("run")));

        let long = Files { dir: short.path().join("x".repeat(100)) };
        fs::create_dir(&long.dir).unwrap();
        let first = place(&long, &Account::Own).unwrap();
        assert!(matches!(first, Place::Loopback(_)));
        assert_eq!(place(&long, &Account::Own).unwrap(), first, "a restart does not change the URL");
    }

    #[test]
    fn a_folder_that_is_no_cluster_is_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let files = Files { dir: dir.path().to_owned() };
        assert_eq!(files.version().unwrap(), None);
        fs::create_dir(files.data()).unwrap();
        assert!(files.version().unwrap_err().to_string().contains("is not a Postgres cluster"));
        fs::write(files.data().join("PG_VERSION"), "15\n").unwrap();
        assert_eq!(files.version().unwrap(), Some(15));
    }

    /// A folder that other accounts may traverse: under root the cluster belongs to `nobody`.
    fn folder() -> tempfile::TempDir {
        tempfile::Builder::new().permissions(Permissions::from_mode(0o711)).tempdir().unwrap()
    }

    #[test]
    fn a_cluster_starts_again_after_a_kill_and_stops_one_that_was_left_behind() {
        let checkout = Checkout::find().unwrap();
        let dir = folder();
        let data = dir.path().canonicalize().unwrap().join("data");
        let start = || Cluster::start(&checkout, dir.path(), Kind::Kept).unwrap();

        let mut cluster = start();
        let url = cluster.url();
        assert!(url.ends_with("/pith"), "{url}");
        let urls = cluster.urls();
        assert_eq!(urls.owner.as_ref(), Some(&url));
        assert_ne!(urls.application, url);
        assert_eq!(Cluster::urls_of_running(dir.path()).unwrap(), urls);
        assert!(cluster.check().is_ok());
        cluster.kill().unwrap();
        assert!(PidFile::read(&data).is_some(), "a killed Postgres cannot tidy up");

        let left_behind = start();
        let pid = left_behind.postgres.id();
        std::mem::forget(left_behind);
        let cluster = start();
        assert_ne!(cluster.postgres.id(), pid);
        assert_eq!(cluster.urls(), urls, "the password is the cluster's, not the start's");

        drop(cluster);
        assert_eq!(PidFile::read(&data), None);
        assert!(Cluster::urls_of_running(dir.path()).is_err());
    }

    #[test]
    fn a_throwaway_cluster_is_reached_over_loopback_where_the_folder_is_deep() {
        let dir = folder();
        let deep = dir.path().join("d".repeat(80));
        let cluster = Cluster::start(&Checkout::find().unwrap(), &deep, Kind::Throwaway).unwrap();
        assert!(cluster.admin_url().contains("@127.0.0.1:"), "{}", cluster.admin_url());
        assert!(std::net::TcpStream::connect(cluster.admin_url().split(['@', '/']).nth(3).unwrap()).is_ok());
    }
}
