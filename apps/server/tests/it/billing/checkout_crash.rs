//! The server is killed at every step of a purchase: afterwards there is one charge and one entitlement, or none of both.
//!
//! A process serves the purchase over a proxy of its database and the double of Stripe, and is killed before or after each commit and
//! each request to Stripe in turn. Another node does what its jobs are for; the buyer does nothing.

use crate::harness::{PASSWORD, Person, TestApp, process::Process};
use diesel::QueryableByName;
use kernel::Env as _;
use reqwest::{Client, Method, Response};
use serde_json::{Value, json};
use server::env::SystemEnv;
use testing::{InterruptedDatabase, Interruption, StripeDouble, stripe};
use workflows::billing::ledger_check::check_ledger;

/// More than any purchase has.
const MOST_MOMENTS: usize = 60;

/// A site whose one process can be killed, and a node beside it that can't.
struct Site {
    app: TestApp,
    double: StripeDouble,
    process: Process,
    interruption: Interruption,
    client: Client,
}

impl Site {
    fn start() -> Self {
        let now = SystemEnv.now();
        let double = StripeDouble::start(now.millis() / 1_000);
        let stripe = [
            ("STRIPE_SECRET_KEY", stripe::SECRET_KEY),
            ("STRIPE_PUBLISHABLE_KEY", "pk_test_double"),
            ("STRIPE_WEBHOOK_SECRET", stripe::WEBHOOK_SECRET),
            ("STRIPE_API_URL", double.url()),
        ];
        let app = TestApp::start_at(now, &stripe);
        let interruption = Interruption::default();
        double.interrupt(&interruption);
        let database = InterruptedDatabase::start(&app.database, &interruption);
        let mut vars = stripe.to_vec();
        vars.push(("DATABASE_URL", database.url()));
        let process = Process::start(&app.database, app.home(), &vars);
        Self { app, double, process, interruption, client: Client::new() }
    }

    /// The process is killed at the moment of this number from now on.
    fn arm(&self, at: usize) {
        self.interruption.arm(at, self.process.killer());
    }

    /// Sends a request to the process; an error when it died meanwhile.
    async fn post(&self, path: &str, token: Option<&str>, body: &Value) -> reqwest::Result<Response> {
        let mut request = self.client.post(format!("http://127.0.0.1:{}{path}", self.process.port));
        if let Some(token) = token {
            request = request.bearer_auth(token);
        }
        request.header("idempotency-key", "k1").json(body).send().await
    }

    /// The node that is left runs jobs for 24 hours, in which a payer has to come back, and Stripe sends its webhooks to it.
    async fn recover(&self) {
        self.interruption.disarm();
        for minutes in [1, 11, 11, 24 * 60, 11, 11] {
            self.app.env.advance(minutes * 60_000);
            self.double.advance_to(self.app.env.now().millis() / 1_000);
            for webhook in self.double.take_webhooks() {
                let request = self.app.request(Method::POST, "/api/stripe/webhook");
                let request = request.header("stripe-signature", webhook.signature).body(webhook.body);
                assert_eq!(crate::harness::reply(request).await.status, 200);
            }
            self.app.queue_scheduled().await;
            self.app.work_off().await;
        }
    }

    /// What Stripe took, how many entitlements there are, and how many plans were begun by a trial.
    async fn outcome(&self, moment: &str) -> (Vec<i64>, i64, i64) {
        let report = check_ledger(&self.app.app.payments).await.expect("the check runs");
        assert_eq!(report.faults, [], "killed {moment}");
        let open = "checkouts WHERE state NOT IN ('paid', 'declined', 'reconciled')";
        assert_eq!(self.app.count(open), 0, "killed {moment}");
        let trials = self.app.count("ledger_transactions WHERE kind = 'trial_started'");
        (self.double.taken(), self.app.count("entitlements"), trials)
    }
}

/// Goes through all moments of something, on a new site for each, until nothing kills it; gives the moments.
async fn killed_at_every_moment(run: impl AsyncFn(&Site, usize) -> bool) -> Vec<String> {
    let mut moments = Vec::new();
    for at in 0..MOST_MOMENTS {
        let site = Site::start();
        let is_done = run(&site, at).await;
        match site.interruption.killed_at() {
            Some(moment) => moments.push(moment),
            None if is_done => return moments,
            None => panic!("it failed without being killed: {:?}", site.process.log()),
        }
    }
    panic!("it has no end: {moments:?}");
}

/// The key of the one charge that there is.
fn charge_key(app: &TestApp) -> String {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = diesel::sql_types::Text)]
        key: String,
    }
    app.rows::<Row>("SELECT key FROM ledger_transactions WHERE kind = 'charged'").remove(0).key
}

async fn member(site: &Site) -> Person {
    site.app.sign_up("ada@example.com").await
}

#[actix_web::test]
async fn a_purchase_killed_at_any_moment_is_paid_and_owned_or_neither() {
    let moments = killed_at_every_moment(async |site, at| {
        let ada = member(site).await;
        site.arm(at);
        let body = json!({ "token": "pm_card_visa" });
        let reply = site.post("/api/charge/process/lifetime", Some(&ada.token), &body).await;
        let is_done = reply.is_ok_and(|reply| reply.status() == 200);
        site.recover().await;
        let moment = site.interruption.killed_at().unwrap_or_default();
        let outcome = site.outcome(&moment).await;
        assert!(matches!((outcome.0.as_slice(), outcome.1), ([14_900], 1) | ([], 0)), "killed {moment}: {outcome:?}");
        // The buyer presses again: the same purchase, or one that charges for the first time.
        let ada = site.app.log_in("ada@example.com", PASSWORD).await;
        let reply = site.app.request(Method::POST, "/api/charge/process/lifetime").bearer_auth(&ada.token);
        let reply = crate::harness::reply(reply.header("idempotency-key", "k1").json(&body)).await;
        assert!([200, 402].contains(&reply.status.as_u16()), "killed {moment}: {}", reply.text);
        let outcome = site.outcome(&moment).await;
        assert!(
            matches!((outcome.0.as_slice(), outcome.1), ([14_900], 1) | ([], 0)),
            "killed {moment}, pressed again: {outcome:?}"
        );
        is_done
    })
    .await;
    assert!(moments.len() >= 8, "{moments:?}");
}

#[actix_web::test]
async fn a_trial_killed_at_any_moment_began_once_or_not() {
    let moments = killed_at_every_moment(async |site, at| {
        site.arm(at);
        let body = json!({ "token": "pm_card_visa", "email": "buyer@example.com" });
        let reply = site.post("/api/charge/process/yearly", None, &body).await;
        let is_done = reply.is_ok_and(|reply| reply.status() == 200);
        site.recover().await;
        let moment = site.interruption.killed_at().unwrap_or_default();
        let (taken, _, trials) = site.outcome(&moment).await;
        let subscriptions =
            site.double.objects("subscription").iter().filter(|one| one["status"] == "trialing").count();
        assert_eq!((taken, i64::try_from(subscriptions).unwrap()), (vec![], trials), "killed {moment}");
        assert!(trials <= 1, "killed {moment}");
        is_done
    })
    .await;
    assert!(moments.len() >= 8, "{moments:?}");
}

#[actix_web::test]
async fn a_webhook_killed_at_any_moment_takes_effect_once() {
    let moments = killed_at_every_moment(async |site, at| {
        let ada = member(site).await;
        let body = json!({ "token": "pm_card_authenticationRequired" });
        let asked = site.post("/api/charge/process/lifetime", Some(&ada.token), &body).await.expect("it serves");
        let asked: Value = asked.json().await.expect("JSON");
        let secret = asked["result"]["clientSecret"].as_str().expect("the bank asks").to_owned();
        // The tab is closed after the bank's question: only the webhook tells.
        site.double.authenticate(&secret, true);
        site.arm(at);
        let mut is_done = true;
        for webhook in site.double.take_webhooks() {
            let address = format!("http://127.0.0.1:{}/api/stripe/webhook", site.process.port);
            let request = site.client.post(address).header("stripe-signature", webhook.signature.clone());
            let reply = request.body(webhook.body.clone()).send().await;
            if !reply.is_ok_and(|reply| reply.status() == 200) {
                is_done = false;
                // Stripe sends it again until it is taken.
                site.interruption.disarm();
                let request = site.app.request(Method::POST, "/api/stripe/webhook");
                let request = request.header("stripe-signature", webhook.signature).body(webhook.body);
                assert_eq!(crate::harness::reply(request).await.status, 200);
            }
        }
        site.recover().await;
        let moment = site.interruption.killed_at().unwrap_or_default();
        let outcome = site.outcome(&moment).await;
        assert_eq!((outcome.0.as_slice(), outcome.1), ([14_900].as_slice(), 1), "killed {moment}");
        is_done
    })
    .await;
    assert!(moments.len() >= 2, "{moments:?}");
}

#[actix_web::test]
async fn a_confirmation_killed_at_any_moment_is_paid_once() {
    let moments = killed_at_every_moment(async |site, at| {
        let ada = member(site).await;
        let body = json!({ "token": "pm_card_authenticationRequired" });
        let asked = site.post("/api/charge/process/lifetime", Some(&ada.token), &body).await.expect("it serves");
        let asked: Value = asked.json().await.expect("JSON");
        site.double.authenticate(asked["result"]["clientSecret"].as_str().expect("the bank asks"), true);
        site.arm(at);
        let body = json!({ "checkout": asked["result"]["checkout"] });
        let reply = site.post("/api/charge/confirm", Some(&ada.token), &body).await;
        let is_done = reply.is_ok_and(|reply| reply.status() == 200);
        site.recover().await;
        let moment = site.interruption.killed_at().unwrap_or_default();
        let outcome = site.outcome(&moment).await;
        assert_eq!((outcome.0.as_slice(), outcome.1), ([14_900].as_slice(), 1), "killed {moment}");
        is_done
    })
    .await;
    assert!(moments.len() >= 3, "{moments:?}");
}

#[actix_web::test]
async fn a_refund_killed_at_any_moment_is_given_once_and_tells_who_asked_or_is_not_given() {
    let moments = killed_at_every_moment(async |site, at| {
        let ada = member(site).await;
        let bought =
            site.post("/api/charge/process/lifetime", Some(&ada.token), &json!({ "token": "pm_card_visa" })).await;
        assert_eq!(bought.expect("it is bought").status(), 200);
        let admin = site.app.sign_up_with_role("admin@example.com", "admin").await;
        let charge = charge_key(&site.app);
        let path = format!("/api/admin/charges/{charge}/refund");
        site.arm(at);
        let body = json!({ "amount": 4_900, "reason": "other" });
        let reply = site.post(&path, Some(&admin.token), &body).await;
        let is_done = reply.is_ok_and(|reply| reply.status() == 200);
        site.recover().await;
        let moment = site.interruption.killed_at().unwrap_or_default();
        let by_admin = format!("audit_entries WHERE actor_id = {} AND action = 'charge.refund'", admin.id());
        let (taken, entitlements, _) = site.outcome(&moment).await;
        let refunds = site.app.count("ledger_transactions WHERE kind = 'refunded'");
        let asked = site.app.count(&by_admin);
        assert_eq!(entitlements, 1, "killed {moment}: a part ends nothing");
        assert!(
            matches!((taken.as_slice(), refunds, asked), ([10_000], 1, 1) | ([14_900], 0, 0 | 1)),
            "killed {moment}: {taken:?}, {refunds}, {asked}"
        );
        // Pressed again with the same key, by an admin who has logged in since.
        let admin = site.app.sign_up_with_role("another@example.com", "admin").await;
        let again = site.app.request(Method::POST, &path).bearer_auth(&admin.token).header("idempotency-key", "k1");
        let again = crate::harness::reply(again.json(&body)).await.result();
        assert_eq!(again["refunded"], 4_900, "killed {moment}");
        assert_eq!(site.outcome(&moment).await.0, [10_000], "killed {moment}");
        is_done
    })
    .await;
    let told = moments.join("\n");
    assert!(told.contains("/v1/refunds"), "{told}");
    assert!(moments.len() >= 6, "{told}");
}
