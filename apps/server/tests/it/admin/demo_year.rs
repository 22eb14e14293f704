//! The demo's made-up year of business (`site.demo-year`).

use std::collections::BTreeSet;

use serde_json::Value;
use workflows::billing::ledger_check::check_ledger;

use crate::harness::TestApp;

async fn add_year(app: &TestApp) -> Option<usize> {
    let (app, sandbox) = (&app.app, app.app.gateways.sandbox().expect("a demo without keys has the sandbox"));
    let (db, env, seal, settings) = (&app.db, &app.env, &app.seal, app.transactions.settings());
    let target = seed::YearTarget { db, env, seal, settings, sandbox };
    seed::add_business_year(&target).await.expect("the year is added")
}

fn number(value: &Value) -> i64 {
    value.as_i64().expect("a number")
}

/// `site.demo-year`, `site.made-up-members`, `admin.made-up-figures`.
#[actix_web::test]
async fn the_demo_year_fills_the_charts_once_agrees_with_the_ledger_and_mails_nobody() {
    let app = TestApp::start_with(&[("PITH_PROFILE", "demo")]).await;
    let admin = app.sign_up_with_role("admin@example.com", "admin").await;
    app.load_content(None).await.expect("the demo content is loaded");
    let mails = app.count("jobs WHERE kind = 'mail'");
    let before = app.get_as(&admin, "/api/admin/stats").await.result();
    assert_eq!(before["madeUp"], false);

    let members = add_year(&app).await.expect("the year is new");
    assert!(members > 250, "{members} members");
    let made_up = "users WHERE email_key LIKE '%@demo.example.com'";
    assert!(app.count(made_up) > 250);
    assert_eq!(app.count(&format!("{made_up} AND password_hash IS NOT NULL")), 0);

    let report = check_ledger(&app.app.payments).await.expect("the ledger is checked");
    assert_eq!(report.faults, []);
    assert!(report.movements > 300 && report.payments > 150, "{report:?}");

    // The year was added after today had been counted.
    let stats = app.get_as(&admin, "/api/admin/stats?from=2025-05-20&to=2026-06-15").await.result();
    assert_eq!(stats["madeUp"], true);
    let days = stats["days"].as_array().expect("days");
    let months_of = |field: &str| -> usize {
        let days = days.iter().filter(|day| number(&day[field]) > 0);
        days.map(|day| &day["day"].as_str().expect("a day")[..7]).collect::<BTreeSet<_>>().len()
    };
    for (field, months) in [
        ("signups", 12),
        ("completions", 12),
        ("visits", 12),
        ("subscriptions", 10),
        ("ended", 6),
        ("revenue", 10),
        ("mrr", 10),
        ("paying", 10),
        ("trials", 10),
        ("refunds", 1),
    ] {
        assert!(months_of(field) >= months, "{field}: {} months", months_of(field));
    }
    assert!(stats["cohorts"].as_array().map_or(0, Vec::len) >= 10);
    assert!(stats["revenueByPlan"].as_array().map_or(0, Vec::len) >= 5);
    assert!(!stats["topBooks"].as_array().expect("books").is_empty());
    let revenue: i64 = days.iter().map(|day| number(&day["revenue"])).sum();
    let charged = "ledger_transactions WHERE kind = 'charged' AND amount_cents > 0";
    assert!(revenue > 0 && app.count(charged) > 150);
    for kind in [
        "trial_started",
        "charge_failed",
        "canceled",
        "ended",
        "refunded",
        "disputed",
        "code_redeemed",
        "reward_accrued",
        "reward_paid",
    ] {
        assert!(app.count(&format!("ledger_transactions WHERE kind = '{kind}'")) > 0, "{kind}");
    }
    for table in ["coupon_uses", "ratings", "messages WHERE done_at IS NULL", "messages WHERE done_at IS NOT NULL"] {
        assert!(app.count(table) > 0, "{table}");
    }

    assert_eq!(app.count("jobs WHERE kind = 'mail'"), mails);

    // A second time nothing is added, and jobs that are due change no money and mail nobody.
    let counts = || ["users", "ledger_transactions", "checkouts"].map(|table| app.count(table));
    let there = counts();
    assert_eq!(add_year(&app).await, None);
    app.queue_scheduled().await;
    app.work_off().await;
    assert_eq!(counts(), there);
    assert_eq!(check_ledger(&app.app.payments).await.expect("the ledger is checked").faults, []);
    assert_eq!(app.count("jobs WHERE kind = 'mail'"), mails);
}
