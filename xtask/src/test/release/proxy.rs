//! The examples of reverse proxies, in front of the installed server.
//!
//! Only addresses, certificates and paths of logs are replaced: the rules that are tested are those that an operator copies.

use std::fs::{self, File};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::package::Installed;
use super::{Checks, Site, program};
use crate::console::say;
use crate::http::Client;
use crate::instance::PASSWORD;
use crate::process::{self, Running};
use crate::{ports, signals, tools};

const HOST: &str = "books.example";
/// The client's address, which is not the proxy's.
const CLIENT: &str = "127.0.0.2";
/// An address that the client pretends to have.
const FORGED: &str = "203.0.113.77";
/// A part of a path and of a query that no log may have.
const SECRET: &str = "c2VjcmV0LW9mLWEtbWFpbA";
/// Megabytes of the uploaded file: more than any limit of other bodies.
const UPLOAD: usize = 8;
/// Kilobytes of another body: more than the proxies let pass.
const OTHER: usize = 200;
const READY_LIMIT: Duration = Duration::from_secs(30);

/// A proxy that runs.
struct Proxy {
    name: &'static str,
    port: u16,
    running: Running,
    /// Its folder: configuration, certificate, logs.
    folder: PathBuf,
}

/// Puts each proxy in front of the server.
pub(super) fn check(site: &Site<'_>, installed: &Installed, checks: &mut Checks) -> Result<()> {
    tools::ensure_curl()?;
    for (name, ensure, start) in [
        (
            "nginx",
            tools::ensure_nginx as fn() -> Result<()>,
            start_nginx as fn(&Site<'_>, &Path, SocketAddr) -> Result<Proxy>,
        ),
        ("Caddy", tools::ensure_caddy, start_caddy),
    ] {
        say!("{name} in front of the installed server");
        if let Err(error) = ensure() {
            say!("NOT TRIED: {name}: {error:#}");
            continue;
        }
        let folder = site.folder.join(name);
        make_certificate(&folder)?;
        let proxy = start(site, &folder, installed.address)?;
        proxy.check_all(installed, checks);
    }
    Ok(())
}

/// Makes a certificate for the site, signed by itself.
fn make_certificate(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder)?;
    let mut openssl = Command::new(program("openssl")?);
    openssl.current_dir(folder).args([
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:P-256",
        "-nodes",
    ]);
    openssl.args(["-days", "2", "-subj", &format!("/CN={HOST}"), "-addext", &format!("subjectAltName=DNS:{HOST}")]);
    process::output(openssl.args(["-keyout", "key.pem", "-out", "cert.pem"])).map(drop)
}

/// Replaces each text, which must be there: an example that has changed is not tested in part.
fn replace(text: &str, pairs: &[(&str, String)]) -> Result<String> {
    pairs.iter().try_fold(text.to_owned(), |text, (from, to)| {
        ensure!(text.contains(from), "the example has no `{from}` any more");
        Ok(text.replace(from, to))
    })
}

fn start_nginx(site: &Site<'_>, folder: &Path, server: SocketAddr) -> Result<Proxy> {
    let example = fs::read_to_string(site.scratch.checkout.root().join("packaging/nginx.conf"))?;
    let port = ports::free_on_loopback()?;
    let place = folder.display();
    let site_text = replace(
        &example,
        &[
            ("127.0.0.1:4000", server.to_string()),
            ("listen 80;", format!("listen unix:{place}/http.sock;")),
            ("listen [::]:80;", String::new()),
            ("listen 443 ssl http2;", format!("listen 127.0.0.1:{port} ssl http2;")),
            ("listen [::]:443 ssl http2;", String::new()),
            ("/etc/letsencrypt/live/books.example/fullchain.pem", format!("{place}/cert.pem")),
            ("/etc/letsencrypt/live/books.example/privkey.pem", format!("{place}/key.pem")),
            ("/var/log/nginx/", format!("{place}/log-")),
        ],
    )?;
    fs::write(folder.join("site.conf"), site_text)?;
    let main = format!(
        "daemon off;\nuser root;\npid {place}/pid;\nerror_log {place}/log-main crit;\nevents {{}}\nhttp {{\n\
         client_body_temp_path {place}/body;\nproxy_temp_path {place}/proxy;\nfastcgi_temp_path {place}/fastcgi;\n\
         uwsgi_temp_path {place}/uwsgi;\nscgi_temp_path {place}/scgi;\ninclude {place}/site.conf;\n}}\n"
    );
    fs::write(folder.join("nginx.conf"), main)?;
    let mut nginx = Command::new(program("nginx")?);
    nginx.arg("-c").arg(folder.join("nginx.conf")).arg("-p").arg(folder);
    nginx.stdin(Stdio::null()).stdout(Stdio::null()).stderr(File::create(folder.join("log-start"))?);
    Proxy::start("nginx", port, &mut nginx, folder)
}

fn start_caddy(site: &Site<'_>, folder: &Path, server: SocketAddr) -> Result<Proxy> {
    let example = fs::read_to_string(site.scratch.checkout.root().join("packaging/Caddyfile"))?;
    let (port, place) = (ports::free_on_loopback()?, folder.display());
    let own = format!("{{\n\tadmin off\n\tauto_https disable_redirects\n\thttps_port {port}\n\tservers {{");
    let certificate = format!("\ttls {place}/cert.pem {place}/key.pem\n\t@upload path");
    let text = replace(&example, &[("{\n\tservers {", own), ("\t@upload path", certificate)])?;
    fs::write(folder.join("Caddyfile"), text)?;
    let mut caddy = Command::new(program("caddy")?);
    caddy.args(["run", "--config"]).arg(folder.join("Caddyfile")).current_dir(folder);
    caddy.env("HOME", folder).env("SITE_HOST", format!("{HOST}:{port}")).env("PITH_UPSTREAM", server.to_string());
    caddy.env("XDG_DATA_HOME", folder.join("data")).env("XDG_CONFIG_HOME", folder.join("config"));
    caddy.stdin(Stdio::null()).stdout(Stdio::null()).stderr(File::create(folder.join("log-all"))?);
    Proxy::start("Caddy", port, &mut caddy, folder)
}

impl Proxy {
    /// Starts the program and waits until it listens.
    fn start(name: &'static str, port: u16, command: &mut Command, folder: &Path) -> Result<Self> {
        let running = Running::spawn(command, name)?;
        let mut proxy = Self { name, port, running, folder: folder.to_owned() };
        let (address, begin) = (SocketAddr::from((Ipv4Addr::LOCALHOST, port)), Instant::now());
        while std::net::TcpStream::connect(address).is_err() {
            signals::check()?;
            if proxy.running.ended()?.is_some() || begin.elapsed() > READY_LIMIT {
                bail!("{name} does not start: {}", proxy.logs()?);
            }
            thread::sleep(Duration::from_millis(20));
        }
        Ok(proxy)
    }

    fn check_all(&self, installed: &Installed, checks: &mut Checks) {
        let name = self.name;
        let page = self.get("/").and_then(|answer| answer.expect("2 200"));
        checks.check_result(&format!("{name} passes a page on, over HTTP/2"), page);
        let metrics = self.get("/metrics").and_then(|answer| answer.expect("2 404"));
        checks.check_result(&format!("{name} does not pass /metrics on"), metrics);
        checks.check_result(
            &format!("{name} passes the client's address on, and no forged one"),
            self.check_address(installed),
        );
        checks.check_result(
            &format!("{name} passes a large upload on, and no other large body"),
            self.check_bodies(installed),
        );
        checks.check_result(&format!("{name} logs requests and none of their secrets"), self.check_logs());
    }

    /// A request of the client.
    fn curl(&self, path: &str, arguments: &[&str]) -> Result<Answer> {
        let mut curl = Command::new("curl");
        curl.args(["--silent", "--show-error", "--noproxy", "*", "--http2", "--max-time", "60", "--interface", CLIENT]);
        curl.arg("--cacert").arg(self.folder.join("cert.pem"));
        curl.arg("--resolve").arg(format!("{HOST}:{}:127.0.0.1", self.port));
        curl.args(["--header", &format!("X-Forwarded-For: {FORGED}"), "--write-out", "\n%{http_version} %{http_code}"]);
        curl.args(arguments).arg(format!("https://{HOST}:{}{path}", self.port));
        let output = process::output(&mut curl)?;
        let (body, status) = output.rsplit_once('\n').context("curl wrote no status")?;
        Ok(Answer { body: body.to_owned(), status: status.to_owned() })
    }

    fn get(&self, path: &str) -> Result<Answer> {
        self.curl(path, &[])
    }

    /// A login that fails is logged by the server with the client's address.
    fn check_address(&self, installed: &Installed) -> Result<()> {
        let before = fs::read_to_string(&installed.log)?.len();
        let form = r#"{"username":"nobody@example.com","password":"wrong-password"}"#;
        self.curl("/api/user/login", &["--header", "Content-Type: application/json", "--data", form])?;
        let begin = Instant::now();
        loop {
            let log = fs::read_to_string(&installed.log)?;
            let line = log[before..].lines().find(|line| line.contains("\"security\""));
            if let Some(line) = line {
                ensure!(line.contains(&format!("\"{CLIENT}\"")), "the server logs another client: {line}");
                ensure!(!line.contains(FORGED), "the server believes the client: {line}");
                return Ok(());
            }
            ensure!(begin.elapsed() < READY_LIMIT, "the server logs no login: {}", &log[before..]);
            thread::sleep(Duration::from_millis(20));
        }
    }

    fn check_bodies(&self, installed: &Installed) -> Result<()> {
        let client = Client::new(installed.address);
        let token = format!("Authorization: Bearer {}", client.log_in("admin@example.com", PASSWORD)?);
        let books = client.get("/api/books/list", None)?.result()?;
        let book = books["books"].as_object().and_then(|books| books.values().next()).context("there are no books")?;
        let id = match &book["id"] {
            Value::String(id) => id.clone(),
            other => other.to_string(),
        };
        let file = self.folder.join("video.mp4");
        let mut bytes = b"\0\0\0\x20ftypisom".to_vec();
        bytes.resize(UPLOAD * 1_000_000, 0);
        fs::write(&file, &bytes)?;
        let form = format!("file=@{}", file.display());
        let upload = ["--header", &token, "--form", "fileName=video.mp4", "--form", &form];
        self.curl(&format!("/api/admin/books/video/{id}"), &upload)?.expect("2 200")?;
        fs::write(&file, &bytes[..OTHER * 1_000])?;
        let data = format!("@{}", file.display());
        // Over HTTP/1.1: curl fails when a stream of HTTP/2 ends before its body was sent, whatever was answered.
        let other =
            ["--http1.1", "--header", "Content-Type: application/json", "--header", "Expect:", "--data-binary", &data];
        self.curl("/api/events", &other)?.expect("1.1 413")
    }

    /// Requests with secrets, also one that the server does not answer, and what is logged of them.
    fn check_logs(&self) -> Result<()> {
        for path in [
            format!("/reset-password/{SECRET}"),
            format!("/Reset-Password/{SECRET}?x=1"),
            format!("//subscriptioncode/{SECRET}"),
            format!("/login?code={SECRET}&state={SECRET}"),
            format!("/media/x.mp3?signature={SECRET}"),
        ] {
            self.curl(
                &path,
                &[
                    "--header",
                    &format!("Cookie: refresh={SECRET}"),
                    "--header",
                    &format!("Authorization: Bearer {SECRET}"),
                ],
            )?;
        }
        let begin = Instant::now();
        while !self.logs()?.contains("/login") {
            ensure!(begin.elapsed() < READY_LIMIT, "no request is logged: {}", self.logs()?);
            thread::sleep(Duration::from_millis(20));
        }
        let logs = self.logs()?;
        let shown = logs.lines().find(|line| line.contains(SECRET));
        ensure!(shown.is_none(), "a secret is logged: {}", shown.unwrap_or_default());
        Ok(())
    }

    /// All that the proxy has logged.
    fn logs(&self) -> Result<String> {
        let mut all = String::new();
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            if entry.file_name().to_string_lossy().starts_with("log-") {
                all += &fs::read_to_string(entry.path())?;
            }
        }
        Ok(all)
    }
}

/// What curl received.
struct Answer {
    body: String,
    /// The version of HTTP and the status.
    status: String,
}

impl Answer {
    fn expect(&self, status: &str) -> Result<()> {
        let begin: String = self.body.chars().take(300).collect();
        ensure!(self.status == status, "answered {}, not {status}: {begin}", self.status);
        Ok(())
    }
}
