//! Mails on their way: queued with a change, sent by a worker, kept track of.

mod support;

use std::{fs, path::PathBuf};

use jobs::{Deliveries, Job, Jobs, Kind, LEASE, MAX_ATTEMPTS, State};
use kernel::{Email, Env, Limit, StoreError};
use mail_parser::MessageParser;
use server::mail::{self, Mail};
use support::TestApp;

fn goodbye() -> Mail {
    Mail::Archive { first_name: "Ada".to_owned(), link: "https://pith.example/account/archive#secret".to_owned() }
}

fn queue(app: &TestApp, to: &str) {
    let to = Email::parse(to).unwrap();
    app.app.db.write_now::<_, StoreError>(|pg| mail::queue(pg, &app.app, &to, &goodbye())).unwrap();
}

fn jobs_of(app: &TestApp) -> Vec<Job> {
    app.app.db.write_now::<_, StoreError>(|pg| pg.jobs(Kind::Mail, None, None, Limit::clamped(100))).unwrap().items
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
    let failed = app.app.db.write_now::<(), StoreError>(|pg| {
        mail::queue(pg, &app.app, &to, &goodbye())?;
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
    let retried = app.app.db.write_now::<_, StoreError>(|pg| pg.retry_job(Kind::Mail, job.id, now)).unwrap();
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
    app.app.db.write_now::<_, StoreError>(|pg| pg.take_jobs(1, now)).unwrap();
    assert_eq!(app.work_off().await, 0);
    app.env.advance(LEASE);
    assert_eq!(app.work_off().await, 1);
    assert_eq!(the_only_job(&app).deliveries(), Deliveries::OnceOrTwice);
    assert_eq!(outbox(&app).len(), 1);
}

#[actix_web::test]
async fn whoever_has_left_leaves_no_jobs() {
    let app = TestApp::start().await;
    for to in ["ada@example.com", "bob@example.com"] {
        queue(&app, to);
        app.work_off().await;
        queue(&app, to);
    }
    let ada = Email::parse("ADA@example.com").unwrap();
    let gone = app.app.db.write_now::<_, StoreError>(|pg| {
        let gone = pg.forget_jobs_of(&ada)?;
        mail::queue(pg, &app.app, &ada, &Mail::AccountDeleted { first_name: "Ada".to_owned() })?;
        Ok(gone)
    });
    assert_eq!(gone.unwrap(), 2);
    assert_eq!(app.count("jobs WHERE recipient LIKE 'a%'"), 0);
    assert_eq!(app.count("jobs WHERE recipient LIKE 'b%'"), 2);
    assert_eq!(app.count("jobs WHERE recipient IS NULL AND recipient_key IS NULL"), 1);
}
