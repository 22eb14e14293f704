//! Who pays at a moment: the database's function, by which the figures of the business are counted, against the rule of billing.

use std::cell::{Cell, RefCell};

use billing::{
    BillingCommands, BillingStore, MemberPlan, Movement, MovementKind, PurchaseKey, RenewalTerms,
    histories::swept_histories,
};
use diesel::{
    Connection, PgConnection, QueryableByName, RunQueryDsl, sql_query,
    sql_types::{Array, BigInt, Text},
};
use kernel::{DAY, Email, Money, Period, Timestamp};
use postgres::Pg;
use proptest::{prelude::*, test_runner::TestRunner};
use testing::TestDatabase;

/// How many histories are drawn: each is stored movement by movement.
const CASES: u32 = 96;

/// A subscription that is paid for just before a moment, with twelve times what it brings in a month, in cents.
#[derive(Debug, PartialEq, Eq, QueryableByName)]
struct Paying {
    #[diesel(sql_type = BigInt)]
    at: i64,
    #[diesel(sql_type = Text)]
    purchase: String,
    #[diesel(sql_type = BigInt)]
    yearly: i64,
}

fn by_the_database(connection: &mut PgConnection, moments: &[i64]) -> Vec<Paying> {
    sql_query(
        "SELECT m.at, p.purchase, round(p.monthly_cents * 12)::bigint AS yearly
         FROM unnest($1) AS m (at), subscriptions_paid_at(timestamptz 'epoch' + m.at * interval '1 millisecond') p
         ORDER BY 1, 2",
    )
    .bind::<Array<BigInt>, _>(moments)
    .load(connection)
    .expect("the function answers")
}

fn by_the_rule(movements: &[Movement], moments: &[i64]) -> Vec<Paying> {
    let mut found = Vec::new();
    for at in moments {
        let mut paid = MemberPlan::paid_subscriptions(movements, Timestamp::from_millis(*at));
        paid.sort_by(|one, other| one.purchase.cmp(&other.purchase));
        found.extend(paid.into_iter().map(|one| Paying {
            at: *at,
            purchase: one.purchase.to_string(),
            yearly: one.terms.price.cents() * 12 / i64::from(one.terms.months),
        }));
    }
    found
}

/// The moments of a history at which something may change, and those beside them.
fn moments_of(movements: &[Movement]) -> Vec<i64> {
    let ends = movements.iter().filter_map(|one| one.period.and_then(|period| period.ends_at));
    let changes = movements.iter().map(|one| one.at).chain(ends);
    let mut moments: Vec<i64> = changes.flat_map(|at| [-1, 0, 1].map(|beside| at.millis() + beside)).collect();
    moments.sort_unstable();
    moments.dedup();
    moments
}

/// What the database says of a history, which is stored for a new payer in a transaction of which nothing stays.
fn counted(connection: &mut PgConnection, movements: &[Movement], moments: &[i64]) -> Vec<Paying> {
    connection.test_transaction::<_, diesel::result::Error, _>(|connection| {
        let mut pg = Pg::new(connection);
        let email = Email::parse("guest@example.com").expect("an address");
        let payer = pg.insert_guest_payer(&email, Timestamp::from_millis(0)).expect("a payer");
        for movement in movements {
            assert!(pg.insert_movement(payer, movement).expect("it is stored"), "its key is its own");
        }
        Ok(by_the_database(connection, moments))
    })
}

#[test]
fn the_database_counts_as_paying_whom_the_ledgers_rule_says() {
    let database = TestDatabase::new();
    let (connection, seen) = (RefCell::new(database.connect()), Cell::new(0));
    let config = ProptestConfig { cases: CASES, failure_persistence: None, ..ProptestConfig::default() };
    let agrees = |movements: Vec<Movement>| {
        let moments = moments_of(&movements);
        let paying = counted(&mut connection.borrow_mut(), &movements, &moments);
        seen.set(seen.get() + paying.len());
        prop_assert_eq!(paying, by_the_rule(&movements, &moments), "{:?}", movements);
        Ok(())
    };
    TestRunner::new(config).run(&swept_histories(), agrees).unwrap();
    assert!(seen.get() > 0, "nobody has paid in any history");
}

#[test]
fn who_switched_to_a_plan_that_lapsed_does_not_pay_by_the_plan_before() {
    let start = Timestamp::from_millis(1_832_932_800_000);
    let charge = |plan_id: &str, months: u32, at: Timestamp| {
        let price = Money::from_cents(i64::from(months) * 500);
        Movement {
            plan_id: plan_id.to_owned(),
            amount: price,
            period: Some(Period { starts_at: at, ends_at: Some(at.plus_months(months)) }),
            renewal: Some(RenewalTerms { price, months }),
            ..Movement::new(MovementKind::Charged, plan_id, &PurchaseKey::new("sub"), at)
        }
    };
    let switched_at = start.plus(DAY);
    let movements = [charge("yearly", 12, start), charge("monthly", 1, switched_at)];
    let lapsed_at = switched_at.plus_months(1);
    let moments = [switched_at, lapsed_at, lapsed_at.plus(1)].map(Timestamp::millis);
    let paying = counted(&mut TestDatabase::new().connect(), &movements, &moments);
    let plans: Vec<_> = paying.iter().map(|one| (one.at, one.yearly)).collect();
    assert_eq!(plans, [(moments[0], 6_000), (moments[1], 6_000)]);
    assert_eq!(paying, by_the_rule(&movements, &moments));
}
