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

#[actix_web::test]
async fn old_entries_of_the_audit_log_go_into_a_file_by_its_owner_alone() {
    let app = TestApp::start().await;
    let admin = app.sign_up_with_role("ada@example.com", "admin").await;
    let entry = |at: &str| {
        app.sql(&format!(
            "INSERT INTO audit_entries (at, actor_kind, actor_id, action, subject_kind, subject_id, changes)
                 VALUES ('{at}', 'person', {id}, 'user.update', 'user', {id}, '[]')",
            id = admin.id()
        ));
    };
    for at in ["2025-11-30 23:59:59.999Z", "2025-01-02 12:00Z", "2025-12-01 00:00Z"] {
        entry(at);
    }
    app.sql(&format!(
        "INSERT INTO audit_personal_changes (entry_id, user_id, changes)
             SELECT id, {}, '[{{\"field\": \"email\", \"from\": \"old@example.com\"}}]' FROM audit_entries WHERE action = 'user.update'",
        admin.id()
    ));
    let home = tempfile::tempdir().expect("a folder");
    let file = home.path().join("audit-2025.jsonl.gz");
    let archive = |month: &str, owner: &str| {
        let mut pith = Command::new(env!("CARGO_BIN_EXE_pith"));
        pith.args(["archive-audit", month]).arg(&file).env_clear().envs(PAYMENT_KEYS).envs([
            ("PITH_SECRET", SECRET),
            ("PUBLIC_URL", "http://localhost:4000"),
            ("DATABASE_URL", &app.database.application_url()),
            ("DATABASE_OWNER_URL", owner),
        ]);
        pith.env("PITH_HOME", home.path()).output().expect("it runs")
    };
    // The server's own user may not, and nothing is half done.
    let refused = archive("2025-12", &app.database.application_url());
    assert!(!refused.status.success() && !file.exists(), "{}", said(&refused));
    assert_eq!(app.count("audit_entries WHERE action = 'user.update'"), 3);
    let early = archive("2999-01", app.database.url());
    assert!(said(&early).contains("are not over"), "{}", said(&early));

    let done = archive("2025-12", app.database.url());
    assert!(done.status.success() && said(&done).contains("2 entries from before 2025-12-01"), "{}", said(&done));
    let mut text = String::new();
    std::io::Read::read_to_string(
        &mut flate2::read::GzDecoder::new(std::fs::File::open(&file).expect("there")),
        &mut text,
    )
    .expect("gzip");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 2);
    assert!(lines.iter().all(|line| line["action"] == "user.update" && line["actor_id"] == admin.id()), "{lines:?}");
    assert!(!text.contains("old@example.com"), "what names a person stays with the account");
    assert_eq!((app.count("audit_entries WHERE action = 'user.update'"), app.count("audit_personal_changes")), (1, 1));
    assert_eq!(app.count("audit_entries WHERE action = 'audit.archive'"), 1);
    // The log is append-only again, for its owner too.
    let mut owner = app.connect();
    assert!(owner.batch_execute("DELETE FROM audit_entries").is_err());
    let again = archive("2025-12", app.database.url());
    assert!(said(&again).contains("there is a file of this name already"), "{}", said(&again));
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
