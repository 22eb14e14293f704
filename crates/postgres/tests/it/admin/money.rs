//! The lists of money on Postgres: the conditions that make them fast change nothing of what they list.

use std::collections::BTreeMap;

use admin::{CodeFilter, LedgerFilter, MoneyQueries, OrderFilter, OrderState};
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
            let (page, total) = pg.counted_orders(filter, None, Limit::clamped(Limit::MAX)).unwrap();
            assert_eq!(total.count(), found.len() as u64, "{filter:?}");
            assert!(
                page.items
                    .iter()
                    .map(|order| order.number)
                    .eq(found.iter().take(Limit::MAX).map(|(number, _)| *number))
            );
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

/// A member and a guest with an order, a charge and a redeemed code each, and a code that nobody has redeemed.
const SEARCHED: &str = "
    INSERT INTO users (email, email_key, first_name, last_name, created_at)
        VALUES ('Ada@example.com', 'ada@example.com', 'Grace', 'Hopper', now());
    INSERT INTO payers (user_id, is_guest, email, email_key, created_at)
        SELECT id, false, NULL, NULL, now() FROM users UNION ALL SELECT NULL, true, 'guest@example.com', 'guest@example.com', now();
    INSERT INTO ledger_transactions (payer_id, key, kind, purchase, plan_id, plan_name, amount_cents, fee_cents, infographics, occurred_at)
        SELECT id, 'charge-' || is_guest, 'charged', 'purchase_' || is_guest, 'yearly', 'Yearly', 5999, 0, 0, now() FROM payers ORDER BY is_guest;
    INSERT INTO codes (code, kind, plan_id, plan_name, months, created_at, redeemed_by, redeemed_at)
        SELECT 'AAAAABBBBBCCCCCDDDD' || is_guest::integer, 'gift', 'yearly', 'Yearly', 12, now(), id, now() FROM payers
        UNION ALL SELECT 'AAAAAXXXXXCCCCCDDDD2', 'gift', 'yearly', 'Yearly', 12, now(), NULL, NULL";

#[test]
fn codes_are_found_by_their_beginning_and_by_the_member_who_redeemed_them() {
    within(|connection| {
        connection.batch_execute(SEARCHED).unwrap();
        let mut pg = Pg::new(connection);
        let mut list = |text: &str| {
            let filter = CodeFilter { text: Some(text.to_owned()), ..CodeFilter::default() };
            let (page, total) = pg.counted_code_rows(&filter, None, Limit::clamped(Limit::MAX)).unwrap();
            assert_eq!(total.count(), page.items.len() as u64, "{text}");
            assert_eq!(pg.code_rows(&filter, None, Limit::clamped(Limit::MAX)).unwrap().items, page.items, "{text}");
            let mut last: Vec<char> = page.items.iter().filter_map(|code| code.code.chars().last()).collect();
            last.sort_unstable();
            last.into_iter().collect::<String>()
        };
        for (text, found) in [
            ("aaaaa-bb", "01"),
            ("AAAAAX", "2"),
            ("aa", "012"),
            ("BBBBB", ""),
            ("ada@", "0"),
            ("DA", "0"),
            // Neither a guest's address nor a name.
            ("guest@", ""),
            ("hopper", ""),
            ("aaaaa%", ""),
            ("aaaaa_bbbb", ""),
        ] {
            assert_eq!(list(text), found, "{text}");
        }
    });
}

#[test]
fn movements_are_found_by_a_part_of_each_text_and_of_the_payers_address() {
    within(|connection| {
        connection.batch_execute(SEARCHED).unwrap();
        let mut pg = Pg::new(connection);
        let mut list = |text: &str| {
            let filter = LedgerFilter { text: Some(text.to_owned()), ..LedgerFilter::default() };
            let (page, total) = pg.counted_ledger_rows(&filter, None, Limit::clamped(Limit::MAX)).unwrap();
            assert_eq!(total.count(), page.items.len() as u64, "{text}");
            assert_eq!(pg.ledger_rows(&filter, None, Limit::clamped(Limit::MAX)).unwrap().items, page.items, "{text}");
            page.items.into_iter().map(|row| row.key).collect::<Vec<_>>()
        };
        let (member, guest) = ("charge-false", "charge-true");
        for (text, found) in [
            ("ADA@", vec![member]),
            ("da", vec![member]),
            ("est@exam", vec![guest]),
            ("st", vec![guest]),
            ("e-tru", vec![guest]),
            ("SE_FAL", vec![member]),
            ("yearly", vec![guest, member]),
            ("ly", vec![guest, member]),
            ("hopper", vec![]),
            ("ye%ly", vec![]),
        ] {
            assert_eq!(list(text), found, "{text}");
        }
    });
}
