//! Links of members and affiliates: clicks, and who earns nothing.

use crate::harness::{Person, START, TestApp};
use kernel::{DAY, Email, Money, StoreError, UserId};
use referral::{LinkId, Person as Buyer, Referral, ReferredPurchase};
use serde_json::{Value, json};

async fn refers(app: &TestApp, person: &Person) -> Value {
    app.get_as(person, "/api/user/refers").await.result()
}

/// A purchase by a link, as its checkout settles it: whether it earns something.
fn purchase(app: &TestApp, link: &str, owner: &Person, name: &str, buyer: (Option<&Person>, &str)) -> bool {
    let id = |person: &Person| UserId::from_store(person.id());
    let owner = Buyer::new(Some(id(owner)), &Email::parse("ada@example.com").unwrap(), vec!["card".to_owned()]);
    let purchase = ReferredPurchase {
        purchase: name.to_owned(),
        buyer: Buyer::new(buyer.0.map(id), &Email::parse(buyer.1).unwrap(), Vec::new()),
        net: Money::from_cents(5_999),
        is_first_payment: true,
        is_premium: true,
        at: START,
    };
    let link = LinkId::parse(link).unwrap();
    let change = app.app.db.write_now::<_, StoreError>(|pg| pg.reward_purchase(&link, &owner, &purchase));
    change.expect("it is settled").is_some()
}

#[actix_web::test]
async fn a_member_has_one_link_whose_clicks_are_counted() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    let first = refers(&app, &ada).await;
    let id = first["rId"].as_str().unwrap().to_owned();
    assert_eq!(first["link"], format!("{}/r/{id}", app.address));
    assert_eq!(first["refers"], json!([{ "num": 0, "money": 0 }]));
    for path in [&id, &id.to_uppercase(), "nobodys", "no%20link"] {
        assert_eq!(app.post(&format!("/api/referral/click/{path}"), json!({})).await.result(), json!({}));
    }
    let after = refers(&app, &ada).await;
    assert_eq!((&after["clicks"], &after["rId"]), (&json!(2), &json!(id)));
}

#[actix_web::test]
async fn a_click_beyond_the_limit_of_a_network_counts_nothing() {
    let app = TestApp::start_with(&[("RATE_LIMIT_EVENT", "1/3600")]).await;
    let ada = app.sign_up("ada@example.com").await;
    let id = refers(&app, &ada).await["rId"].as_str().unwrap().to_owned();
    for _ in 0..3 {
        assert_eq!(app.post(&format!("/api/referral/click/{id}"), json!({})).await.status, 200);
    }
    assert_eq!(refers(&app, &ada).await["clicks"], 1);
}

#[actix_web::test]
async fn a_friend_earns_a_quarter_and_ones_own_purchase_nothing() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.sign_up("ada@example.com").await, app.sign_up("bob@example.com").await);
    let id = refers(&app, &ada).await["rId"].as_str().unwrap().to_owned();
    assert!(!purchase(&app, &id, &ada, "own", (Some(&ada), "other@example.com")));
    assert!(!purchase(&app, &id, &ada, "alias", (None, "ADA+shop@example.com")));
    assert_eq!(refers(&app, &ada).await["refers"], json!([{ "num": 0, "money": 0 }]));
    assert!(purchase(&app, &id, &ada, "bobs", (Some(&bob), "bob@example.com")));
    assert!(!purchase(&app, &id, &ada, "bobs", (Some(&bob), "bob@example.com")), "once for each purchase");
    let earned = refers(&app, &ada).await;
    assert_eq!(earned["refers"], json!([{ "num": 1, "money": 1_499 }]));
    assert_eq!((&earned["pending"], &earned["payable"], &earned["paid"]), (&json!(1_499), &json!(0), &json!(0)));
    app.env.advance(30 * DAY);
    let later = app.log_in("ada@example.com", crate::harness::PASSWORD).await;
    let earned = refers(&app, &later).await;
    assert_eq!((&earned["pending"], &earned["payable"]), (&json!(0), &json!(1_499)));
}

#[actix_web::test]
async fn an_affiliate_joins_once_and_has_a_link_of_their_own() {
    let app = TestApp::start().await;
    let (ada, bob) = (app.sign_up("ada@example.com").await, app.sign_up("bob@example.com").await);
    let nothing = json!({ "pending": 0, "payable": 0, "paid": 0 });
    let before = app.get_as(&ada, "/api/affiliate").await.result();
    assert_eq!(before, json!({ "joined": false, "link": null, "clicks": 0, "purchases": 0, "commission": nothing }));
    let joined = app.post_as(&ada, "/api/affiliate", json!({})).await.result();
    assert_eq!(app.post_as(&ada, "/api/affiliate", json!({})).await.result(), joined);
    let link = joined["link"].as_str().unwrap();
    assert_ne!(refers(&app, &ada).await["link"], link);
    let id = link.rsplit('/').next().unwrap();
    assert!(purchase(&app, id, &ada, "bobs", (Some(&bob), "bob@example.com")));
    let after = app.get_as(&ada, "/api/affiliate").await.result();
    assert_eq!((&after["purchases"], &after["commission"]["pending"]), (&json!(1), &json!(599)));
    assert_eq!(refers(&app, &ada).await["pending"], 0, "the commission is no friend's reward");
}

#[actix_web::test]
async fn the_link_of_a_sign_up_counts_at_the_first_payment_whatever_the_browser_has_forgotten() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    let id = refers(&app, &ada).await["rId"].as_str().unwrap().to_owned();
    let body = json!({
        "username": "bob@example.com", "password": crate::harness::PASSWORD, "firstName": "Bob", "lastName": "Reader", "rId": id,
    });
    app.post("/api/user/register", body).await.result();
    assert_eq!(app.count("referred_members"), 1);
    // A link that does not exist, and one's own, are passed over.
    for (email, link) in [("cleo@example.com", "none"), ("dora@example.com", "not a link")] {
        let body = json!({
            "username": email, "password": crate::harness::PASSWORD, "firstName": "C", "lastName": "R", "rId": link,
        });
        app.post("/api/user/register", body).await.result();
    }
    assert_eq!(app.count("referred_members"), 1);
    app.env.advance(30 * DAY);
    let bob = app.log_in("bob@example.com", crate::harness::PASSWORD).await;
    let bought = app.post_as(&bob, "/api/charge/process/lifetime", json!({ "token": "pm_card_visa" })).await;
    assert_eq!(bought.result()["amount"], 14_900);
    let ada = app.log_in("ada@example.com", crate::harness::PASSWORD).await;
    assert_eq!(refers(&app, &ada).await["refers"], json!([{ "num": 1, "money": 3_725 }]));
}
