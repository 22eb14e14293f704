//! The figures of the business agree with the ledger, by a calculation that shares nothing with the one that counts them.

use crate::harness::{START, TestApp};
use admin::StatsCommands;
use billing::MovementKind;
use diesel::{QueryableByName, sql_types::BigInt, sql_types::Text};
use kernel::{DAY, Day, Env as _, MINUTE, StoreError, TimeZone, Timestamp};
use serde_json::{Value, json};

/// A year of 10,000 members: they join on all days, some pay monthly and some yearly, for so long; charges go back whole or in
/// half. Nothing of it is random, so that a failure can be looked at.
fn make_a_year(app: &TestApp) {
    let start = START.millis() / 1_000;
    // The balance of each row is not what is tried here, and its triggers are slow.
    app.sql("ALTER TABLE ledger_transactions DISABLE TRIGGER USER");
    app.sql(&format!(
        "INSERT INTO users (email, email_key, first_name, last_name, timezone, created_at)
         SELECT 'y' || n || '@example.com', 'y' || n || '@example.com', 'Grace', 'Member', 'UTC',
             to_timestamp({start} - 365 * 86400 + (n * 7 % 365) * 86400 + n % 86400)
         FROM generate_series(1, 10000) n"
    ));
    app.sql("INSERT INTO payers (user_id, is_guest, created_at) SELECT id, false, created_at FROM users WHERE email LIKE 'y%'");
    let row =
        "INSERT INTO ledger_transactions (payer_id, key, kind, purchase, plan_id, plan_name, amount_cents, fee_cents,
        starts_at, ends_at, reference, renewal_cents, renewal_months, infographics, occurred_at)";
    app.sql(&format!(
        "{row}
         SELECT p.id, 'y:' || p.id || ':' || i, 'charged', 'y:' || p.id,
             CASE WHEN p.id % 4 = 0 THEN 'yearly' ELSE 'monthly' END, CASE WHEN p.id % 4 = 0 THEN 'Yearly' ELSE 'Monthly' END,
             CASE WHEN p.id % 4 = 0 THEN 5999 ELSE 999 END, 0, at, at + CASE WHEN p.id % 4 = 0 THEN interval '365 days' ELSE interval '30 days' END, NULL,
             CASE WHEN p.id % 4 = 0 THEN 5999 ELSE 999 END, CASE WHEN p.id % 4 = 0 THEN 12 ELSE 1 END, 0, at
         FROM payers p, generate_series(0, p.id % 9) i,
             LATERAL (SELECT p.created_at + i * interval '30 days' AS at) a
         WHERE p.id % 5 < 3 AND (p.id % 4 <> 0 OR i = 0) AND at < to_timestamp({start})"
    ));
    app.sql(&format!(
        "{row}
         SELECT payer_id, key || ':ended', 'ended', purchase, plan_id, plan_name, 0, 0, NULL, NULL, NULL, NULL, NULL, 0, ends_at
         FROM (SELECT DISTINCT ON (purchase) * FROM ledger_transactions ORDER BY purchase, occurred_at DESC) t
         WHERE ends_at < to_timestamp({start}) AND payer_id % 3 > 0"
    ));
    app.sql(&format!(
        "{row}
         SELECT payer_id, key || ':refunded', 'refunded', purchase, plan_id, plan_name,
             CASE WHEN payer_id % 34 = 0 THEN amount_cents ELSE amount_cents / 2 END, 0, NULL, NULL, key, NULL, NULL, 0,
             occurred_at + interval '3 days'
         FROM ledger_transactions WHERE kind = 'charged' AND payer_id % 17 = 0 AND occurred_at < to_timestamp({start} - 4 * 86400)"
    ));
    app.sql("ALTER TABLE ledger_transactions ENABLE TRIGGER USER");
}

/// A row of the ledger, in milliseconds and cents.
#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = Text)]
    purchase: String,
    #[diesel(sql_type = Text)]
    kind: String,
    #[diesel(sql_type = BigInt)]
    at: i64,
    #[diesel(sql_type = BigInt)]
    until: i64,
    #[diesel(sql_type = BigInt)]
    amount: i64,
    /// Twelve times what it brings in a month.
    #[diesel(sql_type = BigInt)]
    yearly: i64,
}

/// The same figures out of the ledger's rows, purchase by purchase.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Figures {
    paying: i64,
    yearly: i64,
    subscriptions: i64,
    ended: i64,
    revenue: i64,
    refunds: i64,
}

fn by_hand(rows: &[Row], first: i32, days: usize) -> Vec<Figures> {
    let mut figures = vec![Figures::default(); days];
    let day_of = |at: i64| usize::try_from(at.div_euclid(DAY) - i64::from(first)).expect("a day of the year");
    for movements in rows.chunk_by(|a, b| a.purchase == b.purchase) {
        for (i, one) in movements.iter().enumerate() {
            let Some(day) = figures.get_mut(day_of(one.at)) else { continue };
            match one.kind.parse().expect("a kind") {
                MovementKind::Charged => {
                    day.revenue += one.amount;
                    day.subscriptions += i64::from(i == 0);
                }
                MovementKind::Refunded => day.refunds += one.amount,
                MovementKind::Ended => day.ended += 1,
                kind => panic!("{kind:?} is not made here"),
            }
        }
        for (number, day) in figures.iter_mut().enumerate() {
            let midnight = (i64::from(first) + i64::try_from(number).expect("few days") + 1) * DAY;
            let mut running: Option<(&Row, i64)> = None;
            for one in movements.iter().take_while(|one| one.at < midnight) {
                running = match (one.kind.as_str(), running) {
                    ("charged", _) => Some((one, one.amount)),
                    ("refunded", Some((charge, left))) => Some((charge, left - one.amount)),
                    _ => None,
                };
            }
            if let Some((charge, _)) = running.filter(|(charge, left)| *left > 0 && charge.until >= midnight) {
                day.paying += 1;
                day.yearly += charge.yearly;
            }
        }
    }
    figures
}

fn count(app: &TestApp) {
    let now = app.env.now();
    loop {
        let left = app.app.db.write_now::<_, StoreError>(|pg| pg.count_days(now)).expect("the days are counted");
        if !left {
            break;
        }
    }
}

#[actix_web::test]
async fn a_year_of_10000_members_agrees_with_a_calculation_written_apart() {
    let app = TestApp::start().await;
    let admin = app.sign_up_with_role("admin@example.com", "admin").await;
    make_a_year(&app);
    count(&app);

    let rows: Vec<Row> = app.rows(
        "SELECT purchase, kind, (extract(epoch FROM occurred_at) * 1000)::bigint AS at,
             coalesce((extract(epoch FROM ends_at) * 1000)::bigint, 0) AS until, amount_cents AS amount,
             coalesce(renewal_cents * 12 / renewal_months, 0) AS yearly
         FROM ledger_transactions ORDER BY purchase, occurred_at, id",
    );
    assert!(rows.len() > 20_000, "{} rows", rows.len());

    let today = TimeZone::UTC.day_of(START);
    let first = Day::from_epoch(today.since_epoch() - 365);
    let wanted = by_hand(&rows, first.since_epoch(), 366);
    let stats = app.get_as(&admin, &format!("/api/admin/stats?from={first}&to={today}")).await.result();
    let days = stats["days"].as_array().expect("days");
    assert_eq!(days.len(), 366);
    let number = |value: &Value| value.as_i64().expect("a number");
    for (shown, wanted) in days.iter().zip(&wanted) {
        let seen = Figures {
            paying: number(&shown["paying"]),
            yearly: wanted.yearly,
            subscriptions: number(&shown["subscriptions"]),
            ended: number(&shown["ended"]),
            revenue: number(&shown["revenue"]),
            refunds: number(&shown["refunds"]),
        };
        assert_eq!((&seen, number(&shown["mrr"])), (wanted, (wanted.yearly + 6) / 12), "{}", shown["day"]);
    }
    let ended: i64 = wanted.iter().map(|day| day.ended).sum();
    assert_eq!(stats["churn"], json!({ "ended": ended, "paying": 0, "before": null }));
    assert!(ended > 1_000 && wanted[180].paying > 1_000 && wanted[180].refunds > 0, "{:?}", wanted[180]);

    let revenue: i64 = wanted.iter().map(|day| day.revenue).sum();
    let plans = stats["revenueByPlan"].as_array().expect("plans");
    assert_eq!(plans.iter().map(|plan| number(&plan["amount"])).sum::<i64>(), revenue);
    assert_eq!(plans.len(), 2);
    let by_day = stats["revenueDays"].as_array().expect("days").iter();
    let by_day = by_day.flat_map(|day| day["amounts"].as_object().expect("amounts").values());
    assert_eq!(by_day.map(number).sum::<i64>(), revenue);
    assert_eq!(number(&days[365]["members"]), app.count("users"));
    assert_eq!(stats["countedAt"], json!(START.millis()));
    assert_eq!(stats["funnel"]["signups"], app.count("users"));

    let cohorts = stats["cohorts"].as_array().expect("cohorts");
    let mut sizes = std::collections::BTreeMap::<String, i64>::new();
    for purchase in rows.chunk_by(|a, b| a.purchase == b.purchase) {
        let first = purchase.iter().find(|one| one.kind == "charged").expect("a charge");
        *sizes
            .entry(TimeZone::UTC.day_of(Timestamp::from_millis(first.at)).to_string()[..7].to_owned())
            .or_default() += 1;
    }
    let shown: Vec<_> =
        cohorts.iter().map(|one| (one["month"].as_str().expect("a month"), number(&one["size"]))).collect();
    assert_eq!(shown, sizes.iter().map(|(month, size)| (month.as_str(), *size)).collect::<Vec<_>>());
    assert_eq!(
        cohorts[0]["paid"].as_array().map(Vec::len),
        Some(cohorts.len()),
        "each month has had an end, or is this one"
    );
    let last = |cohort: &Value| number(cohort["paid"].as_array().expect("months").last().expect("one"));
    assert_eq!(cohorts.iter().map(last).sum::<i64>(), wanted[365].paying, "who pays today began in some month");

    // A month of it stands beside the month before.
    let (from, to) = (Day::from_epoch(first.since_epoch() + 200), Day::from_epoch(first.since_epoch() + 229));
    let month = app.get_as(&admin, &format!("/api/admin/stats?from={from}&to={to}")).await.result();
    let ended = |days: std::ops::Range<usize>| wanted[days].iter().map(|day| day.ended).sum::<i64>();
    let churn = json!({
        "ended": ended(200..230), "paying": wanted[199].paying,
        "before": { "ended": ended(170..200), "paying": wanted[169].paying },
    });
    assert_eq!(month["churn"], churn);
    assert_eq!((&month["before"][29], &month["days"][0]), (&days[199], &days[200]));
}

#[actix_web::test]
async fn visits_reading_and_trials_are_counted_by_the_job_and_a_wrong_range_is_refused() {
    let app = TestApp::start().await;
    let book = app.add_book("walden", "");
    let admin = app.sign_up_with_role("admin@example.com", "admin").await;
    app.post("/api/events", json!({ "name": "visit" })).await.result();
    app.post("/api/events", json!({ "name": "start_for_free" })).await.result();
    app.sql(&format!(
        "INSERT INTO completions (user_id, day, book_id) SELECT id, to_timestamp({}) AT TIME ZONE 'UTC', {book} FROM users",
        START.millis() / 1_000
    ));
    app.sql(&format!("INSERT INTO history (user_id, book_id, position, furthest, updated_at) SELECT id, {book}, 1, 1, to_timestamp({}) FROM users", START.millis() / 1_000));
    app.queue_scheduled().await;
    app.work_off().await;

    let stats = app.get_as(&admin, "/api/admin/stats").await.result();
    assert_eq!(
        (stats["days"].as_array().map(Vec::len), stats["before"].as_array().map(Vec::len)),
        (Some(30), Some(30))
    );
    let today = &stats["days"][29];
    assert_eq!((&today["visits"], &today["completions"], &today["signups"]), (&json!(1), &json!(1), &json!(1)));
    assert_eq!(stats["funnel"], json!({ "visits": 1, "signups": 1, "paid": 0, "before": null }));
    assert_eq!((&stats["topBooks"][0]["id"], &stats["topBooks"][0]["completed"]), (&json!(book), &json!(1)));

    let readers = app.get_as(&admin, &format!("/api/admin/stats/books/{book}")).await.result();
    assert_eq!((&readers["readers"], &readers["completed"]), (&json!(1), &json!(0)));
    let reached: Vec<i64> = readers["sections"]
        .as_array()
        .expect("sections")
        .iter()
        .map(|one| one["reached"].as_i64().expect("a number"))
        .collect();
    assert!(reached.len() > 2 && reached[..2] == [1, 1] && reached[2..].iter().all(|one| *one == 0), "{reached:?}");
    app.get_as(&admin, "/api/admin/stats/books/4711").await.fails(404, "not_found", "There is no such book.");

    for (query, field) in [
        ("from=2026-02-29", "from"),
        ("to=x", "to"),
        ("from=2026-02-02&to=2026-02-01", "from"),
        ("from=2020-01-01&to=2026-01-01", "from"),
    ] {
        let reply = app.get_as(&admin, &format!("/api/admin/stats?{query}")).await;
        assert_eq!((reply.status.as_u16(), &reply.json()["field"]), (422, &json!(field)), "{query}");
    }
}

#[actix_web::test]
async fn today_is_counted_when_it_is_looked_at_and_again_after_a_minute() {
    let app = TestApp::start().await;
    let admin = app.sign_up_with_role("admin@example.com", "admin").await;
    let looked = async || {
        let stats = app.get_as(&admin, "/api/admin/stats").await.result();
        (stats["days"][29]["members"].clone(), stats["countedAt"].clone())
    };
    // No job has counted anything yet.
    let begun = app.env.now().millis();
    assert_eq!(looked().await, (json!(1), json!(begun)));
    app.sign_up("ada@example.com").await;
    assert_eq!(looked().await, (json!(1), json!(begun)), "it was counted within the last minute");
    app.env.advance(MINUTE);
    assert_eq!(looked().await, (json!(2), json!(begun + MINUTE)));
}

#[actix_web::test]
async fn top_books_of_any_range_agree_with_what_was_opened_on_each_day() {
    const DAYS: i32 = 200;
    let opens = |book: i32, day: i32| i64::from((book * 13 + day * day) % 50);
    let app = TestApp::start().await;
    let admin = app.sign_up_with_role("admin@example.com", "admin").await;
    let today = TimeZone::UTC.day_of(START).since_epoch();
    let first = today - DAYS + 1;
    app.sql(&format!("UPDATE users SET created_at = date '1970-01-01' + {first}"));
    let mut books = Vec::new();
    for n in 0..3 {
        let book = app.add_book(&format!("book-{n}"), "");
        app.sql(&format!(
            "INSERT INTO book_opens (book_id, day, opens)
             SELECT {book}, date '1970-01-01' + {first} + d, ({n} * 13 + d * d) % 50 FROM generate_series(0, {DAYS} - 1) d"
        ));
        books.push(book);
    }
    count(&app);

    // Whole months and parts of them, within one month and over several.
    for (from, to) in [(0, 199), (100, 199), (31, 150), (60, 75), (90, 130), (199, 199), (17, 18)] {
        let sum = |n: usize, days: std::ops::Range<i32>| -> i64 {
            days.filter(|day| *day >= 0).map(|day| opens(i32::try_from(n).expect("a book"), day)).sum()
        };
        let before = from - (to - from + 1);
        let mut wanted: Vec<_> = (0..3).map(|n| (sum(n, from..to + 1), books[n], sum(n, before..from))).collect();
        wanted.retain(|(opened, ..)| *opened > 0);
        wanted.sort_by_key(|(opened, book, _)| (-opened, *book));
        let (from, to) = (Day::from_epoch(first + from), Day::from_epoch(first + to));
        let stats = app.get_as(&admin, &format!("/api/admin/stats?from={from}&to={to}")).await.result();
        let number = |value: &Value| value.as_i64().expect("a number");
        let shown: Vec<_> = stats["topBooks"]
            .as_array()
            .expect("books")
            .iter()
            .map(|book| (number(&book["opened"]), number(&book["id"]), number(&book["before"])))
            .collect();
        assert_eq!(shown, wanted, "{from} to {to}");
    }
}
