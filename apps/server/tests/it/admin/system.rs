//! The state of the instance, as its operator asks for it (`admin.system-page`).

use kernel::{Env, HOUR, StoreError, Timestamp};
use operations::{Backup, NodeKind, Verification};
use serde_json::{Value, json};
use server::{
    env::SystemEnv,
    report::{Reporter, deregister},
};

use crate::harness::{START, TestApp};

/// The machine's time: the database's clock is the machine's.
fn machine_now() -> Timestamp {
    SystemEnv.now()
}

fn problems(system: &Value) -> Vec<String> {
    let list = system["problems"].as_array().expect("a list").iter();
    list.map(|one| format!("{}: {}", one["area"].as_str().unwrap(), one["message"].as_str().unwrap())).collect()
}

#[actix_web::test]
async fn an_operator_sees_what_runs_and_what_is_wrong() {
    let app = TestApp::start_at(machine_now(), &[]);
    let admin = app.sign_up_with_role("ada@example.com", "admin").await;
    let beside = app.start_beside().await;
    app.env.set(machine_now());
    Reporter::new(&app.app, NodeKind::Serve).report().await;
    app.env.set(machine_now());
    Reporter::new(&beside.app, NodeKind::Worker).report().await;

    let system = app.get_as(&admin, "/api/admin/system").await.result();
    let nodes = system["nodes"].as_array().expect("a list");
    let seen: Vec<_> = nodes.iter().map(|node| (&node["kind"], &node["isThis"], &node["problem"])).collect();
    assert_eq!(seen, [(&json!("serve"), &json!(true), &Value::Null), (&json!("worker"), &json!(false), &Value::Null)]);
    assert!(
        nodes[0]["disk"]["totalBytes"].as_u64().unwrap() > 0
            && nodes[0]["clockOffsetMs"].as_i64().unwrap().abs() < 20_000
    );
    assert_eq!(
        (&system["release"], &system["files"]),
        (&json!(config::build::RELEASE), &json!({ "store": "folder", "problem": null }))
    );
    assert_eq!(system["schema"].as_str(), Some(postgres::schema_version().as_str()));
    assert!(
        system["database"]["bytes"].as_u64().unwrap() > 0
            && system["database"]["version"].as_str().unwrap().starts_with('1')
    );
    assert_eq!((&system["certificate"], &system["mail"]["transport"]), (&Value::Null, &json!("outbox")));
    let said = problems(&system);
    assert!(said.iter().any(|one| one.starts_with("backup: No backup has been made yet.")), "{said:?}");
    assert!(said.iter().any(|one| one.starts_with("mail: There is no mail server")), "{said:?}");

    // What is wrong is found where it is.
    app.sql("UPDATE jobs SET state = 'set_aside' WHERE kind = 'mail'");
    app.sql("INSERT INTO jobs (kind, about, payload, created_at, due_at) VALUES ('removal', '', '\\x00', now(), now() - interval '61 minutes')");
    app.sql("UPDATE nodes SET seen_at = now() - interval '5 minutes' WHERE kind = 'worker'");
    app.app
        .db
        .write_now::<_, StoreError>(|pg| {
            let ended_at = machine_now().plus(-50 * HOUR);
            pg.insert_backup(&Backup { ended_at, bytes: 7, verification: Verification::NotTried }, None)
        })
        .expect("stored");
    let system = app.get_as(&admin, "/api/admin/system").await.result();
    let said = problems(&system);
    for start in [
        "nodes: ",
        "queue: Jobs of the kind removal have been due for 1 hour",
        "mail: 2 emails could not be sent.",
        "backup: The latest backup is 2 days old.",
    ] {
        assert!(said.iter().any(|one| one.starts_with(start)), "{start} in {said:?}");
    }
    assert_eq!(system["backup"]["bytes"], 7);

    deregister(&app.app).await;
    assert_eq!(app.count("nodes WHERE kind = 'serve'"), 0);
}

#[actix_web::test]
async fn a_machine_whose_clock_is_wrong_says_so() {
    // This clock is months behind, or ahead, of the database's, which is the machine's.
    let app = TestApp::start().await;
    let admin = app.sign_up_with_role("ada@example.com", "admin").await;
    Reporter::new(&app.app, NodeKind::Serve).report().await;
    let system = app.get_as(&admin, "/api/admin/system").await.result();
    let offset = system["nodes"][0]["clockOffsetMs"].as_i64().expect("a number");
    assert!((START.since(machine_now()) - offset).abs() < 60_000, "{offset}");
    let said = problems(&system);
    assert!(
        said.iter().any(|one| one.starts_with("nodes: ") && one.contains(" the database’s: sessions, codes")),
        "{said:?}"
    );
    let metrics = app.get("/metrics").await.text;
    let shown = metrics.lines().find_map(|line| line.strip_prefix("pith_node_clock_offset_seconds ")).expect("a gauge");
    assert!(shown.parse::<f64>().expect("a number").abs() > 3_600.0, "{shown}");
}

#[actix_web::test]
async fn the_metrics_show_an_outage_of_the_database_and_its_end() {
    let app = TestApp::start_with(&[("DATABASE_WAIT_MS", "200")]).await;
    let mut reporter = Reporter::new(&app.app, NodeKind::Serve);
    let shown = async |line: &str| app.get("/metrics").await.text.lines().any(|shown| shown == line);
    reporter.report().await;
    assert!(shown("pith_database_up 1").await);
    app.cut_database();
    reporter.report().await;
    assert!(shown("pith_database_up 0").await);
    app.restore_database();
    while !shown("pith_database_up 1").await {
        reporter.report().await;
    }
}

#[actix_web::test]
async fn all_mails_that_failed_are_tried_again_at_once() {
    let app = TestApp::start().await;
    let admin = app.sign_up_with_role("ada@example.com", "admin").await;
    let retry = async || app.post_as(&admin, "/api/admin/mails/retry", json!({})).await.result()["retried"].clone();
    assert_eq!(retry().await, 0);
    assert_eq!(app.count("audit_entries WHERE action = 'mail.retry_all'"), 0);
    for name in ["bob", "eve", "joe"] {
        app.sign_up(&format!("{name}@example.com")).await;
    }
    app.sql(
        "UPDATE jobs SET state = 'set_aside', attempts = 10 WHERE kind = 'mail' AND id > (SELECT min(id) FROM jobs)",
    );
    app.sql("INSERT INTO jobs (kind, about, payload, state, created_at, due_at) VALUES ('removal', '', '\\x00', 'set_aside', now(), now())");
    let failed = app.count("jobs WHERE kind = 'mail' AND state = 'set_aside'");
    assert_eq!((retry().await, failed > 2), (json!(failed), true));
    assert_eq!(app.count("jobs WHERE kind = 'mail' AND state = 'queued'"), failed + 1);
    assert_eq!(app.count("jobs WHERE state = 'set_aside'"), 1, "a job of another kind is left alone");
    assert_eq!(app.count("audit_entries WHERE action = 'mail.retry_all'"), 1);
}
