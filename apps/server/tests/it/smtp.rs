//! Mails over SMTP: what is certain, what is not, and what becomes of a worker that is killed.

use std::{
    collections::HashMap,
    process::{Child, Command, Stdio},
};

use crate::harness::{self, TestApp};
use jobs::{Deliveries, Job, JobQueries, LEASE, State};
use kernel::{Email, Limit, StoreError, Timestamp};
use mail::{Mail, SEND_MAIL};
use testing::{MailServer, Manner, ReceivedMail, Step};

async fn start(server: &MailServer) -> TestApp {
    start_with(&format!("smtp://{}?timeout=1", server.address())).await
}

async fn start_with(url: &str) -> TestApp {
    TestApp::start_with(&[("SMTP_URL", url), ("MAIL_FROM", "Pith <post@pith.example>")]).await
}

fn queue(app: &TestApp, to: &str) {
    let to = Email::parse(to).unwrap();
    let mail = Mail::Invitation {
        your_name: "Ada".to_owned(),
        friend_name: "Bob".to_owned(),
        link: "https://pith.example/".to_owned(),
        inviter: None,
    };
    app.app.transactions.write_now::<_, StoreError>(|tx| tx.queue_mail(&to, &mail)).unwrap();
}

fn jobs_of(app: &TestApp) -> Vec<Job> {
    app.app.db.write_now::<_, StoreError>(|pg| pg.jobs(&[SEND_MAIL], None, None, Limit::clamped(100))).unwrap().items
}

fn the_only_job(app: &TestApp) -> Job {
    let mut jobs = jobs_of(app);
    assert_eq!(jobs.len(), 1);
    jobs.remove(0)
}

/// Treats one mail so; gives what is known of it after the first attempt.
async fn attempt(manner: Manner) -> (Job, Vec<ReceivedMail>) {
    let server = MailServer::start();
    server.treat([manner]);
    let app = start(&server).await;
    queue(&app, "bob@example.com");
    assert_eq!(app.work_off().await, 1);
    let job = the_only_job(&app);
    let told = format!("{job:?}");
    assert!(!told.contains("bob@example.com"), "{told}");
    (job, server.arrived())
}

#[actix_web::test]
async fn a_mail_arrives_whole() {
    let (job, arrived) = attempt(Manner::Take).await;
    assert_eq!((job.state, job.deliveries()), (State::Done, Deliveries::Once));
    assert_eq!(arrived.len(), 1);
    let mail = &arrived[0];
    assert_eq!(
        (mail.from.as_str(), mail.to.as_slice()),
        ("post@pith.example", ["bob@example.com".to_owned()].as_slice())
    );
    assert_eq!(mail.header("From"), Some("Pith <post@pith.example>"));
    assert_eq!(mail.header("To"), Some("bob@example.com"));
    assert_eq!(mail.header("Subject"), Some("Ada invites you to Pith"));
    assert!(mail.header("Message-ID").unwrap().ends_with("@pith.example>"));
}

#[actix_web::test]
async fn many_mails_share_connections() {
    let server = MailServer::start();
    let app = start(&server).await;
    for n in 0..20 {
        queue(&app, &format!("friend-{n}@example.com"));
    }
    assert_eq!(app.work_off().await, 20);
    assert_eq!((server.arrived().len(), server.connections()), (20, 1));
    let ids: std::collections::HashSet<_> =
        server.arrived().iter().map(|mail| mail.header("Message-ID").unwrap().to_owned()).collect();
    assert_eq!(ids.len(), 20);
}

#[actix_web::test]
async fn a_refusal_for_now_is_tried_again() {
    for step in [Step::Sender, Step::Recipient, Step::Data, Step::End] {
        let (job, _) = attempt(Manner::Answer(step, "450 4.2.1 <bob@example.com> is busy")).await;
        assert_eq!((job.state, job.deliveries(), job.attempts), (State::Queued, Deliveries::None, 1), "{step:?}");
        let reason = job.last_error.unwrap();
        assert!(reason.contains("(450 4.2.1)"), "{step:?}: {reason}");
    }
}

#[actix_web::test]
async fn a_refusal_for_good_is_set_aside_at_once() {
    for step in [Step::Sender, Step::Recipient, Step::Data, Step::End] {
        let (job, _) = attempt(Manner::Answer(step, "550 5.1.1 <bob@example.com> is unknown")).await;
        assert_eq!((job.state, job.deliveries()), (State::SetAside, Deliveries::None), "{step:?}");
        let reason = job.last_error.unwrap();
        assert!(reason.contains("(550 5.1.1)"), "{step:?}: {reason}");
    }
}

#[actix_web::test]
async fn a_server_that_wants_a_login_or_turns_everybody_away_is_no_fault_of_the_mail() {
    for manner in [
        Manner::Answer(Step::Hello, "554 5.7.1 go away"),
        Manner::Answer(Step::Sender, "530 5.7.0 log in first"),
        Manner::BreakOff(Step::Hello),
    ] {
        let (job, arrived) = attempt(manner.clone()).await;
        assert_eq!((job.state, job.deliveries(), arrived.len()), (State::Queued, Deliveries::None, 0), "{manner:?}");
    }
}

#[actix_web::test]
async fn a_server_that_breaks_off_before_it_has_the_mail_leaves_no_doubt() {
    for step in [Step::Sender, Step::Recipient, Step::Data] {
        let (job, arrived) = attempt(Manner::BreakOff(step)).await;
        assert_eq!((job.state, job.deliveries(), arrived.len()), (State::Queued, Deliveries::None, 0), "{step:?}");
    }
}

#[actix_web::test]
async fn a_server_that_says_nothing_is_not_waited_for() {
    let (job, arrived) = attempt(Manner::Hold(Step::Recipient)).await;
    assert_eq!((job.state, job.deliveries(), arrived.len()), (State::Queued, Deliveries::None, 0));
    assert!(job.last_error.unwrap().contains("in time"));
    let (job, arrived) = attempt(Manner::Hold(Step::End)).await;
    assert_eq!((job.state, job.deliveries(), arrived.len()), (State::Queued, Deliveries::Unknown, 1));
}

#[actix_web::test]
async fn a_server_that_breaks_off_once_it_has_the_mail_gets_it_twice_at_most() {
    let server = MailServer::start();
    server.treat([Manner::BreakOff(Step::End)]);
    let app = start(&server).await;
    queue(&app, "bob@example.com");
    assert_eq!(app.work_off().await, 1);
    let job = the_only_job(&app);
    assert_eq!((job.state, job.deliveries()), (State::Queued, Deliveries::Unknown));
    app.env.set(job.due_at);
    assert_eq!(app.work_off().await, 1);
    assert_eq!(the_only_job(&app).deliveries(), Deliveries::OnceOrTwice);
    let arrived = server.arrived();
    assert_eq!(arrived.len(), 2);
    assert_eq!(arrived[0], arrived[1], "the same mail, with the same Message-ID");

    let server = MailServer::start();
    server.treat([Manner::BreakOff(Step::End), Manner::BreakOff(Step::End)]);
    let app = start(&server).await;
    queue(&app, "bob@example.com");
    assert_eq!(app.work_off().await, 1);
    app.env.set(the_only_job(&app).due_at);
    assert_eq!(app.work_off().await, 1);
    let job = the_only_job(&app);
    assert_eq!((job.state, job.deliveries()), (State::SetAside, Deliveries::Unknown));
    app.env.advance(100 * LEASE);
    assert_eq!((app.work_off().await, server.arrived().len()), (0, 2));
}

#[actix_web::test]
async fn a_server_that_is_away_or_can_not_be_trusted_gets_nothing_and_loses_nothing() {
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let server = MailServer::start();
    for url in [
        format!("smtp://{nobody}?timeout=1"),
        // It has no STARTTLS.
        format!("smtp://{}?tls=required&timeout=1", server.address()),
        format!("smtps://{}?timeout=1", server.address()),
        format!("smtp://user:password@{}?tls=none&timeout=1", server.address()),
    ] {
        let app = start_with(&url).await;
        queue(&app, "bob@example.com");
        assert_eq!(app.work_off().await, 1);
        let job = the_only_job(&app);
        assert_eq!((job.state, job.deliveries()), (State::Queued, Deliveries::None), "{url}");
        assert!(!job.last_error.unwrap().contains("password"));
    }
    assert!(server.arrived().is_empty());
}

/// A real `pith worker` on the test's database.
struct Worker(Child);

impl Worker {
    fn start(app: &TestApp, server: &MailServer) -> Self {
        let config = &app.app.config;
        let child = Command::new(env!("CARGO_BIN_EXE_pith"))
            .arg("worker")
            .env_clear()
            .envs([
                ("DATABASE_URL", config.database.url.as_str()),
                ("PITH_SECRET", harness::SECRET),
                ("PUBLIC_URL", config.public_url.as_str()),
                ("PITH_HOME", &config.home.display().to_string()),
                ("SMTP_URL", &format!("smtp://{}", server.address())),
                ("LOG", "error"),
                ("WORKER_PORT", "off"),
            ])
            .envs(harness::PAYMENT_KEYS)
            .stdout(Stdio::null())
            .spawn()
            .expect("the worker starts");
        Self(child)
    }

    /// `kill -9`.
    fn kill(&mut self) {
        self.0.kill().expect("the worker runs");
        self.0.wait().expect("the worker ends");
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A real worker goes by the machine's clock: what waits becomes due, and every lease lapses.
fn let_time_pass(app: &TestApp) {
    app.sql("UPDATE jobs SET due_at = now() - interval '1 second' WHERE state IN ('queued', 'running')");
}

/// Waits until nothing is queued or running.
async fn await_end(app: &TestApp) {
    let waits = |job: &Job| matches!(job.state, State::Queued | State::Running);
    while jobs_of(app).iter().any(waits) {
        tokio::task::yield_now().await;
    }
}

fn set_clock(app: &TestApp) {
    // Jobs are queued by the test's clock and done by the machine's.
    app.env.set(Timestamp::from_millis(0));
}

#[actix_web::test]
async fn a_worker_killed_between_sending_and_marking_sends_once_or_twice_and_says_so() {
    let server = MailServer::start();
    let app = start(&server).await;
    set_clock(&app);
    queue(&app, "bob@example.com");
    server.treat([Manner::Hold(Step::End)]);
    let mut worker = Worker::start(&app, &server);
    server.await_held(1);
    worker.kill();
    let job = the_only_job(&app);
    assert_eq!((job.state, job.attempts), (State::Running, 1), "it is not known to be sent");
    server.release();
    let_time_pass(&app);
    let _second = Worker::start(&app, &server);
    await_end(&app).await;
    let job = the_only_job(&app);
    assert_eq!((job.state, job.deliveries()), (State::Done, Deliveries::OnceOrTwice));
    let arrived = server.arrived();
    assert_eq!(arrived.len(), 2);
    assert_eq!(arrived[0].header("Message-ID"), arrived[1].header("Message-ID"));
}

#[actix_web::test]
async fn a_worker_killed_before_sending_loses_nothing() {
    let server = MailServer::start();
    let app = start(&server).await;
    set_clock(&app);
    queue(&app, "bob@example.com");
    server.treat([Manner::Hold(Step::Sender)]);
    let mut worker = Worker::start(&app, &server);
    server.await_held(1);
    worker.kill();
    let_time_pass(&app);
    let _second = Worker::start(&app, &server);
    await_end(&app).await;
    // It arrived once; that it may have been twice is all that can be known.
    assert_eq!((the_only_job(&app).deliveries(), server.arrived().len()), (Deliveries::OnceOrTwice, 1));
}

#[actix_web::test]
async fn workers_killed_again_and_again_send_each_mail_twice_at_most_and_the_state_is_true() {
    const MAILS: usize = 30;
    let server = MailServer::start();
    let app = start(&server).await;
    set_clock(&app);
    for n in 0..MAILS {
        queue(&app, &format!("friend-{n}@example.com"));
    }
    let mut held = 0;
    for round in 0..4_usize {
        // Some are taken before the first answer is held back, others after it.
        let manners = (0..MAILS).map(|n| match (n + round) % 3 {
            0 => Manner::Hold(Step::End),
            1 => Manner::Hold(Step::Recipient),
            _ => Manner::Take,
        });
        server.treat(manners);
        let mut worker = Worker::start(&app, &server);
        held += 2;
        server.await_held(held);
        worker.kill();
        server.release();
        let_time_pass(&app);
    }
    server.treat([]);
    let _last = Worker::start(&app, &server);
    await_end(&app).await;

    let mut count: HashMap<String, usize> = HashMap::new();
    for mail in server.arrived() {
        *count.entry(mail.header("Message-ID").unwrap().to_owned()).or_default() += 1;
    }
    let jobs = jobs_of(&app);
    assert_eq!(jobs.len(), MAILS);
    let of = |deliveries| jobs.iter().filter(|job| job.deliveries() == deliveries).count();
    let (once, doubted, unknown) = (of(Deliveries::Once), of(Deliveries::OnceOrTwice), of(Deliveries::Unknown));
    assert_eq!(once + doubted + unknown, MAILS);
    assert!(doubted + unknown > 0, "workers were killed in the middle");
    assert!(count.values().all(|count| (1..=2).contains(count)), "{count:?}");
    // Whatever is known to be done has arrived; what arrived twice is said to be in doubt.
    assert!(count.len() >= once + doubted);
    assert!(count.values().filter(|count| **count == 2).count() <= doubted + unknown);
    assert!(jobs.iter().all(|job| job.state == State::Done || job.uncertain == jobs::MAX_UNCERTAIN));
}
