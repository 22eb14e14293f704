//! A site to measure: an instance with production durability and synthetic books, and the release build of the server.

use std::fs;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rustix::process::Signal;
use ureq::http::header;

use super::request::Request;
use crate::checkout::Checkout;
use crate::home::Home;
use crate::http::{self, Client};
use crate::instance::{Instance, PASSWORD};
use crate::postgres::{Cluster, Database, DatabaseUrls, psql};
use crate::process::{self, Running};
use crate::server::{self, Profile};
use crate::{frontend, ports, tools};

/// Linux reports processor time in hundredths of a second, and memory in pages.
const TICK: Duration = Duration::from_millis(10);
const PAGE: u64 = 4096;
const START_LIMIT: Duration = Duration::from_secs(30);

/// Whether the server caches responses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cache {
    On,
    /// Every request reaches the database.
    Off,
}

/// The measured programs: the server's release build, and the tool with synthetic data.
pub(super) struct Programs<'a> {
    checkout: &'a Checkout,
    pith: PathBuf,
    pub(super) synthetic: PathBuf,
}

impl<'a> Programs<'a> {
    pub(super) fn build(checkout: &'a Checkout) -> Result<Self> {
        tools::ensure_build_tools()?;
        frontend::install_packages(checkout)?;
        frontend::build(checkout)?;
        println!("Building the server as it is shipped …");
        let pith = server::build(checkout, Profile::Release)?;
        let synthetic = server::build_synthetic(checkout, Profile::Release)?;
        Ok(Self { checkout, pith, synthetic })
    }

    /// Creates a site with the demo content and `books` synthetic books.
    pub(super) fn set_up(&self, books: u32) -> Result<Site<'a>> {
        self.set_up_with(books, books)
    }

    /// Creates a site with the demo content, `books` synthetic books and as many `members`.
    pub(super) fn set_up_with(&self, books: u32, members: u32) -> Result<Site<'a>> {
        let folder = self.folder(books)?;
        println!("Starting a Postgres and loading {books} books and {members} members …");
        let (instance, cluster) = Instance::set_up(self.checkout, &self.pith, &folder.0)?;
        let (urls, cluster) = (cluster.urls(), Some(cluster));
        let site = Site { synthetic: self.synthetic.clone(), instance, urls, _cluster: cluster, folder };
        let mut load = site.instance.command(&site.synthetic, &site.urls);
        // Writes in bulk, bypassing the domain rules.
        load.env("DATABASE_URL", site.database());
        load.args(["books", &books.to_string(), "--members", &members.to_string()]);
        process::output(&mut load)?;
        // Updates statistics and writes out what was loaded, so that neither happens during a measurement.
        psql(&site.database(), "VACUUM ANALYZE")?;
        psql(&site.database(), "CHECKPOINT")?;
        Ok(site)
    }

    /// The site of `DATABASE_URL` and `PITH_HOME`, which `cargo xtask seed --scale` has filled. It stays.
    pub(super) fn given_site(&self) -> Result<Option<Site<'a>>> {
        let Some(urls) = Database::given() else { return Ok(None) };
        let (instance, folder) =
            (Instance::at(self.checkout, &self.pith, Home::open(self.checkout)?)?, self.folder(0)?);
        Ok(Some(Site { synthetic: self.synthetic.clone(), instance, urls, _cluster: None, folder }))
    }

    fn folder(&self, number: u32) -> Result<Folder> {
        let place = self.checkout.target()?.join(format!("xtask/bench-{}-{number}", std::process::id()));
        fs::create_dir_all(&place)?;
        Ok(Folder(place.canonicalize()?))
    }
}

/// A site; dropping it removes its data, unless it was given.
pub(super) struct Site<'a> {
    synthetic: PathBuf,
    instance: Instance<'a>,
    urls: DatabaseUrls,
    // Fields are dropped in this order: Postgres stops before its folder goes.
    _cluster: Option<Cluster>,
    folder: Folder,
}

/// A folder below cargo's target folder, so that it is on the same disk as the checkout.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Site<'_> {
    /// The URL of its database, for the owner.
    pub(super) fn database(&self) -> String {
        self.urls.owner.clone().unwrap_or_else(|| self.urls.application.clone())
    }

    /// A folder for additional files of a benchmark.
    pub(super) fn folder(&self) -> &Path {
        &self.folder.0
    }

    /// How many books, members, rows of history and movements of the ledger it has.
    pub(super) fn describe(&self) -> Result<String> {
        let counts = psql(
            &self.database(),
            "SELECT (SELECT count(*) FROM books) || ' books, ' || (SELECT count(*) FROM users) || ' members, ' || \
             (SELECT count(*) FROM history) || ' rows of history, ' || (SELECT count(*) FROM ledger_transactions) || ' movements'",
        )?;
        Ok(counts.trim().to_owned())
    }

    /// The longest run of ids without a gap, from which clients can pick by number.
    pub(super) fn book_ids(&self) -> Result<Vec<u64>> {
        let text = psql(&self.database(), "SELECT id FROM books WHERE published AND NOT coming_soon ORDER BY id")?;
        let ids =
            text.split_whitespace().map(str::parse).collect::<Result<Vec<u64>, _>>().context("ids are numbers")?;
        let run = ids.chunk_by(|one, next| one + 1 == *next).max_by_key(|run| run.len()).unwrap_or_default();
        if run.is_empty() {
            bail!("the scale seed left no books");
        }
        Ok(run.to_vec())
    }

    /// The number of rows in all tables of the product.
    pub(super) fn count_rows(&self) -> Result<u64> {
        let text = psql(
            &self.database(),
            "SELECT sum((xpath('/row/rows/text()', query_to_xml( \
                 format('SELECT count(*) AS rows FROM %I.%I', schemaname, tablename), false, true, '')))[1]::text::bigint) \
             FROM pg_tables WHERE schemaname = current_schema() AND tablename NOT LIKE 'bench%'",
        )?;
        text.trim().parse().context("a count is a number")
    }

    /// Starts the server.
    pub(super) fn serve(&self, cache: Cache) -> Result<RunningServer> {
        self.serve_with([("PITH_CACHE", if cache == Cache::On { "on" } else { "off" })])
    }

    /// Starts the server with these settings.
    pub(super) fn serve_with<const N: usize>(&self, settings: [(&str, &str); N]) -> Result<RunningServer> {
        RunningServer::start(self.instance.pith_on(&self.urls).arg("serve").envs(settings), "/readyz")
    }

    /// Starts the server that measures the limit: the same web framework with a static response.
    pub(super) fn serve_static(&self) -> Result<RunningServer> {
        RunningServer::start(self.instance.command(&self.synthetic, &self.urls).arg("serve-static"), "/")
    }
}

/// A server that takes requests; stopped when dropped.
pub(super) struct RunningServer {
    server: Running,
    address: SocketAddr,
    /// Time from the start of the process to its first response.
    pub(super) started_in: Duration,
    /// Memory before any load, in bytes.
    pub(super) idle_memory: Option<u64>,
}

impl RunningServer {
    /// Starts the server on its own port, because two sites are compared side by side.
    fn start(command: &mut Command, path: &str) -> Result<Self> {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, ports::free_on_loopback()?));
        command.env("PORT", address.port().to_string()).stdin(Stdio::null()).stdout(Stdio::null());
        let begin = Instant::now();
        let mut server = Running::spawn(command, "the server")?;
        server::await_ready(&mut server, address, path, START_LIMIT)?;
        let started_in = begin.elapsed();
        let idle_memory = memory_of(server.id());
        Ok(Self { server, address, started_in, idle_memory })
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(super) fn client(&self) -> Client {
        Client::new(self.address)
    }

    /// Logs a demo account in and returns the access token.
    pub(super) fn log_in(&self, email: &str) -> Result<String> {
        self.client().log_in(email, PASSWORD)
    }

    /// Its process.
    pub(super) fn id(&self) -> u32 {
        self.server.id()
    }

    /// Current memory, in bytes.
    pub(super) fn memory(&self) -> Option<u64> {
        memory_of(self.server.id())
    }

    /// Processor time so far, user and system.
    pub(super) fn processor_time(&self) -> Option<Duration> {
        let field = |number| process::stat_field(self.server.id(), number)?.parse::<u32>().ok();
        Some(TICK * (field(14)? + field(15)?))
    }

    /// The cookie of a device from which this account has logged in before: such a login sends no notification mail.
    pub(super) fn device_cookie(&self, email: &str) -> Result<String> {
        let answer = Request::log_in(email).send(&http::agent(), &self.url())?;
        let cookies = answer.headers().get_all(header::SET_COOKIE).iter().filter_map(|cookie| cookie.to_str().ok());
        let mut cookies = cookies.filter_map(|cookie| cookie.split(';').next());
        let cookie = cookies.find(|cookie| cookie.starts_with("device="));
        cookie.map(str::to_owned).context("the login sets no cookie for the device")
    }
}

impl Drop for RunningServer {
    fn drop(&mut self) {
        self.server.stop(&[(Signal::TERM, Duration::from_secs(10))]);
    }
}

fn memory_of(process: u32) -> Option<u64> {
    Some(process::stat_field(process, 24)?.parse::<u64>().ok()? * PAGE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linux_tells_the_memory_of_a_process() {
        let own = memory_of(std::process::id());
        assert!(!cfg!(target_os = "linux") || own.is_some_and(|bytes| bytes > 1 << 20), "{own:?}");
    }
}
