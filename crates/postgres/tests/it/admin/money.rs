//! The lists of money on Postgres: the conditions that make them fast change nothing of what they list.

use std::collections::BTreeMap;

use admin::{MoneyQueries, OrderFilter, OrderState};
use billing::{Account, BillingCommands, BillingQueries};
use diesel::{Connection, PgConnection, connection::SimpleConnection};
use kernel::{Limit, Money};
use postgres::Pg;
use testing::TestDatabase;

/// Runs a test in a transaction of which nothing stays; so the ledger need not balance.
fn within(work: impl FnOnce(&mut PgConnection)) {
    TestDatabase::new().connect().test_transaction::<_, diesel::result::Error, _>(|connection| {
        work(connection);
        Ok(())
    });
}

/// An order in each state of a checkout, with each combination of up to three kinds of movements.
const ORDERS: &str = "
    INSERT INTO payers (is_guest, email, email_key, created_at) VALUES (true, 'ada@example.com', 'ada@example.com', now());
    CREATE TEMP TABLE cases ON COMMIT DROP AS
        SELECT row_number() OVER () AS n, s.state, m.kinds FROM
            unnest(ARRAY['started', 'submitted', 'needs_action', 'paid', 'declined', 'price_changed', 'reconciled']) AS s (state),
            (SELECT ARRAY[a, b, c] AS kinds FROM
                unnest(ARRAY[NULL, 'charged', 'trial_started']) a,
                unnest(ARRAY[NULL, 'refunded', 'refunded_in_part']) b,
                unnest(ARRAY[NULL, 'disputed', 'dispute_won']) c) AS m;
    INSERT INTO checkouts (reference, key, body_hash, payer_id, provider, plan_id, plan_name, quantity, infographics,
            first_charge_cents, state, charge_id, created_at, changed_at)
        SELECT 'order-' || n, 'order-' || n, sha256('order'), p.id, 'sandbox', 'yearly', 'Yearly', 1, 0, 5999, state,
            'order-' || n, now(), now() FROM cases, payers p;
    INSERT INTO ledger_transactions (payer_id, key, kind, purchase, plan_id, plan_name, amount_cents, fee_cents, reference,
            infographics, occurred_at)
        SELECT p.id, 'order-' || n || ':' || kind, CASE kind WHEN 'refunded_in_part' THEN 'refunded' ELSE kind END, 'order-' || n,
            'yearly', 'Yearly', CASE kind WHEN 'refunded_in_part' THEN 1000 ELSE 5999 END, 0,
            CASE WHEN kind NOT IN ('charged', 'trial_started') THEN 'order' END, 0, now()
        FROM cases, unnest(kinds) AS kind, payers p WHERE kind IS NOT NULL;
    -- A dispute that was won was opened before.
    INSERT INTO ledger_transactions (payer_id, key, kind, purchase, plan_id, plan_name, amount_cents, fee_cents, reference,
            infographics, occurred_at)
        SELECT p.id, 'order-' || n || ':opened', 'disputed', 'order-' || n, 'yearly', 'Yearly', 5999, 0, 'order', 0, now()
        FROM cases, payers p WHERE 'dispute_won' = ANY (kinds)";

#[test]
fn orders_of_a_state_are_those_that_show_it_and_are_counted_as_listed() {
    within(|connection| {
        connection.batch_execute(ORDERS).unwrap();
        let mut pg = Pg::new(connection);
        let mut list = |filter: &OrderFilter| {
            let (mut found, mut after) = (Vec::new(), None);
            loop {
                let page = pg.orders(filter, after, Limit::clamped(Limit::MAX)).unwrap();
                found.extend(page.items.into_iter().map(|order| (order.number, order.state)));
                after = page.next;
                if after.is_none() {
                    break;
                }
            }
            assert_eq!(pg.count_orders(filter).unwrap().count(), found.len() as u64, "{filter:?}");
            found
        };
        let all = list(&OrderFilter::default());
        assert_eq!(all.len(), 7 * 27);
        for state in OrderState::ALL {
            let shown: Vec<_> = all.iter().copied().filter(|(_, of)| *of == state).collect();
            assert!(!shown.is_empty(), "{state:?}");
            let text = Some("ADA@".to_owned());
            assert_eq!(list(&OrderFilter { state: Some(state), ..OrderFilter::default() }), shown, "{state:?}");
            assert_eq!(list(&OrderFilter { state: Some(state), text, ..OrderFilter::default() }), shown, "{state:?}");
        }
    });
}

fn balances(pg: &mut Pg<'_>) -> BTreeMap<Account, Money> {
    pg.account_balances().unwrap().into_iter().collect()
}

/// Charges that were recorded so many days ago; each of 10 dollars more than the one before.
fn charge(connection: &mut PgConnection, days_ago: &[i32]) {
    for days in days_ago {
        let charge = format!(
            "WITH added AS (
                INSERT INTO ledger_transactions (payer_id, key, kind, purchase, plan_id, plan_name, amount_cents, fee_cents,
                    infographics, occurred_at, recorded_at)
                SELECT p.id, 'charge-' || n.next, 'charged', 'one', 'yearly', 'Yearly', 1000 * n.next, 0, 0, now(),
                    now() - make_interval(days => {days})
                FROM payers p, (SELECT count(*) + 1 AS next FROM ledger_transactions) n RETURNING id, amount_cents
            )
            INSERT INTO ledger_entries (transaction_id, account, amount_cents)
            SELECT a.id, e.account, e.sign * a.amount_cents FROM added a,
                (VALUES ('provider_cash', 1), ('revenue', -1)) AS e (account, sign)"
        );
        connection.batch_execute(&charge).unwrap();
    }
}

#[test]
fn balances_are_the_kept_sums_and_the_entries_since() {
    within(|connection| {
        connection.batch_execute("INSERT INTO payers (is_guest, created_at) VALUES (true, now())").unwrap();
        let of = |cents| {
            BTreeMap::from([
                (Account::ProviderCash, Money::from_cents(cents)),
                (Account::Revenue, Money::from_cents(-cents)),
            ])
        };
        Pg::new(connection).sum_accounts().unwrap();
        assert_eq!(balances(&mut Pg::new(connection)), BTreeMap::new());
        // The second is of a transaction that took long: it has a greater id than one that was recorded later.
        let mut sum = 0;
        for (number, days) in [9, 5, 7, 2, 0, 0].into_iter().enumerate() {
            charge(connection, &[days]);
            sum += 1_000 * (i64::try_from(number).unwrap() + 1);
            for _ in 0..2 {
                assert_eq!(balances(&mut Pg::new(connection)), of(sum), "{days} days ago");
                Pg::new(connection).sum_accounts().unwrap();
            }
        }
        let mut pg = Pg::new(connection);
        assert_eq!((balances(&mut pg), pg.wrong_account_sums().unwrap()), (of(sum), vec![]));
        // Those of today are not summed yet.
        connection.batch_execute("UPDATE ledger_sums SET amount_cents = 0").unwrap();
        let mut pg = Pg::new(connection);
        assert_eq!(balances(&mut pg), of(5_000 + 6_000));
        assert_eq!(pg.wrong_account_sums().unwrap(), [Account::ProviderCash, Account::Revenue]);
    });
}
