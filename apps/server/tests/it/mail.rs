//! Mails on their way: queued with a change, sent by a worker, kept track of.

use std::{fs, path::PathBuf};

use crate::harness::TestApp;
use jobs::{Deliveries, Job, JobQueries, Jobs, LEASE, MAX_ATTEMPTS, State};
use kernel::{Email, Env, Limit, StoreError};
use mail::{Mail, SEND_MAIL};
use mail_parser::MessageParser;
use workflows::identity::recovery::ANSWER_RECOVERY;

fn goodbye() -> Mail {
    Mail::Archive { first_name: "Ada".to_owned(), link: "https://pith.example/account/archive#secret".to_owned() }
}

fn queue(app: &TestApp, to: &str) {
    let to = Email::parse(to).unwrap();
    app.app.transactions.write_now::<_, StoreError>(|tx| tx.queue_mail(&to, &goodbye())).unwrap();
}

fn jobs_of(app: &TestApp) -> Vec<Job> {
    app.app.db.write_now::<_, StoreError>(|pg| pg.jobs(&[SEND_MAIL], None, None, Limit::clamped(100))).unwrap().items
}

fn the_only_job(app: &TestApp) -> Job {
    let mut jobs = jobs_of(app);
    assert_eq!(jobs.len(), 1);
    jobs.remove(0)
}

fn outbox(app: &TestApp) -> Vec<PathBuf> {
    let folder = app.app.config.home.join("outbox");
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[actix_web::test]
async fn a_queued_mail_is_sealed_then_sent_then_forgotten() {
    let app = TestApp::start().await;
    queue(&app, "Ada@example.com");
    assert_eq!(app.count("jobs WHERE position('secret' in encode(payload, 'escape')) > 0"), 0);
    assert_eq!(app.count("jobs WHERE jobs::text ILIKE '%ada@example%'"), 0);
    assert_eq!(app.mails(), [("Ada@example.com".to_owned(), goodbye())]);
    assert!(outbox(&app).is_empty());

    assert_eq!(app.work_off().await, 1);
    let files = outbox(&app);
    assert_eq!(files.len(), 1);
    let bytes = fs::read(&files[0]).unwrap();
    let message = MessageParser::default().parse(&bytes).unwrap();
    assert_eq!(message.to().unwrap().first().unwrap().address(), Some("Ada@example.com"));
    assert!(message.body_text(0).unwrap().contains("https://pith.example/account/archive#secret"));
    let job = the_only_job(&app);
    assert_eq!((job.state, job.deliveries(), job.about.as_str()), (State::Done, Deliveries::Once, "archive"));
    assert_eq!(job.recipient.as_deref(), Some("A…@example.com"));
    assert_eq!(app.count("jobs WHERE payload IS NULL"), 1);
    assert_eq!(app.work_off().await, 0);
}

#[actix_web::test]
async fn a_change_that_does_not_happen_sends_no_mail() {
    let app = TestApp::start().await;
    let to = Email::parse("ada@example.com").unwrap();
    let failed = app.app.transactions.write_now::<(), StoreError>(|tx| {
        tx.queue_mail(&to, &goodbye())?;
        Err(StoreError::new("the change fails"))
    });
    assert!(failed.is_err());
    assert!(jobs_of(&app).is_empty());
}

#[actix_web::test]
async fn an_outbox_that_can_not_be_written_to_delays_mails_and_loses_none() {
    let app = TestApp::start().await;
    let folder = app.app.config.home.join("outbox");
    fs::write(&folder, "a file stands in the way").unwrap();
    queue(&app, "ada@example.com");
    for attempt in 1..=MAX_ATTEMPTS {
        assert_eq!(app.work_off().await, 1);
        let job = the_only_job(&app);
        assert_eq!((job.attempts, job.deliveries()), (attempt, Deliveries::None));
        app.env.set(job.due_at);
    }
    let job = the_only_job(&app);
    assert_eq!(job.state, State::SetAside);
    assert!(job.last_error.unwrap().starts_with("The outbox can't be written to"));
    assert_eq!(app.work_off().await, 0);

    fs::remove_file(&folder).unwrap();
    let now = app.env.now();
    let retried = app.app.db.write_now::<_, StoreError>(|pg| pg.retry_job(&[SEND_MAIL], job.id, now)).unwrap();
    assert_eq!(retried, Some(true));
    assert_eq!(app.work_off().await, 1);
    assert_eq!((the_only_job(&app).deliveries(), outbox(&app).len()), (Deliveries::Once, 1));
}

#[actix_web::test]
async fn a_mail_that_can_not_be_opened_is_set_aside_alone() {
    let app = TestApp::start().await;
    queue(&app, "ada@example.com");
    app.sql("UPDATE jobs SET payload = 'poison'");
    queue(&app, "bob@example.com");
    assert_eq!(app.work_off().await, 2);
    let states: Vec<State> = jobs_of(&app).iter().map(|job| job.state).collect();
    assert_eq!(states, [State::Done, State::SetAside]);
}

#[actix_web::test]
async fn what_a_dead_worker_left_is_sent_by_another() {
    let app = TestApp::start().await;
    queue(&app, "ada@example.com");
    let now = app.env.now();
    // A worker takes it and dies.
    app.app.db.write_now::<_, StoreError>(|pg| pg.take_jobs(&[SEND_MAIL], 1, now)).unwrap();
    assert_eq!(app.work_off().await, 0);
    app.env.advance(LEASE);
    assert_eq!(app.work_off().await, 1);
    assert_eq!(the_only_job(&app).deliveries(), Deliveries::OnceOrTwice);
    assert_eq!(outbox(&app).len(), 1);
}

#[actix_web::test]
async fn deleting_an_account_deletes_its_jobs() {
    let app = TestApp::start().await;
    for to in ["ada@example.com", "bob@example.com"] {
        queue(&app, to);
        app.work_off().await;
        queue(&app, to);
    }
    let ada = Email::parse("ADA@example.com").unwrap();
    let gone = app.app.transactions.write_now::<_, StoreError>(|tx| {
        let gone = tx.pg.forget_jobs_of(&ada)?;
        tx.queue_mail(&ada, &Mail::AccountDeleted { first_name: "Ada".to_owned() })?;
        Ok(gone)
    });
    assert_eq!(gone.unwrap(), 2);
    assert_eq!(app.count("jobs WHERE recipient LIKE 'a%'"), 0);
    assert_eq!(app.count("jobs WHERE recipient LIKE 'b%'"), 2);
    assert_eq!(app.count("jobs WHERE recipient IS NULL AND recipient_key IS NULL"), 1);
}

/// The addresses of the outbox's page that a mail has.
fn addresses(name: &str) -> [String; 4] {
    ["", "/html", "/raw", "/../style.css"].map(|end| format!("/outbox/{name}{end}"))
}

#[actix_web::test]
async fn the_demo_profile_shows_what_would_have_been_sent() {
    let app = TestApp::start_with(&[("PITH_PROFILE", "demo")]).await;
    assert!(app.get("/outbox").await.text.contains("No emails"));
    queue(&app, "ada@example.com");
    let waiting = app.get("/outbox").await.text;
    assert!(waiting.contains("Not sent yet") && waiting.contains("a…@example.com"));
    app.work_off().await;
    let page = app.get("/outbox").await;
    assert!(page.text.contains("Your archive is ready") && page.text.contains("ada@example.com"));
    assert!(!page.text.contains("Not sent yet"));
    let name = page.text.split("href=\"/outbox/").find_map(|rest| rest.split('"').next().filter(|n| n.contains('-')));
    let name = name.expect("the list links to the mail").to_owned();
    assert!(app.get("/outbox?to=ADA").await.text.contains(&name));
    assert!(!app.get("/outbox?to=bob").await.text.contains(&name));

    let [one, html, raw, _] = addresses(&name);
    let page = app.get(&one).await;
    assert!(page.text.contains(&format!("src=\"{html}\"")) && page.text.contains("sandbox="));
    assert!(page.text.contains("https://pith.example/account/archive#secret"));
    assert!(page.headers["content-security-policy"].to_str().unwrap().contains("frame-src 'self'"));
    let framed = app.get(&html).await;
    assert!(framed.text.contains("Download my archive"));
    let csp = framed.headers["content-security-policy"].to_str().unwrap();
    assert!(csp.starts_with("default-src 'none'") && csp.contains("sandbox ") && !csp.contains("allow-scripts"));
    assert_eq!(framed.headers["x-frame-options"], "SAMEORIGIN");
    let raw = app.get(&raw).await;
    assert!(raw.headers["content-type"].to_str().unwrap().starts_with("text/plain"));
    assert!(raw.text.contains("Auto-Submitted: auto-generated"));
    assert_eq!(app.get("/outbox/style.css").await.status.as_u16(), 200);
}

#[actix_web::test]
async fn the_outbox_leads_to_no_other_file_and_is_nowhere_but_in_the_demo() {
    let demo = TestApp::start_with(&[("PITH_PROFILE", "demo")]).await;
    fs::write(demo.app.config.home.join("1-1.eml"), "a secret").unwrap();
    for name in
        ["nothing", "..%2F1-1", "..%2F1-1.eml", "%2e%2e%2f1-1", "%00", "1781524800000-000001", "%2Fetc%2Fpasswd"]
    {
        for address in &addresses(name)[..3] {
            assert_eq!(demo.get(address).await.status.as_u16(), 404, "{address}");
        }
    }
    let production = TestApp::start().await;
    queue(&production, "ada@example.com");
    production.work_off().await;
    let files = outbox(&production);
    let name = files[0].file_stem().unwrap().to_str().unwrap();
    let [one, html, raw, _] = addresses(name);
    for address in ["/outbox", "/outbox/style.css", &one, &html, &raw] {
        let reply = production.get(address).await;
        assert_eq!(reply.status.as_u16(), 404, "{address}");
        assert!(!reply.text.contains("archive"));
    }
}

#[actix_web::test]
async fn what_stays_in_the_database_is_done_once_also_when_its_first_worker_has_died() {
    let app = TestApp::start().await;
    app.sign_up("ada@example.com").await;
    app.work_off().await;
    let before = outbox(&app).len();
    let asked = app.send(
        None,
        reqwest::Method::PUT,
        "/api/user/forgot-password",
        Some(serde_json::json!({ "email": "ada@example.com" })),
    );
    asked.await.result();
    // A worker takes it and dies.
    let now = app.env.now();
    app.app.db.write_now::<_, StoreError>(|pg| pg.take_jobs(&[ANSWER_RECOVERY], 1, now)).unwrap();
    app.env.advance(LEASE);
    assert_eq!(app.work_off().await, 2, "the answer, and the mail that it leaves");
    assert_eq!(outbox(&app).len(), before + 1);
    assert_eq!(app.count("jobs WHERE kind = 'recovery' AND state = 'done' AND uncertain = 0 AND payload IS NULL"), 1);
}

#[actix_web::test]
async fn what_can_not_be_answered_is_tried_again_and_says_nothing_of_whom() {
    let app = TestApp::start().await;
    let asked = app.send(
        None,
        reqwest::Method::PUT,
        "/api/user/forgot-password",
        Some(serde_json::json!({ "email": "ada@example.com" })),
    );
    asked.await.result();
    app.sql("UPDATE jobs SET payload = 'poison'");
    assert_eq!(app.work_off().await, 1);
    assert_eq!(
        app.count("jobs WHERE state = 'queued' AND attempts = 1 AND last_error LIKE '%see the log for details%'"),
        1
    );
}
