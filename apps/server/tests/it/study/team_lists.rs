//! Lists of a team over HTTP: who sees them, and who has finished what, of those who agreed.

use crate::harness::{Person, START, TestApp};
use crate::study::lists::{report, saved, shared};
use crate::study::refusal;
use billing::{Billing, BillingCommands, Code, CodeKind, CodeTerms, PurchaseKey};
use kernel::{DAY, StoreError, UserId};
use serde_json::{Value, json};

/// Seats that a member has bought.
fn seats(app: &TestApp, buyer: &Person, count: u32) -> Vec<Code> {
    let buyer = UserId::from_store(buyer.id());
    let issued = app.app.db.write_now::<_, StoreError>(|pg| {
        let payer = pg.payer_of_member(buyer, START)?;
        let terms = CodeTerms {
            kind: CodeKind::Bulk,
            plan_id: "bulk".to_owned(),
            plan_name: "Teams".to_owned(),
            months: Some(12),
            purchase: Some(PurchaseKey::new("seats")),
            buyer: Some(payer),
        };
        pg.issue_codes(&terms, count, &*app.env)
    });
    issued.expect("codes are issued")
}

async fn redeem(app: &TestApp, person: &Person, code: &Code) {
    app.post_as(person, "/api/user/stacksocial", json!({ "code": code.to_string() })).await.result();
}

async fn finish(app: &TestApp, person: &Person, book: i64) {
    app.get_as(person, &format!("/api/books/{book}")).await.result();
    let done = json!({ "bookId": book, "position": 5, "completed": true });
    app.put_as(person, "/api/user-book-history", done).await.result();
}

async fn seen(app: &TestApp, person: &Person, id: &Value) -> Value {
    app.get_as(person, &format!("/api/team-lists/{id}")).await.result()["list"].take()
}

async fn agree(app: &TestApp, person: &Person, id: &Value) {
    let agreed = app.put_as(person, &format!("/api/team-lists/{id}/agreement"), json!({})).await.result();
    assert_eq!(agreed, json!({ "isAgreed": true }));
}

#[actix_web::test]
async fn a_team_sees_its_list_and_what_those_have_finished_who_agreed() {
    let app = TestApp::start().await;
    let books = ["walden", "emma"].map(|subid| app.add_book(subid, "free = true"));
    let ada = app.sign_up("ada@example.com").await;
    let [bob, cem, dan] = [
        app.sign_up("bob@example.com").await,
        app.sign_up("cem@example.com").await,
        app.sign_up("dan@example.com").await,
    ];
    saved(&app, &ada, 7, report(&app, "Onboarding", &books)).await;
    let refused = app.put_as(&ada, "/api/study/lists/7/sharing", json!({ "isForTeam": true })).await;
    let refused = refusal(&refused, 403, "forbidden");
    assert_eq!(refused["error"], "A team has the members of seats that you have bought.");
    let codes = seats(&app, &ada, 20);
    let given = shared(&app, &ada, 7, json!({ "isForTeam": true })).await;
    let id = &given["teamListId"];
    assert_eq!((&given["sharing"], id.is_i64()), (&json!("private"), true));
    redeem(&app, &bob, &codes[0]).await;
    redeem(&app, &cem, &codes[1]).await;

    let of_bob = app.get_as(&bob, "/api/study/lists").await.result();
    assert_eq!(
        (
            &of_bob["team"][0]["id"],
            &of_bob["team"][0]["name"],
            &of_bob["team"][0]["owner"],
            &of_bob["team"][0]["isOwn"]
        ),
        (id, &json!("Onboarding"), &json!("Ada"), &json!(false))
    );
    let of_ada = app.get_as(&ada, "/api/study/lists").await.result();
    assert_eq!((&of_ada["team"][0]["isOwn"], &of_ada["seats"]), (&json!(true), &json!(20)));
    assert_eq!(app.get_as(&dan, "/api/study/lists").await.result()["team"], json!([]));
    refusal(&app.get_as(&dan, &format!("/api/team-lists/{id}")).await, 404, "not_found");
    let path = format!("/api/team-lists/{id}/agreement");
    refusal(&app.put_as(&dan, &path, json!({})).await, 404, "not_found");

    finish(&app, &bob, books[1]).await;
    finish(&app, &cem, books[0]).await;
    let list = seen(&app, &cem, id).await;
    assert_eq!((&list["members"], &list["isAgreed"], &list["seats"]), (&json!([]), &json!(false), &json!(2)));
    assert_eq!(
        (&list["ownId"], &list["owner"], &list["books"][1]["id"]),
        (&Value::Null, &json!("Ada"), &json!(books[1]))
    );
    agree(&app, &bob, id).await;
    agree(&app, &bob, id).await;
    let list = seen(&app, &ada, id).await;
    assert_eq!(list["members"], json!([{ "name": "Ada", "isYou": false, "completed": [books[1]] }]));
    assert_eq!((&list["ownId"], &list["isAgreed"]), (&json!(7), &json!(false)));
    agree(&app, &cem, id).await;
    assert_eq!(seen(&app, &cem, id).await["members"].as_array().map(Vec::len), Some(2));
    let ended = app.delete_as(&bob, &path).await.result();
    assert_eq!(ended, json!({ "isAgreed": false }));
    let list = seen(&app, &bob, id).await;
    assert_eq!(list["members"], json!([{ "name": "Ada", "isYou": false, "completed": [books[0]] }]));

    // Taken from the team, it is nobody's but the owner's, and given again nobody has agreed.
    shared(&app, &ada, 7, json!({ "isForTeam": false })).await;
    refusal(&app.get_as(&cem, &format!("/api/team-lists/{id}")).await, 404, "not_found");
    let again = shared(&app, &ada, 7, json!({ "isForTeam": true })).await;
    assert_eq!(seen(&app, &cem, &again["teamListId"]).await["isAgreed"], false);
}

#[actix_web::test]
async fn a_seat_that_is_revoked_or_over_sees_no_list_and_shows_nothing() {
    let app = TestApp::start().await;
    let book = app.add_book("walden", "free = true");
    let ada = app.sign_up("ada@example.com").await;
    let (bob, cem) = (app.sign_up("bob@example.com").await, app.sign_up("cem@example.com").await);
    let codes = seats(&app, &ada, 20);
    redeem(&app, &bob, &codes[0]).await;
    app.env.advance(20 * DAY);
    let cem_again = app.log_in(&cem.email, crate::harness::PASSWORD).await;
    redeem(&app, &cem_again, &codes[1]).await;
    let (ada, bob) = (
        app.log_in(&ada.email, crate::harness::PASSWORD).await,
        app.log_in(&bob.email, crate::harness::PASSWORD).await,
    );
    saved(&app, &ada, 7, report(&app, "Onboarding", &[book])).await;
    let id = shared(&app, &ada, 7, json!({ "isForTeam": true })).await["teamListId"].take();
    for member in [&bob, &cem_again] {
        agree(&app, member, &id).await;
    }
    assert_eq!(seen(&app, &ada, &id).await["members"].as_array().map(Vec::len), Some(2));
    app.sql(&format!("UPDATE codes SET revoked_at = now() WHERE code = '{}'", codes[1].as_str()));
    let list = seen(&app, &ada, &id).await;
    assert_eq!((list["members"].as_array().map(Vec::len), &list["seats"]), (Some(1), &json!(1)));
    refusal(&app.get_as(&cem_again, &format!("/api/team-lists/{id}")).await, 404, "not_found");
    // What was agreed can be ended nevertheless.
    app.delete_as(&cem_again, &format!("/api/team-lists/{id}/agreement")).await.result();
    app.sql("UPDATE codes SET revoked_at = NULL");

    app.env.advance(START.plus_months(12).millis() - START.millis() - 20 * DAY);
    let bob = app.log_in(&bob.email, crate::harness::PASSWORD).await;
    refusal(&app.get_as(&bob, &format!("/api/team-lists/{id}")).await, 404, "not_found");
    assert_eq!(app.get_as(&bob, "/api/study/lists").await.result()["team"], json!([]));

    // With another seat they are of the team again, and have not agreed yet.
    redeem(&app, &bob, &codes[2]).await;
    let list = seen(&app, &bob, &id).await;
    assert_eq!((&list["isAgreed"], &list["members"]), (&json!(false), &json!([])));
    app.env.advance(1000);
    agree(&app, &bob, &id).await;
    assert_eq!(seen(&app, &bob, &id).await["members"].as_array().map(Vec::len), Some(1));
}
