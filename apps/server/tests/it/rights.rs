//! The rights of `serve` in the database: given by `pith migrate`, enough for every call, too few for the ledger.

use std::process::{Command, Output};

use diesel::{RunQueryDsl, connection::SimpleConnection, sql_query};
use reqwest::Client;
use serde_json::{Value, json};
use testing::TestDatabase;

use crate::harness::{PASSWORD, PAYMENT_KEYS, SECRET, TestApp, process::Process};

const WARNING: &str = "its user could change the ledger and the audit log";

fn pith(command: &str, home: &std::path::Path, vars: &[(&str, &str)]) -> Output {
    let mut pith = Command::new(env!("CARGO_BIN_EXE_pith"));
    pith.arg(command).env_clear().env("PITH_SECRET", SECRET).env("PUBLIC_URL", "http://localhost:4000");
    pith.env("PITH_HOME", home).envs(PAYMENT_KEYS).envs(vars.iter().copied()).output().expect("it runs")
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[tokio::test]
async fn every_http_test_is_served_with_the_rights_of_the_application() {
    let app = TestApp::start().await;
    assert!(!server::serve::can_change_ledger(&app.app).await.unwrap());
}

#[actix_web::test]
async fn migrate_makes_the_role_that_serve_runs_as() {
    let (database, home) = (TestDatabase::empty(), tempfile::tempdir().expect("a folder"));
    let role = format!("pith_test_serve_{}", std::process::id());
    let application = database.application_url().replace("pith_test_application", &role);
    let vars = [("DATABASE_URL", application.as_str()), ("DATABASE_OWNER_URL", database.url())];
    let first = pith("migrate", home.path(), &vars);
    assert!(first.status.success(), "{}", said(&first));
    assert!(said(&first).contains(&format!("The role {role} was made and has the rights of `serve` and `worker`.")));
    let second = pith("migrate", home.path(), &vars);
    assert!(second.status.success() && said(&second).contains(&format!("The role {role} has the rights")));
    // Without the owner's address it is the role itself that migrates: it may not, and has nothing to do.
    let alone = pith("migrate", home.path(), &vars[..1]);
    assert!(!alone.status.success() && said(&alone).contains("permission denied"), "{}", said(&alone));

    let server = Process::start(&database, home.path(), &[vars[0], ("LOG_FORMAT", "json")]);
    let (head, _) = server.request("/readyz", "");
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    let form = json!({ "username": "ada@example.com", "password": PASSWORD, "firstName": "Ada", "lastName": "Reader", "timezone": "UTC" });
    let request = Client::new().post(format!("http://127.0.0.1:{}/api/user/register", server.port)).json(&form);
    let body: Value = request.send().await.expect("the server answers").json().await.expect("JSON");
    assert_eq!(body["status"], "ok", "{body}");
    let (_, log) = server.stop();
    assert!(!log.iter().any(|line| line.contains(WARNING)), "{log:?}");

    let mut owner = database.connect();
    owner.batch_execute(&format!("DROP OWNED BY {role}")).unwrap();
    sql_query(format!("DROP ROLE {role}")).execute(&mut owner).unwrap();
}

#[test]
fn a_site_whose_server_could_change_the_ledger_says_so_at_the_start() {
    let (database, home) = (TestDatabase::new(), tempfile::tempdir().expect("a folder"));
    let warnings = |vars: &[(&str, &str)]| {
        let (_, log) = Process::start(&database, home.path(), vars).stop();
        log.iter().filter(|line| line.contains(WARNING)).count()
    };
    assert_eq!(warnings(&[("DATABASE_URL", database.url())]), 1);
    assert_eq!(warnings(&[]), 0);
}
