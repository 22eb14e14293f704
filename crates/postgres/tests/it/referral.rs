//! Invitations on Postgres: the contract that memory keeps too, and what happens when many come at the same moment.

use std::convert::Infallible;

use diesel::{
    PgConnection, QueryableByName, RunQueryDsl, sql_query,
    sql_types::{BigInt, Nullable, Text},
};
use kernel::{Email, FixedEnv, Money, StoreError, Timestamp, UserId};
use postgres::Pg;
use referral::{
    INVITATIONS_A_DAY, Invitation, InvitationForm, Inviter, LinkKind, PayoutOutcome, Person, REWARD_PENDING, Referral,
    ReferralError, ReferralQueries, ReferralStore, ReferredPurchase, contract,
};
use testing::TestDatabase;

use crate::harness::at_once;

const NOW: Timestamp = Timestamp::from_millis(1_795_226_400_000);
const AT_ONCE: usize = 20;

/// A member as it is stored; the rest of the row is of no concern here.
fn add_member(connection: &mut PgConnection, email: &Email) -> UserId {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = BigInt)]
        id: i64,
    }
    let row: Row = sql_query(
        "INSERT INTO users (email, email_key, first_name, last_name, created_at)
        VALUES ($1, $2, 'Ada', 'Reader', now()) RETURNING id",
    )
    .bind::<Text, _>(email.as_str())
    .bind::<Text, _>(email.key())
    .get_result(connection)
    .unwrap();
    UserId::from_store(row.id)
}

fn first_friend_of(connection: &mut PgConnection, member: UserId) -> Option<Email> {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = Nullable<Text>)]
        friend_email: Option<String>,
    }
    let row: Row = sql_query("SELECT friend_email FROM users WHERE id = $1")
        .bind::<BigInt, _>(member.get())
        .get_result(connection)
        .unwrap();
    row.friend_email.map(|text| Email::parse(&text).unwrap())
}

/// The store on one connection, and the members, whom another domain owns, on others.
struct PgWorld<'c> {
    pg: Pg<'c>,
    beside: &'c TestDatabase,
}

impl contract::World for PgWorld<'_> {
    fn add_member(&mut self, email: &Email) -> UserId {
        add_member(&mut self.beside.connect(), email)
    }

    fn first_friend_of(&mut self, member: UserId) -> Option<Email> {
        first_friend_of(&mut self.beside.connect(), member)
    }

    fn store(&mut self) -> &mut dyn ReferralStore {
        &mut self.pg
    }
}

#[test]
fn postgres_keeps_the_contract() {
    let database = TestDatabase::new();
    contract::run(|case| {
        let mut connection = database.connect();
        case(&mut PgWorld { pg: Pg::new(&mut connection), beside: &database });
        sql_query("DELETE FROM users").execute(&mut database.connect()).unwrap();
    });
}

/// Runs invitations in as many transactions at the same moment. Both kinds of outcome are committed: a refusal has
/// written nothing.
fn invite_at_once(database: &TestDatabase, inviter: &Inviter, friends: &[String]) -> Vec<Result<bool, ReferralError>> {
    let done = at_once::<_, Infallible>(database, friends.len(), |n, pg| {
        let form = InvitationForm { your_name: "Ada", friend_name: "Grace", friend_email: &friends[n] };
        Ok(pg.invite(inviter, &Invitation::read(form).unwrap(), NOW))
    });
    done.into_iter().map(|Ok(outcome)| outcome).collect()
}

fn inviter(database: &TestDatabase) -> Inviter {
    let email = Email::parse("ada@example.com").unwrap();
    Inviter { id: add_member(&mut database.connect(), &email), email, is_confirmed: true }
}

#[test]
fn an_address_that_is_invited_many_times_at_once_gets_one_mail() {
    let database = TestDatabase::new();
    let ada = inviter(&database);
    let outcomes = invite_at_once(&database, &ada, &vec!["grace@example.com".to_owned(); AT_ONCE]);
    assert_eq!(outcomes.iter().filter(|outcome| matches!(outcome, Ok(true))).count(), 1);
    assert_eq!(outcomes.iter().filter(|outcome| matches!(outcome, Ok(false))).count(), AT_ONCE - 1);
    assert_eq!(Pg::new(&mut database.connect()).invitations(ada.id).unwrap().len(), 1);
}

#[test]
fn of_many_invitations_at_once_no_more_go_out_than_a_day_allows() {
    let database = TestDatabase::new();
    let ada = inviter(&database);
    let before: Vec<String> = (0..INVITATIONS_A_DAY - 3).map(|n| format!("before{n}@example.com")).collect();
    assert!(invite_at_once(&database, &ada, &before).into_iter().all(|outcome| outcome.unwrap()));
    let friends: Vec<String> = (0..AT_ONCE).map(|n| format!("friend{n}@example.com")).collect();
    let outcomes = invite_at_once(&database, &ada, &friends);
    assert_eq!(outcomes.iter().filter(|outcome| matches!(outcome, Ok(true))).count(), 3);
    assert_eq!(
        outcomes.iter().filter(|outcome| matches!(outcome, Err(ReferralError::TooMany(_)))).count(),
        AT_ONCE - 3
    );
    let mut connection = database.connect();
    assert_eq!(Pg::new(&mut connection).invitations(ada.id).unwrap().len(), INVITATIONS_A_DAY);
}

#[test]
fn a_friend_who_pays_many_times_at_once_brings_one_reward_that_is_paid_out_once() {
    let database = TestDatabase::new();
    let ada = inviter(&database);
    let env = FixedEnv::at(NOW);
    let links = at_once::<_, ReferralError>(&database, AT_ONCE, |_, pg| pg.link_of(ada.id, LinkKind::Friend, &env));
    let links: Vec<_> = links.into_iter().map(|link| link.unwrap().id).collect();
    assert!(links.iter().all(|link| *link == links[0]), "a member has one link");

    let owner = Person::new(Some(ada.id), &ada.email, vec![]);
    let buyer = Person::new(None, &Email::parse("grace@example.com").unwrap(), vec![]);
    let rewarded = at_once::<_, StoreError>(&database, AT_ONCE, |n, pg| {
        let purchase = ReferredPurchase {
            // Two presses of each.
            purchase: format!("purchase-{}", n / 2),
            buyer: buyer.clone(),
            net: Money::from_cents(1_000),
            is_first_payment: true,
            is_premium: true,
            at: NOW,
        };
        pg.reward_purchase(&links[0], &owner, &purchase)
    });
    assert_eq!(rewarded.into_iter().filter_map(Result::unwrap).count(), 1);
    let due = NOW.plus(REWARD_PENDING);
    let shown = (Money::from_cents(250), Money::from_cents(0));
    let paid = at_once::<_, StoreError>(&database, AT_ONCE, |_, pg| pg.pay_out(ada.id, shown, due));
    let paid: Vec<PayoutOutcome> = paid.into_iter().map(Result::unwrap).collect();
    assert_eq!(paid.iter().filter(|outcome| **outcome == PayoutOutcome::Now).count(), 1, "{paid:?}");
    assert_eq!(paid.iter().filter(|outcome| **outcome == PayoutOutcome::Before).count(), AT_ONCE - 1, "{paid:?}");
}
