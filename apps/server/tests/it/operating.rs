//! What operators see of a process: its log at the start, at the stop and in between.

use std::{
    net::SocketAddr,
    process::{Child, Command, Output},
};

use diesel::{Connection, PgConnection};
use reqwest::Client;
use serde_json::{Value, json};
use socket2::{Domain, Socket, Type};
use testing::{InterruptedDatabase, Interruption, MailServer, TestDatabase};

use crate::harness::{PASSWORD, PAYMENT_KEYS, SECRET, TestApp, process::Process};

/// How often a process is stopped: what goes wrong at a stop does so every other time.
const STOPS: usize = 4;

/// A database, and a data folder.
fn ground() -> (TestDatabase, tempfile::TempDir) {
    (TestDatabase::new(), tempfile::tempdir().expect("a folder"))
}

/// The lines of a log in JSON whose message is this one.
fn events(log: &[String], message: &str) -> Vec<Value> {
    let lines = log.iter().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    lines.filter(|line| line["message"].as_str().is_some_and(|text| text.starts_with(message))).collect()
}

#[test]
fn the_start_warns_of_weak_settings() {
    let (database, home) = ground();
    let (_, log) = Process::start(&database, home.path(), &[("LOG_FORMAT", "json")]).stop();
    for weak in ["PITH_SECRET looks guessable", "SMTP_URL is not set"] {
        let found = events(&log, weak);
        assert!(found.len() == 1 && found[0]["level"] == "WARN", "{weak}: {log:?}");
    }
}

#[test]
fn the_demo_refuses_to_start_at_a_public_address() {
    let (database, home) = ground();
    let vars = [("PITH_PROFILE", "demo"), ("PUBLIC_URL", "https://pith.example.com")];
    let (status, said) = Process::refuse(&database, home.path(), &vars);
    assert!(!status.success() && said.starts_with("pith: PITH_PROFILE: is 'demo'"), "{said}");
}

#[test]
fn a_site_for_members_does_not_start_with_pretended_payments() {
    let (database, home) = ground();
    let none = PAYMENT_KEYS.map(|(name, _)| (name, ""));
    let (status, said) = Process::refuse(&database, home.path(), &none);
    assert!(!status.success() && said.starts_with("pith: STRIPE_SECRET_KEY: is missing"), "{said}");
}

#[test]
fn everything_that_is_wrong_with_the_settings_is_named_at_once() {
    let (database, home) = ground();
    let vars = [
        ("PORT", "70000"),
        ("PITH_SECRET", "short"),
        ("STRIPE_PUBLISHABLE_KEY", "pk_live_1"),
        ("S3_ENDPOINT", "https://s3.example"),
        ("LOG", "verbose"),
    ];
    let (status, said) = Process::refuse(&database, home.path(), &vars);
    let variable = |line: &str| line.split(": ").nth(1).map(str::to_owned);
    let mut named: Vec<_> = said.lines().filter_map(variable).collect();
    named.sort();
    assert_eq!(named, ["LOG", "PITH_SECRET", "PORT", "S3_ENDPOINT", "STRIPE_PUBLISHABLE_KEY"], "{said}");
    assert!(!status.success() && said.lines().all(|line| line.starts_with("pith: ")), "{said}");
}

#[test]
fn a_database_that_will_not_be_there_by_itself_ends_the_start_with_one_sentence() {
    let (database, home) = ground();
    let url = database.application_url();
    let (base, name) = url.rsplit_once('/').expect("a database has a name");
    let name = name.split('?').next().expect("a name");
    for (wrong, said) in [
        (url.replacen("postgres", "mysql", 1), "is postgres://user:password@host/database"),
        (url.replacen(name, "pith_of_nobody", 1), "database \"pith_of_nobody\" does not exist"),
        (format!("{}nobody:wrong@{}/{name}", "postgres://", base.rsplit('@').next().expect("a host")), "nobody"),
        ("postgres://pith@host.invalid/pith".to_owned(), "host.invalid"),
    ] {
        let (status, log) = Process::refuse(&database, home.path(), &[("DATABASE_URL", &wrong)]);
        let last = log.lines().last().expect("it says why");
        assert!(!status.success() && last.starts_with("pith: DATABASE_URL: ") && last.contains(said), "{log}");
        assert!(!log.contains("waiting for the database") && !log.contains("wrong@"), "{log}");
    }
}

#[test]
fn a_database_that_is_not_up_yet_is_waited_for() {
    let (database, home) = ground();
    // Bound and not listening yet: connections are refused.
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).expect("a socket");
    socket.bind(&SocketAddr::from(([127, 0, 0, 1], 0)).into()).expect("a free port");
    let port = socket.local_addr().expect("an address").as_socket().expect("of the internet").port();
    let mut url = url::Url::parse(&database.application_url()).expect("an address");
    url.set_host(Some("127.0.0.1")).expect("a host");
    url.set_port(Some(port)).expect("a port");
    let vars = [("DATABASE_URL", url.as_str()), ("LOG_FORMAT", "json")];
    let server = Process::start_and(&database, home.path(), &vars, |line| {
        if line.contains("waiting for the database") {
            socket.listen(64).expect("it listens");
            let listener = socket.try_clone().expect("a socket can be shared").into();
            InterruptedDatabase::start_on(listener, &database, &Interruption::default());
        }
    });
    let log = server.log();
    let waiting = events(&log, "DATABASE_URL: waiting for the database");
    assert!(waiting.len() == 1 && waiting[0]["level"] == "WARN", "one line in ten seconds: {log:?}");
    assert!(log.iter().all(|line| !line.contains(r#""level":"ERROR""#)), "{log:?}");
}

/// Runs another command of the program with the variables of a server.
fn run(command: &str, vars: &[(&str, &str)]) -> Output {
    let mut pith = Command::new(env!("CARGO_BIN_EXE_pith"));
    pith.env_clear().arg(command).envs(PAYMENT_KEYS).envs(vars.iter().copied()).output().expect("it runs")
}

#[test]
fn a_check_tries_the_configuration_the_database_the_file_store_and_the_mail_server() {
    let (database, home) = ground();
    let mail = MailServer::start();
    let (url, smtp) = (database.application_url(), format!("smtp://127.0.0.1:{}", mail.address().port()));
    let home = home.path().display().to_string();
    let good = [
        ("DATABASE_URL", url.as_str()),
        ("PITH_SECRET", SECRET),
        ("PUBLIC_URL", "https://pith.example"),
        ("PITH_HOME", &home),
        ("SMTP_URL", &smtp),
        ("SPEECH", "off"),
    ];
    let check = |vars: &[(&str, &str)]| {
        let output = run("check", &[&good[..], vars].concat());
        (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let (fits, said) = check(&[("SMPT_URL", "smtp://mail.example"), ("SUPPORT_EMAIL", "help@pith.example")]);
    assert!(fits, "{said}");
    for line in ["fine: the database", "fine: the file store and the mail server", "warning: SMPT_URL is not a setting"]
    {
        assert!(said.contains(line), "{line}: {said}");
    }
    let files = std::path::Path::new(&home).join("media/checks");
    assert!(!files.exists() || std::fs::read_dir(files).expect("a folder").next().is_none(), "nothing is left");
    let wrong = [("SMTP_URL", "smtp://127.0.0.1:9"), ("DATABASE_URL", "postgres://pith@127.0.0.1:9/pith")];
    let (fits, said) = check(&wrong);
    assert!(!fits && said.contains("error: SMTP_URL: ") && said.contains("error: DATABASE_URL: "), "{said}");
    let (fits, said) = check(&[("PITH_SECRET", "short"), ("PORT", "no")]);
    assert!(!fits && said.contains("error: PITH_SECRET: ") && said.contains("error: PORT: "), "{said}");
    let empty = TestDatabase::empty();
    let (fits, said) = check(&[("DATABASE_URL", empty.url())]);
    assert!(!fits && said.contains("run `pith migrate`"), "{said}");
}

#[test]
fn a_healthcheck_asks_the_server_on_this_machine() {
    let (database, home) = ground();
    let server = Process::start(&database, home.path(), &[]);
    let port = server.port.to_string();
    let ask = |port: &str| run("healthcheck", &[("PORT", port), ("BIND", "0.0.0.0")]);
    assert!(ask(&port).status.success());
    drop(server);
    let output = ask(&port);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && said.starts_with("pith: the server at 127.0.0.1:"), "{said}");
}

#[test]
fn completions_and_the_manual_page_name_the_commands() {
    for arguments in [&["completions", "bash"][..], &["completions", "zsh"], &["completions", "fish"], &["man"]] {
        let output = Command::new(env!("CARGO_BIN_EXE_pith")).env_clear().args(arguments).output().expect("it runs");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success() && said.contains("serve") && said.contains("ledger"), "{arguments:?}: {said}");
    }
}

#[test]
fn the_database_may_be_reached_over_tls() {
    let database = TestDatabase::new();
    let url = format!("{}?sslmode=require", database.url());
    // The tests' cluster has no certificate: over a socket none is needed, over the network libpq asks for one.
    if let Err(error) = PgConnection::establish(&url) {
        assert!(error.to_string().contains("server does not support SSL"), "{error}");
    }
}

#[test]
fn a_stop_logs_no_errors() {
    let (database, home) = ground();
    for _ in 0..STOPS {
        let server = Process::start(&database, home.path(), &[("LOG_FORMAT", "json"), ("WORKER", "on")]);
        let held = server.request("/api/front", "");
        let (status, log) = server.stop();
        assert!(status.success(), "{log:?}");
        assert!(!events(&log, "stopped").is_empty(), "{log:?}");
        let errors: Vec<_> = log.iter().filter(|line| line.contains(r#""level":"ERROR""#)).collect();
        assert!(errors.is_empty(), "{errors:?}");
        drop(held);
    }
}

#[actix_web::test]
async fn security_events_are_logged_with_member_client_and_outcome_under_the_id_of_the_response() {
    let (database, home) = ground();
    let server = Process::start(&database, home.path(), &[("LOG_FORMAT", "json")]);
    let send = async |path: &str, body: Value| {
        let request = Client::new().post(format!("http://127.0.0.1:{}{path}", server.port)).json(&body);
        let response = request.send().await.expect("the server answers");
        let id = response.headers()["x-request-id"].to_str().expect("text").to_owned();
        (id, response.json::<Value>().await.expect("JSON"))
    };
    let form = json!({ "username": "ada@example.com", "password": PASSWORD, "firstName": "Ada", "lastName": "Reader", "timezone": "UTC" });
    let (registered, body) = send("/api/user/register", form).await;
    let member = &body["result"]["user"]["id"];
    let (wrong, _) = send("/api/user/login", json!({ "username": "ada@example.com", "password": "a wrong one" })).await;
    let (right, _) = send("/api/user/login", json!({ "username": "ada@example.com", "password": PASSWORD })).await;
    let (_, log) = server.stop();

    let found = events(&log, "security event");
    let expected = [
        (&registered, "POST /api/user/register", member, "200"),
        (&wrong, "POST /api/user/login", &Value::Null, "invalid_credentials"),
        (&right, "POST /api/user/login", member, "200"),
    ];
    assert_eq!(found.len(), expected.len(), "{log:?}");
    for (event, (id, call, user, outcome)) in found.iter().zip(expected) {
        assert_eq!(event["span"]["id"], **id, "{event}");
        assert_eq!((&event["call"], &event["outcome"]), (&json!(call), &json!(outcome)));
        assert_eq!((&event["user"], &event["client"]), (user, &json!("127.0.0.1")));
    }
    assert!(member.is_i64() && !log.join("").contains("ada@example.com"), "no address stands in the log");
}

#[actix_web::test]
async fn a_request_is_logged_with_route_duration_size_client_and_member() {
    let (database, home) = ground();
    let server = Process::start(&database, home.path(), &[("LOG_FORMAT", "json"), ("TRUSTED_PROXIES", "127.0.0.1")]);
    let site = format!("http://127.0.0.1:{}", server.port);
    let client = Client::new();
    let form = json!({ "username": "ada@example.com", "password": PASSWORD, "firstName": "Ada", "lastName": "Reader", "timezone": "UTC" });
    let signed_up: Value =
        client.post(format!("{site}/api/user/register")).json(&form).send().await.unwrap().json().await.unwrap();
    let (token, id) = (&signed_up["result"]["token"], &signed_up["result"]["user"]["id"]);
    let bearer = format!("Bearer {}", token.as_str().expect("a token"));
    let account = client
        .get(format!("{site}/api/user/account?search=private"))
        .header("Authorization", bearer)
        .header("X-Forwarded-For", "203.0.113.9");
    let response = account.send().await.unwrap();
    let request = response.headers()["x-request-id"].to_str().unwrap().to_owned();
    let length = response.text().await.unwrap().len();
    let (_, log) = server.stop();
    let lines = events(&log, "done");
    let line = lines.iter().find(|line| line["span"]["id"] == request.as_str()).expect("a line of the request");
    assert_eq!(line["route"], "/api/user/account", "{line}");
    assert_eq!((&line["span"]["path"], &line["span"]["status"]), (&json!("/api/user/account"), &json!(200)), "{line}");
    assert_eq!((&line["client"], &line["user"], &line["bytes"]), (&json!("203.0.113.9"), id, &json!(length)), "{line}");
    assert!(line["duration_ms"].as_f64().is_some_and(|time| time > 0.0), "{line}");
    assert!(!line.to_string().contains("private"), "{line}");
}

#[actix_web::test]
async fn a_proxy_that_is_not_named_is_warned_of_once() {
    let (database, home) = ground();
    for (vars, warnings) in
        [(vec![("LOG_FORMAT", "json")], 1), (vec![("LOG_FORMAT", "json"), ("TRUSTED_PROXIES", "127.0.0.1")], 0)]
    {
        let server = Process::start(&database, home.path(), &vars);
        for _ in 0..3 {
            server.request("/healthz", "X-Forwarded-For: 203.0.113.9\r\n");
        }
        let (_, log) = server.stop();
        assert_eq!(events(&log, "requests come through a proxy").len(), warnings, "{log:?}");
    }
}

/// A worker that is killed when a test fails.
struct Worker(Child);

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[actix_web::test]
async fn a_worker_answers_health_checks_and_shows_the_metrics_of_all_jobs() {
    let app = TestApp::start().await;
    app.post("/api/contact", json!({ "name": "Ada", "email": "ada@example.com", "body": "Hello." })).await.result();
    let waiting = "UPDATE jobs SET due_at = now() + interval '1 day' WHERE kind = 'mail'";
    app.sql(waiting);
    let start = |port: u16| {
        let child = Command::new(env!("CARGO_BIN_EXE_pith"))
            .arg("worker")
            .env_clear()
            .envs([
                ("DATABASE_URL", app.database.application_url()),
                ("PITH_SECRET", SECRET.to_owned()),
                ("PUBLIC_URL", app.app.config.public_url.clone()),
                ("PITH_HOME", app.home().display().to_string()),
                ("SPEECH", "off".to_owned()),
                ("WORKER_PORT", port.to_string()),
                ("LOG", "error".to_owned()),
            ])
            .envs(PAYMENT_KEYS)
            .spawn();
        Worker(child.expect("the worker starts"))
    };
    let client = Client::new();
    let (mut worker, address) = loop {
        let port =
            std::net::TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a port").port();
        let (mut worker, address) = (start(port), format!("http://127.0.0.1:{port}"));
        // Another test may have taken the port: then the worker ends, and another one is tried.
        let is_up = loop {
            if client.get(format!("{address}/readyz")).send().await.is_ok_and(|reply| reply.status() == 200) {
                break true;
            }
            if worker.0.try_wait().expect("a process").is_some() {
                break false;
            }
            tokio::task::yield_now().await;
        };
        if is_up {
            break (worker, address);
        }
    };
    let metrics = async || {
        let reply = client.get(format!("{address}/metrics")).send().await.expect("it answers");
        reply.text().await.expect("text")
    };
    // The first look at the instance is a moment after the start.
    while !metrics().await.contains("pith_nodes{kind=\"worker\"} 1") {
        assert!(worker.0.try_wait().expect("a process").is_none(), "the worker has ended");
        tokio::task::yield_now().await;
    }
    let text = metrics().await;
    assert!(
        text.contains("pith_jobs{kind=\"mail\",state=\"queued\"} 1") && text.contains("process_open_fds"),
        "{text}"
    );
    assert_eq!(app.count("nodes WHERE kind = 'worker'"), 1);
    for hidden in ["/", "/api/books"] {
        let reply = client.get(format!("{address}{hidden}")).send().await.expect("it answers");
        assert_eq!(reply.status(), 404, "the port of a worker serves nothing of the site");
    }
    let pid = worker.0.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &pid]).status().expect("a program of every system").success());
    assert!(worker.0.wait().expect("it ends").success());
    assert_eq!(app.count("nodes WHERE kind = 'worker'"), 0, "it is no longer listed");
}

#[actix_web::test]
async fn what_goes_wrong_is_said_in_the_log_once_when_it_begins() {
    let app = TestApp::start().await;
    for (kind, attempts, created, due) in [
        // An hour without the mail server: the next attempt is still to come.
        ("mail", 6, "1 hour", "now() + interval '20 minutes'"),
        // A job that no worker does.
        ("removal", 0, "2 hours", "now() - interval '2 hours'"),
    ] {
        app.sql(&format!(
            "INSERT INTO jobs (kind, about, payload, attempts, created_at, due_at)
                 VALUES ('{kind}', '', '\\x00', {attempts}, now() - interval '{created}', {due})"
        ));
    }
    let home = tempfile::tempdir().expect("a folder");
    let process = Process::start(&app.database, home.path(), &[("LOG_FORMAT", "json")]);
    let expected = [
        "1 email can’t be sent, the first for 1 hour: the mail server is out of reach",
        "Jobs of the kind removal have been due for 2 hours",
        "No backup has been made yet.",
    ];
    for start in expected {
        while events(&process.log(), start).is_empty() {
            tokio::task::yield_now().await;
        }
    }
    let (_, log) = process.stop();
    for start in expected {
        let found = events(&log, start);
        assert!(found.len() == 1 && found[0]["level"] == "WARN", "{found:?}");
    }
}
