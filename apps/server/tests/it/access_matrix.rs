//! Every call of the OpenAPI document, as a visitor, a free member, a paid member, an editor and an admin. A call that
//! the table does not name fails the test, and so does a line without a call.

use std::collections::BTreeSet;

use crate::harness::{self, PASSWORD, Person, TestApp};
use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};

/// What each viewer gets: visitor, free member, paid member, editor, admin.
type Expected = [u16; 5];

const EVERYBODY: Expected = [200; 5];
const SIGNED_IN: Expected = [401, 200, 200, 200, 200];
/// A sign-in provider that is configured.
const FACEBOOK: [(&str, &str); 2] =
    [("OAUTH_FACEBOOK_CLIENT_ID", "pith"), ("OAUTH_FACEBOOK_CLIENT_SECRET", "only the tests know")];
/// A role is no plan.
const PAID: Expected = [401, 403, 200, 403, 403];
/// As [`PAID`]; the work goes on after the answer.
const PAID_ACCEPTED: Expected = [401, 403, 202, 403, 403];
const ADMINS: Expected = [401, 403, 403, 403, 200];
/// An admin may ask, but there is no such thing.
const ADMINS_NOT_THERE: Expected = [401, 403, 403, 403, 404];
const EDITORS: Expected = [401, 403, 403, 200, 200];

/// A signed-in person may ask, but the request is invalid.
const NOT_RIGHT: Expected = [401, 400, 400, 400, 400];
/// A signed-in person may ask, but has no such thing.
/// The first second factor of a role needs a mailed code.
const BY_MAIL: Expected = [401, 200, 200, 403, 403];
const NOT_THERE: Expected = [401, 404, 404, 404, 404];

/// A method, a path of the document, the address that is asked for, what it is sent, and what comes back.
type Call = (&'static str, &'static str, String, Option<Value>, Expected);

/// What protects an account. Nothing is set up here, so that some have nothing to work on; who has just proved more
/// than a password (editor and admin in these tests) is not asked again.
fn calls_about_protection() -> Vec<Call> {
    vec![
        ("get", "/api/user/security", "/api/user/security".into(), None, SIGNED_IN),
        ("delete", "/api/user/totp", "/api/user/totp".into(), None, [401, 403, 403, 404, 404]),
        ("post", "/api/user/totp", "/api/user/totp".into(), Some(json!({})), BY_MAIL),
        (
            "put",
            "/api/user/totp",
            "/api/user/totp".into(),
            Some(json!({ "code": "no code" })),
            [401, 400, 400, 404, 404],
        ),
        ("post", "/api/user/recovery-codes", "/api/user/recovery-codes".into(), None, NOT_THERE),
        ("post", "/api/user/passkeys/options", "/api/user/passkeys/options".into(), None, BY_MAIL),
        (
            "post",
            "/api/user/passkeys",
            "/api/user/passkeys".into(),
            Some(json!({ "ceremony": "none", "name": "Key", "credential": {} })),
            NOT_RIGHT,
        ),
        ("put", "/api/user/passkeys/{id}", "/api/user/passkeys/1".into(), Some(json!({ "name": "Key" })), NOT_THERE),
        ("delete", "/api/user/passkeys/{id}", "/api/user/passkeys/1".into(), None, [401, 404, 404, 403, 403]),
        ("post", "/api/user/passkey-login/options", "/api/user/passkey-login/options".into(), None, EVERYBODY),
        (
            "post",
            "/api/user/passkey-login",
            "/api/user/passkey-login".into(),
            Some(json!({ "ceremony": "none", "credential": {} })),
            [400; 5],
        ),
        (
            "post",
            "/api/user/second-factor",
            "/api/user/second-factor".into(),
            Some(json!({ "ticket": "none", "code": "123456" })),
            [400; 5],
        ),
    ]
}

/// Files of books, and what is sent to e-readers. Every member here has opened the book.
fn calls_about_files(book: i64) -> Vec<Call> {
    let kindle = json!({ "kindle_email": "ada", "kindle_email_end": "kindle.com" });
    vec![
        ("get", "/api/books/download-pdf/{id}", format!("/api/books/download-pdf/{book}"), None, SIGNED_IN),
        ("get", "/api/books/download-epub/{id}", format!("/api/books/download-epub/{book}"), None, SIGNED_IN),
        ("get", "/api/books/{id}/file", format!("/api/books/{book}/file"), None, EVERYBODY),
        ("get", "/api/kindle/has-kindle", "/api/kindle/has-kindle".into(), None, SIGNED_IN),
        ("post", "/api/kindle/set-kindle", "/api/kindle/set-kindle".into(), Some(kindle), PAID),
        ("post", "/api/kindle/send/{bookId}", format!("/api/kindle/send/{book}"), None, PAID),
        ("get", "/api/kindle/deliveries", "/api/kindle/deliveries".into(), None, SIGNED_IN),
        // There is no such delivery for a paid member.
        (
            "post",
            "/api/kindle/deliveries/{id}/retry",
            "/api/kindle/deliveries/4711/retry".into(),
            None,
            [401, 403, 404, 403, 403],
        ),
    ]
}

/// Money, which is for admins. There is no order, code, team or earner with this number.
fn calls_about_sales() -> Vec<Call> {
    const NOBODY: Expected = [401, 403, 403, 403, 404];
    let list = |path: &'static str| ("get", path, path.to_owned(), None, ADMINS);
    let export = |path: &'static str| ("post", path, path.to_owned(), None, ADMINS);
    let coupon = json!({ "code": "SPRING", "percent": 10 });
    let codes = json!({ "planId": "yearly", "months": 12, "count": 1 });
    let import = json!({ "planId": "yearly", "months": 12, "codes": ["x"], "dryRun": true });
    let added = json!({ "id": "student", "name": "Student", "kind": "yearly", "price": 2_999 });
    let (plan, payout) = (json!({ "name": "None", "price": 100 }), json!({ "amount": 100, "paid": 0 }));
    vec![
        list("/api/admin/orders"),
        export("/api/admin/orders/export"),
        export("/api/admin/ledger/export"),
        export("/api/admin/payouts/export"),
        export("/api/admin/codes/export"),
        ("get", "/api/admin/orders/{id}", "/api/admin/orders/4711".into(), None, NOBODY),
        list("/api/admin/failed-renewals"),
        list("/api/admin/disputes"),
        list("/api/admin/teams"),
        ("get", "/api/admin/teams/{id}", "/api/admin/teams/4711".into(), None, NOBODY),
        list("/api/admin/ledger"),
        list("/api/admin/ledger/accounts"),
        ("post", "/api/admin/ledger/check", "/api/admin/ledger/check".into(), None, ADMINS),
        list("/api/admin/payouts"),
        ("get", "/api/admin/payouts/{userId}", "/api/admin/payouts/4711".into(), None, NOBODY),
        ("post", "/api/admin/payouts/{userId}/paid", "/api/admin/payouts/4711/paid".into(), Some(payout), NOBODY),
        list("/api/admin/coupons"),
        ("post", "/api/admin/coupons", "/api/admin/coupons".into(), Some(coupon.clone()), ADMINS),
        ("get", "/api/admin/coupons/{code}", "/api/admin/coupons/NONE".into(), None, NOBODY),
        ("put", "/api/admin/coupons/{code}", "/api/admin/coupons/NONE".into(), Some(coupon), NOBODY),
        ("delete", "/api/admin/coupons/{code}", "/api/admin/coupons/NONE".into(), None, NOBODY),
        list("/api/admin/codes"),
        ("post", "/api/admin/codes", "/api/admin/codes".into(), Some(codes), ADMINS),
        ("post", "/api/admin/codes/import", "/api/admin/codes/import".into(), Some(import), ADMINS),
        ("post", "/api/admin/codes/{id}/revoke", "/api/admin/codes/4711/revoke".into(), None, NOBODY),
        list("/api/admin/plans"),
        ("post", "/api/admin/plans", "/api/admin/plans".into(), Some(added), ADMINS),
        ("put", "/api/admin/plans/{id}", "/api/admin/plans/none".into(), Some(plan), NOBODY),
    ]
}

/// People and the audit log, which are for admins. There is no person with this id.
fn calls_about_people() -> Vec<Call> {
    const NOBODY: Expected = [401, 403, 403, 403, 404];
    let call = |method, path: &'static str, action: &str, body, expected| {
        (method, path, format!("/api/admin/user/4711/{action}"), body, expected)
    };
    let person = json!({ "userId": 4711, "firstName": "Ada", "lastName": "L.", "email": "nobody@example.com" });
    let reason = json!({ "reason": "Asked for." });
    let added = json!({ "firstName": "Mary", "lastName": "Somerville", "email": "mary@example.com" });
    vec![
        ("get", "/api/admin/audit", "/api/admin/audit".into(), None, ADMINS),
        ("get", "/api/admin/stats", "/api/admin/stats".into(), None, ADMINS),
        ("get", "/api/admin/stats/books/{bookId}", "/api/admin/stats/books/4711".into(), None, NOBODY),
        ("get", "/api/admin/user/{start}", "/api/admin/user/0".into(), None, ADMINS),
        ("post", "/api/admin/user", "/api/admin/user".into(), Some(added), ADMINS),
        ("post", "/api/admin/user/export", "/api/admin/user/export".into(), None, ADMINS),
        ("get", "/api/admin/user/edit/{userId}", "/api/admin/user/edit/4711".into(), None, NOBODY),
        ("put", "/api/admin/user", "/api/admin/user".into(), Some(person), NOBODY),
        call("put", "/api/admin/user/{userId}/role", "role", Some(json!({ "role": "admin" })), NOBODY),
        call("post", "/api/admin/user/{userId}/suspend", "suspend", Some(reason.clone()), NOBODY),
        call("post", "/api/admin/user/{userId}/restore", "restore", None, NOBODY),
        call("post", "/api/admin/user/{userId}/sessions/end", "sessions/end", Some(json!({})), NOBODY),
        call("post", "/api/admin/user/{userId}/second-factor/reset", "second-factor/reset", None, NOBODY),
        call("post", "/api/admin/user/{userId}/export", "export", None, NOBODY),
        call("post", "/api/admin/user/{userId}/delete", "delete", Some(reason), NOBODY),
    ]
}

/// Books as editors see them. There is no such revision.
fn calls_about_editing(book: i64, category: i64) -> Vec<Call> {
    const NOTHING: Expected = [401, 403, 403, 404, 404];
    let call = |method, path: &'static str, rest: &str, body, expected| {
        (method, path, format!("/api/admin/books/{book}{rest}"), body, expected)
    };
    let new = json!({ "title": "Walden", "author": "Thoreau", "categories": [category] });
    let edit = json!({ "description": "About it." });
    vec![
        ("get", "/api/admin/books", "/api/admin/books".into(), None, EDITORS),
        ("post", "/api/admin/books", "/api/admin/books".into(), Some(new), EDITORS),
        call("get", "/api/admin/books/{bookId}", "", None, EDITORS),
        call("put", "/api/admin/books/{bookId}", "", Some(edit), EDITORS),
        call("get", "/api/admin/books/{bookId}/revisions", "/revisions", None, EDITORS),
        call("get", "/api/admin/books/{bookId}/revisions/{id}", "/revisions/4711", None, NOTHING),
        call(
            "post",
            "/api/admin/books/{bookId}/revisions/{id}/restore",
            "/revisions/4711/restore",
            Some(json!({})),
            NOTHING,
        ),
    ]
    .into_iter()
    .chain(uploads(book))
    .chain(calls_about_rows())
    .collect()
}

/// What is smaller than a book. There is no row with this id.
fn calls_about_rows() -> Vec<Call> {
    const NOTHING: Expected = [401, 403, 403, 404, 404];
    // A second category or insight of the same name is there already.
    const ONCE: Expected = [401, 403, 403, 200, 409];
    // There are other rows than the order names.
    const STALE: Expected = [401, 403, 403, 409, 409];
    let post = json!({ "title": "A", "description": "B", "categories": ["C"], "text": "<p>D</p>", "id": 4711 });
    let podcast = json!({ "title": "A", "author": "B", "authorDesc": "C", "description": "D" });
    let insight = json!({ "insight": "A", "bookId": "a-book", "id": 4711 });
    let goal = json!({ "title": "A", "shortTitle": "B" });
    let mut calls: Vec<Call> = Vec::new();
    for (list, one, new, added) in [
        ("/api/admin/goals", "/api/admin/goals/{id}", goal, EDITORS),
        ("/api/admin/categories", "/api/admin/categories/{id}", json!({ "name": "A" }), ONCE),
        ("/api/admin/podcasts", "/api/admin/podcasts/{id}", podcast, EDITORS),
        ("/api/admin/blog", "/api/admin/blog/{postId}", post.clone(), EDITORS),
        ("/api/admin/insight", "/api/admin/insight/{id}", insight.clone(), ONCE),
    ] {
        let address = one.replace("{id}", "4711").replace("{postId}", "4711");
        calls.push(("get", list, list.to_owned(), None, EDITORS));
        calls.push(("post", list, list.to_owned(), Some(new), added));
        calls.push(("get", one, address.clone(), None, NOTHING));
        calls.push(("put", one, address.clone(), Some(json!({})), NOTHING));
        calls.push(("delete", one, address, None, NOTHING));
    }
    calls.push(("put", "/api/admin/blog", "/api/admin/blog".into(), Some(post), NOTHING));
    calls.push(("put", "/api/admin/insight", "/api/admin/insight".into(), Some(insight), NOTHING));
    let detail = "/api/admin/collections/detail/{id}";
    let address = detail.replace("{id}", "4711");
    calls.push(("get", "/api/admin/collections/list", "/api/admin/collections/list".into(), None, EDITORS));
    let collection = Some(json!({ "title": "A" }));
    calls.push(("post", "/api/admin/collections/add", "/api/admin/collections/add".into(), collection, EDITORS));
    calls.push(("get", detail, address.clone(), None, NOTHING));
    calls.push(("put", detail, address.clone(), Some(json!({})), NOTHING));
    calls.push(("post", detail, address.clone(), Some(json!({})), NOTHING));
    calls.push(("delete", detail, address, None, NOTHING));
    for (list, one, merge) in [
        ("/api/admin/authors", "/api/admin/authors/{id}", "/api/admin/authors/{id}/merge"),
        ("/api/admin/tags", "/api/admin/tags/{id}", "/api/admin/tags/{id}/merge"),
    ] {
        let address = one.replace("{id}", "4711");
        calls.push(("get", list, list.to_owned(), None, EDITORS));
        calls.push(("get", one, address.clone(), None, NOTHING));
        calls.push(("put", one, address.clone(), Some(json!({ "name": "A" })), NOTHING));
        calls.push(("delete", one, address.clone(), None, NOTHING));
        calls.push(("post", merge, format!("{address}/merge"), Some(json!({ "into": 4712 })), NOTHING));
    }
    calls.push(("post", "/api/admin/authors", "/api/admin/authors".into(), Some(json!({ "name": "A" })), ONCE));
    for order in ["/api/admin/goals/order", "/api/admin/categories/order"] {
        calls.push(("put", order, order.to_owned(), Some(json!({ "ids": [4711] })), STALE));
    }
    calls.push(("delete", "/api/admin/books/{bookId}", "/api/admin/books/4711".into(), None, NOTHING));
    let (list, one) = ("/api/admin/idea-links", "/api/admin/idea-links/{id}");
    let address = one.replace("{id}", "4711");
    let ends = json!({ "fromBookId": "a-book", "fromIdea": "A", "toBookId": "no-book", "toIdea": "B" });
    calls.push(("get", list, list.to_owned(), None, EDITORS));
    calls.push(("post", list, list.to_owned(), Some(ends), NOTHING));
    calls.push(("get", one, address.clone(), None, NOTHING));
    calls.push(("put", one, address.clone(), Some(json!({})), NOTHING));
    calls.push(("delete", one, address, None, NOTHING));
    let of_book = "/api/admin/idea-links/ideas";
    calls.push(("get", of_book, format!("{of_book}?bookId=a-book"), None, EDITORS));
    let proposals = "/api/admin/idea-links/proposals";
    calls.push(("get", proposals, proposals.to_owned(), None, EDITORS));
    let (list, one) = ("/api/admin/visuals", "/api/admin/visuals/{id}");
    let visual = json!({ "bookId": "a-book", "title": "A", "body": "B" });
    let address = one.replace("{id}", "4711");
    calls.push(("get", list, list.to_owned(), None, EDITORS));
    calls.push(("post", list, list.to_owned(), Some(visual), EDITORS));
    calls.push(("get", one, address.clone(), None, NOTHING));
    calls.push(("put", one, address.clone(), Some(json!({})), NOTHING));
    calls.push(("delete", one, address, None, NOTHING));
    let order = json!({ "bookId": "no-book", "visuals": [] });
    calls.push(("put", "/api/admin/visuals/order", "/api/admin/visuals/order".into(), Some(order), NOTHING));
    calls
}

/// Uploads to a book, without a file.
fn uploads(book: i64) -> Vec<Call> {
    const NO_FILE: Expected = [401, 403, 403, 400, 400];
    let call = |path: &'static str| {
        let address = path.replace("{id}", &book.to_string());
        ("post", path, address, Some(json!({})), NO_FILE)
    };
    [
        "/api/admin/books/photo/{id}",
        "/api/admin/books/vector/{id}",
        "/api/admin/books/infographic/{id}",
        "/api/admin/books/media/{id}",
        "/api/admin/books/podcast/{id}",
        "/api/admin/books/video/{id}",
        "/api/admin/drawings/clean",
        "/api/admin/pictures",
    ]
    .map(call)
    .into_iter()
    .chain(uploads_to_rows())
    .chain([(
        "delete",
        "/api/admin/books/infographic/{id}",
        format!("/api/admin/books/infographic/{book}"),
        None,
        [401, 403, 403, 200, 200],
    )])
    .collect()
}

/// Uploads to rows that are not there.
fn uploads_to_rows() -> Vec<Call> {
    const NOTHING: Expected = [401, 403, 403, 404, 404];
    let call = |path: &'static str| {
        let address = path.replace("{id}", "4711").replace("{postId}", "4711");
        ("post", path, address, Some(json!({})), NOTHING)
    };
    [
        "/api/admin/goals/photo/{id}",
        "/api/admin/goals/feature-photo/{id}",
        "/api/admin/goals/featured-photo/{id}",
        "/api/admin/podcasts/media/{id}",
        "/api/admin/podcasts/photo/{id}",
        "/api/admin/blog/photo/{postId}",
        "/api/admin/visuals/photo/{id}",
    ]
    .map(call)
    .into()
}

/// Summaries of own texts. There is none of this number.
fn calls_about_summaries() -> Vec<Call> {
    let one = "/api/ai/summaries/{id}";
    let address = "/api/ai/summaries/4711".to_owned();
    vec![
        ("post", "/api/ai/url", "/api/ai/url".into(), Some(json!({ "url": "https://example.com" })), PAID_ACCEPTED),
        ("post", "/api/ai/text", "/api/ai/text".into(), Some(json!({ "text": "A text. ".repeat(60) })), PAID_ACCEPTED),
        // There is no file.
        ("post", "/api/ai/file", "/api/ai/file".into(), Some(json!({})), [401, 422, 422, 422, 422]),
        ("get", "/api/ai/summaries", "/api/ai/summaries".into(), None, SIGNED_IN),
        ("get", one, address.clone(), None, NOT_THERE),
        ("put", one, address.clone(), Some(json!({ "title": "A" })), NOT_THERE),
        ("delete", one, address.clone(), None, NOT_THERE),
        ("post", "/api/ai/summaries/{id}/cancel", format!("{address}/cancel"), Some(json!({})), NOT_THERE),
        ("get", "/api/ai/summaries/{id}/pdf", format!("{address}/pdf"), None, NOT_THERE),
        ("get", "/api/ai/summaries/{id}/epub", format!("{address}/epub"), None, NOT_THERE),
        ("post", "/api/ai/summaries/{id}/send", format!("{address}/send"), Some(json!({})), [401, 403, 404, 403, 403]),
    ]
}

/// What members keep of what they read. Every member there has opened the book.
fn calls_about_study(book: i64) -> Vec<Call> {
    let anchor = json!({ "section": 0, "start": 0, "end": 3, "exact": "The", "prefix": "", "suffix": " first" });
    let highlight = json!({ "bookId": book, "anchor": anchor, "createdAt": 0 });
    let content = json!({ "value": { "question": "Why?", "answer": "So." }, "at": 1 });
    let card = json!({ "kind": "own", "content": content, "createdAt": 0 });
    let answers = json!({ "answers": [{ "id": 1, "cardId": 4711, "rating": 3, "at": 0 }] });
    let keys = json!({ "p256dh": "A".repeat(87), "auth": "A".repeat(22) });
    let browser = json!({ "endpoint": "https://push.example/1", "keys": keys });
    let commitment = json!({ "bookId": book, "text": { "value": "Own less.", "at": 0 }, "createdAt": 0 });
    let list = json!({ "name": { "value": "Work", "at": 0 }, "createdAt": 0 });
    vec![
        ("put", "/api/study/highlights/{id}", "/api/study/highlights/7".into(), Some(highlight), SIGNED_IN),
        ("get", "/api/study/changes", "/api/study/changes".into(), None, SIGNED_IN),
        ("get", "/api/study/popular/{book}", format!("/api/study/popular/{book}"), None, SIGNED_IN),
        ("get", "/api/study/export", "/api/study/export?format=json".into(), None, SIGNED_IN),
        ("put", "/api/study/cards/{id}", "/api/study/cards/7".into(), Some(card), SIGNED_IN),
        ("put", "/api/study/commitments/{id}", "/api/study/commitments/7".into(), Some(commitment), SIGNED_IN),
        ("put", "/api/study/lists/{id}", "/api/study/lists/7".into(), Some(list), SIGNED_IN),
        ("put", "/api/study/lists/{id}/sharing", "/api/study/lists/4711/sharing".into(), Some(json!({})), NOT_THERE),
        ("get", "/api/study/lists", "/api/study/lists".into(), None, SIGNED_IN),
        ("get", "/api/lists/{slug}", "/api/lists/a-list".into(), None, [404; 5]),
        ("put", "/api/lists/{slug}/follow", "/api/lists/a-list/follow".into(), None, NOT_THERE),
        ("delete", "/api/lists/{slug}/follow", "/api/lists/a-list/follow".into(), None, NOT_THERE),
        ("get", "/api/team-lists/{id}", "/api/team-lists/4711".into(), None, NOT_THERE),
        ("put", "/api/team-lists/{id}/agreement", "/api/team-lists/4711/agreement".into(), None, NOT_THERE),
        ("delete", "/api/team-lists/{id}/agreement", "/api/team-lists/4711/agreement".into(), None, NOT_THERE),
        ("get", "/api/admin/lists", "/api/admin/lists".into(), None, ADMINS),
        (
            "put",
            "/api/admin/lists/{key}",
            "/api/admin/lists/4711-7".into(),
            Some(json!({ "isTakenDown": true })),
            [401, 403, 403, 403, 404],
        ),
        ("post", "/api/study/answers", "/api/study/answers".into(), Some(answers), SIGNED_IN),
        ("post", "/api/study/session", "/api/study/session".into(), Some(json!({ "minutes": 5 })), SIGNED_IN),
        (
            "post",
            "/api/study/completed-ideas",
            "/api/study/completed-ideas".into(),
            Some(json!({ "ideas": [{ "bookId": book, "idea": "Idea 0", "at": 1 }] })),
            SIGNED_IN,
        ),
        ("get", "/api/study/recall", "/api/study/recall".into(), None, SIGNED_IN),
        ("get", "/api/study/settings", "/api/study/settings".into(), None, SIGNED_IN),
        ("put", "/api/study/settings", "/api/study/settings".into(), Some(json!({})), SIGNED_IN),
        ("get", "/api/study/today", "/api/study/today".into(), None, SIGNED_IN),
        ("get", "/api/study/highlights/{id}/picture", "/api/study/highlights/7/picture".into(), None, SIGNED_IN),
        (
            "put",
            "/api/study/webhook",
            "/api/study/webhook".into(),
            Some(json!({ "url": "https://127.0.0.1:9/" })),
            SIGNED_IN,
        ),
        ("get", "/api/study/webhook", "/api/study/webhook".into(), None, SIGNED_IN),
        ("post", "/api/study/webhook/test", "/api/study/webhook/test".into(), None, SIGNED_IN),
        ("delete", "/api/study/webhook", "/api/study/webhook".into(), None, SIGNED_IN),
        ("put", "/api/study/push", "/api/study/push".into(), Some(browser), SIGNED_IN),
        ("get", "/api/study/push", "/api/study/push".into(), None, SIGNED_IN),
        ("delete", "/api/study/push", "/api/study/push".into(), None, SIGNED_IN),
    ]
}

/// Prices and purchases.
fn calls_about_money() -> Vec<Call> {
    let pay = json!({ "token": "pm_card_visa", "email": "buyer@example.com" });
    let unknown = json!({ "chargeId": "none" });
    vec![
        ("get", "/api/charge/settings", "/api/charge/settings".into(), None, EVERYBODY),
        ("get", "/api/charge/receipt/{receipt}", "/api/charge/receipt/00".into(), None, [404; 5]),
        ("get", "/api/charge/receipt/{receipt}/pdf", "/api/charge/receipt/00/pdf".into(), None, [404; 5]),
        ("post", "/api/charge/price", "/api/charge/price".into(), Some(json!({ "planId": "gift" })), EVERYBODY),
        (
            "post",
            "/api/charge/coupon",
            "/api/charge/coupon".into(),
            Some(json!({ "planId": "gift", "coupon": "none" })),
            [422; 5],
        ),
        ("post", "/api/charge/process/{planId}", "/api/charge/process/gift".into(), Some(pay), EVERYBODY),
        ("post", "/api/charge/confirm", "/api/charge/confirm".into(), Some(json!({ "checkout": "none" })), [404; 5]),
        ("get", "/api/charge/checkout/{reference}", "/api/charge/checkout/none".into(), None, [404; 5]),
        (
            "post",
            "/api/charge/sandbox/authenticate",
            "/api/charge/sandbox/authenticate".into(),
            Some(json!({ "clientSecret": "none", "succeeds": true })),
            [404; 5],
        ),
        ("post", "/api/gifts/find", "/api/gifts/find".into(), Some(json!({ "code": "none" })), [422; 5]),
        ("get", "/api/gifts", "/api/gifts".into(), None, SIGNED_IN),
        // These are there in a demo only.
        (
            "post",
            "/api/sandbox/disputes",
            "/api/sandbox/disputes".into(),
            Some(json!({ "charge": "none", "outcome": "opened" })),
            ADMINS_NOT_THERE,
        ),
        (
            "post",
            "/api/sandbox/declines",
            "/api/sandbox/declines".into(),
            Some(json!({ "checkout": "none" })),
            ADMINS_NOT_THERE,
        ),
        ("post", "/api/sandbox/time", "/api/sandbox/time".into(), Some(json!({ "hours": 1 })), ADMINS_NOT_THERE),
        ("post", "/api/user/mark-as-paid", "/api/user/mark-as-paid".into(), Some(unknown), NOT_THERE),
        // There are no keys of PayPal here.
        (
            "post",
            "/api/paypal/order",
            "/api/paypal/order".into(),
            Some(json!({ "planId": "gift", "email": "buyer@example.com" })),
            [503; 5],
        ),
        ("post", "/api/paypal", "/api/paypal".into(), Some(json!({ "orderId": "none" })), [404; 5]),
        ("post", "/api/stripe/webhook", "/api/stripe/webhook".into(), None, [404; 5]),
        ("post", "/api/paypal/webhook", "/api/paypal/webhook".into(), None, [404; 5]),
    ]
}

/// Plans, codes, seats and links. Nobody here has a subscription at a provider.
fn calls_about_membership() -> Vec<Call> {
    let call = |method, path: &'static str, body, expected| (method, path, path.to_owned(), body, expected);
    let code = "ABCDE-FGHJK-LMNPQ-RSTUV";
    let person = json!({
        "username": "code@example.com", "password": PASSWORD, "firstName": "Ada", "lastName": "L.", "code": code,
    });
    let receipt = json!({ "receipt": "none" });
    let seat = json!({ "code": code, "email": "bob@example.com" });
    vec![
        call("get", "/api/user/billing", None, SIGNED_IN),
        call("post", "/api/charge/cancel", Some(json!({ "reason": "other" })), NOT_THERE),
        call("post", "/api/charge/resume", None, NOT_THERE),
        call("post", "/api/charge/pause", Some(json!({ "months": 1 })), NOT_THERE),
        call("post", "/api/charge/refund-request", Some(receipt), NOT_THERE),
        call("post", "/api/charge/switch/preview", Some(json!({ "planId": "yearly" })), NOT_THERE),
        call(
            "post",
            "/api/charge/switch",
            Some(json!({ "planId": "yearly", "token": "00" })),
            [401, 409, 409, 409, 409],
        ),
        call("post", "/api/charge/method", Some(json!({ "token": "pm_card_visa" })), NOT_THERE),
        call("post", "/api/user/stacksocial", Some(json!({ "code": code })), NOT_THERE),
        call("post", "/api/user/subscription-code-register", Some(person), [404; 5]),
        call("get", "/api/teams/seats", None, SIGNED_IN),
        call("post", "/api/teams/seats/send", Some(seat), NOT_THERE),
        call("get", "/api/user/refers", None, SIGNED_IN),
        ("post", "/api/referral/click/{id}", "/api/referral/click/nobodys".into(), None, EVERYBODY),
        call("get", "/api/affiliate", None, SIGNED_IN),
        call("post", "/api/affiliate", None, SIGNED_IN),
    ]
}

/// Ways back in, and what members change about themselves. Right bodies but for the secrets, which nobody has here:
/// that refusal is the same for all.
fn calls_about_recovery() -> Vec<Call> {
    vec![
        (
            "put",
            "/api/user/forgot-password",
            "/api/user/forgot-password".into(),
            Some(json!({ "email": "known@example.com" })),
            EVERYBODY,
        ),
        (
            "put",
            "/api/user/reset-password",
            "/api/user/reset-password".into(),
            Some(json!({ "password1": PASSWORD, "password2": PASSWORD, "code": "x", "email": "known@example.com" })),
            [400; 5],
        ),
        (
            "post",
            "/api/user/login-link",
            "/api/user/login-link".into(),
            Some(json!({ "email": "known@example.com" })),
            EVERYBODY,
        ),
        (
            "post",
            "/api/user/login-link/session",
            "/api/user/login-link/session".into(),
            Some(json!({ "token": "x" })),
            [400; 5],
        ),
        (
            "post",
            "/api/user/login-code",
            "/api/user/login-code".into(),
            Some(json!({ "email": "known@example.com", "code": "000000" })),
            [400; 5],
        ),
        ("post", "/api/user/confirm-email", "/api/user/confirm-email".into(), Some(json!({ "code": "x" })), [400; 5]),
        ("post", "/api/user/confirm-email/send", "/api/user/confirm-email/send".into(), None, SIGNED_IN),
        (
            "post",
            "/api/user/proof",
            "/api/user/proof".into(),
            Some(json!({ "currentPassword": "not the password" })),
            NOT_RIGHT,
        ),
        ("post", "/api/user/proof/code", "/api/user/proof/code".into(), None, SIGNED_IN),
        (
            "put",
            "/api/user/account",
            "/api/user/account".into(),
            Some(json!({ "firstName": "Ada", "lastName": "Reader", "timezone": "UTC" })),
            SIGNED_IN,
        ),
        (
            "put",
            "/api/user/password",
            "/api/user/password".into(),
            Some(json!({ "currentPassword": PASSWORD, "password1": PASSWORD, "password2": PASSWORD })),
            SIGNED_IN,
        ),
        (
            "put",
            "/api/user/email",
            "/api/user/email".into(),
            Some(json!({ "currentPassword": PASSWORD, "email": "elsewhere@example.com" })),
            SIGNED_IN,
        ),
        ("delete", "/api/user/pending-email", "/api/user/pending-email".into(), None, SIGNED_IN),
    ]
}

/// A call, what it is sent, and what comes back. Bodies are right ones, so that only the viewer decides.
#[allow(clippy::too_many_lines, reason = "it is a table")]
fn calls(book: i64, category: i64) -> Vec<Call> {
    let history = json!({ "bookId": book, "position": 1 });
    vec![
        // A visitor has no session to refresh; the others do by their cookie. First, for signing in gives one.
        ("post", "/api/user/refresh-token", "/api/user/refresh-token".into(), None, SIGNED_IN),
        // Signing up and in is for everybody, also for a person who is signed in already.
        (
            "post",
            "/api/user/register",
            "/api/user/register".into(),
            Some(json!({ "username": "EMAIL", "password": PASSWORD, "firstName": "New", "lastName": "Person" })),
            EVERYBODY,
        ),
        (
            "post",
            "/api/user/login",
            "/api/user/login".into(),
            Some(json!({ "username": "known@example.com", "password": PASSWORD })),
            EVERYBODY,
        ),
        ("get", "/api/user/session", "/api/user/session".into(), None, SIGNED_IN),
        ("get", "/api/user/sessions", "/api/user/sessions".into(), None, SIGNED_IN),
        ("delete", "/api/user/sessions", "/api/user/sessions".into(), None, SIGNED_IN),
        // Another person's.
        ("delete", "/api/user/sessions/{id}", "/api/user/sessions/1".into(), None, [401, 404, 404, 404, 404]),
        // Without its answers, for with them it ends the account.
        ("post", "/api/user/delete", "/api/user/delete".into(), Some(json!({})), [401, 422, 422, 422, 422]),
        ("get", "/api/user/archive", "/api/user/archive".into(), None, SIGNED_IN),
        ("post", "/api/user/archive", "/api/user/archive".into(), None, SIGNED_IN),
        ("get", "/api/user/import", "/api/user/import".into(), None, SIGNED_IN),
        // There is no file.
        ("post", "/api/user/import", "/api/user/import".into(), Some(json!({})), [401, 400, 400, 400, 400]),
        ("post", "/api/user/import/kept", "/api/user/import/kept".into(), None, [401, 202, 202, 202, 202]),
        ("delete", "/api/user/import/kept", "/api/user/import/kept".into(), None, SIGNED_IN),
        ("get", "/api/user/tokens", "/api/user/tokens".into(), None, SIGNED_IN),
        (
            "post",
            "/api/user/tokens",
            "/api/user/tokens".into(),
            Some(json!({ "name": "Reader", "scopes": ["study:read"] })),
            SIGNED_IN,
        ),
        ("delete", "/api/user/tokens/{id}", "/api/user/tokens/999".into(), None, NOT_THERE),
        // Who has the link is asked for nothing else; nobody has this one.
        (
            "post",
            "/api/user/archive/download",
            "/api/user/archive/download".into(),
            Some(json!({ "code": "nobody-was-mailed-this" })),
            [400; 5],
        ),
        // Facebook stands ready here, Google does not.
        ("get", "/api/google/login/oauth", "/api/google/login/oauth".into(), None, [404; 5]),
        ("get", "/api/google/login/oauth/callback", "/api/google/login/oauth/callback".into(), None, [404; 5]),
        ("get", "/api/{name}/oauth", "/api/facebook/oauth".into(), None, EVERYBODY),
        // Nobody has begun a flow of this state.
        ("get", "/api/{name}/oauth/callback", "/api/facebook/oauth/callback?code=1&state=1".into(), None, [400; 5]),
        // It takes Apple's form only.
        ("post", "/api/apple/oauth/callback", "/api/apple/oauth/callback".into(), None, [415; 5]),
        ("delete", "/api/user/providers/{name}", "/api/user/providers/google".into(), None, SIGNED_IN),
        ("get", "/api/user/account", "/api/user/account".into(), None, SIGNED_IN),
        ("get", "/api/user/allowance", "/api/user/allowance".into(), None, SIGNED_IN),
        (
            "put",
            "/api/user/recommends",
            "/api/user/recommends".into(),
            Some(json!({ "recommends": [category] })),
            SIGNED_IN,
        ),
        ("get", "/api/categories", "/api/categories".into(), None, EVERYBODY),
        ("get", "/api/goals", "/api/goals".into(), None, EVERYBODY),
        // No goal is chosen, no book, no answer.
        (
            "post",
            "/api/user/ten-day-challenge",
            "/api/user/ten-day-challenge".into(),
            Some(json!({ "goals": [] })),
            [422; 5],
        ),
        (
            "post",
            "/api/user/ten-day-challenge-submit",
            "/api/user/ten-day-challenge-submit".into(),
            Some(json!({ "goals": [], "bookIds": [] })),
            [401, 422, 422, 422, 422],
        ),
        // No plan is saved.
        ("get", "/api/user/ten-day-challenge/calendar", "/api/user/ten-day-challenge/calendar".into(), None, NOT_THERE),
        (
            "put",
            "/api/user/ten-day-challenge/daily-mail",
            "/api/user/ten-day-challenge/daily-mail".into(),
            Some(json!({ "hour": 7 })),
            NOT_THERE,
        ),
        (
            "get",
            "/api/user/ten-day-challenge/daily-mail",
            "/api/user/ten-day-challenge/daily-mail".into(),
            None,
            SIGNED_IN,
        ),
        (
            "delete",
            "/api/user/ten-day-challenge/daily-mail",
            "/api/user/ten-day-challenge/daily-mail".into(),
            None,
            SIGNED_IN,
        ),
        ("post", "/unsubscribe/{token}", "/unsubscribe/00".into(), None, [404; 5]),
        ("get", "/api/quiz/{kind}", "/api/quiz/intelligence".into(), None, EVERYBODY),
        (
            "post",
            "/api/quiz/{kind}/results",
            "/api/quiz/personality/results".into(),
            Some(json!({ "answers": [] })),
            [422; 5],
        ),
        ("get", "/api/quiz/{kind}/results", "/api/quiz/intelligence/results".into(), None, SIGNED_IN),
        ("get", "/api/quiz/{kind}/picture", "/api/quiz/personality/picture?counts=4,3,2,1".into(), None, EVERYBODY),
        // A paid member has no result.
        ("get", "/api/quiz/{kind}/report", "/api/quiz/intelligence/report".into(), None, [401, 403, 404, 403, 403]),
        (
            "get",
            "/api/quiz/{kind}/report/pdf",
            "/api/quiz/intelligence/report/pdf".into(),
            None,
            [401, 403, 404, 403, 403],
        ),
        ("get", "/api/onboarding", "/api/onboarding".into(), None, EVERYBODY),
        ("get", "/api/onboarding/books", "/api/onboarding/books".into(), None, EVERYBODY),
        (
            "put",
            "/api/onboarding/choices",
            "/api/onboarding/choices".into(),
            Some(json!({ "goals": [], "categories": [category] })),
            SIGNED_IN,
        ),
        ("get", "/api/front", "/api/front".into(), None, EVERYBODY),
        ("get", "/api/search", "/api/search?q=a".into(), None, EVERYBODY),
        ("get", "/api/authors", "/api/authors".into(), None, EVERYBODY),
        ("get", "/api/authors/{slug}", "/api/authors/ada-author".into(), None, EVERYBODY),
        ("get", "/api/collections", "/api/collections".into(), None, EVERYBODY),
        ("get", "/api/collections/{id}", "/api/collections/1".into(), None, [404; 5]),
        ("get", "/api/blog", "/api/blog".into(), None, EVERYBODY),
        ("get", "/api/blog/{slug}", "/api/blog/nothing".into(), None, [404; 5]),
        ("get", "/api/podcasts", "/api/podcasts".into(), None, EVERYBODY),
        ("get", "/api/podcasts/{slug}", "/api/podcasts/nothing".into(), None, [404; 5]),
        ("get", "/api/insight", "/api/insight".into(), None, EVERYBODY),
        ("get", "/api/pages/{slug}", "/api/pages/nothing".into(), None, [404; 5]),
        ("get", "/api/product-pages/{slug}", "/api/product-pages/try".into(), None, EVERYBODY),
        ("get", "/api/books", "/api/books".into(), None, EVERYBODY),
        ("get", "/api/books/list", "/api/books/list".into(), None, EVERYBODY),
        ("get", "/api/books/{id}", format!("/api/books/{book}"), None, EVERYBODY),
        // Everybody who is signed in has opened the book, and is told that it has no audio and no podcast; who may
        // watch, that it has no video yet.
        ("get", "/api/books/{id}/audio", format!("/api/books/{book}/audio"), None, [401, 404, 404, 404, 404]),
        ("get", "/api/books/{id}/podcast", format!("/api/books/{book}/podcast"), None, [401, 404, 404, 404, 404]),
        ("get", "/api/books/{id}/video", format!("/api/books/{book}/video"), None, [401, 403, 200, 403, 403]),
        ("get", "/api/books/{id}/idea-links", format!("/api/books/{book}/idea-links"), None, EVERYBODY),
        ("get", "/api/idea-map", "/api/idea-map".into(), None, EVERYBODY),
        ("get", "/api/idea-map/{category}", "/api/idea-map/unsorted".into(), None, EVERYBODY),
        ("get", "/api/visuals", "/api/visuals".into(), None, EVERYBODY),
        ("get", "/api/visuals/book/{id}", format!("/api/visuals/book/{book}"), None, EVERYBODY),
        ("get", "/api/infographics", "/api/infographics".into(), None, EVERYBODY),
        // A person who may download all is told that there are none.
        ("get", "/api/infographics/download", "/api/infographics/download".into(), None, [401, 403, 404, 403, 403]),
        // A person who may download is told that this book has none.
        (
            "get",
            "/api/infographics/{id}/download",
            format!("/api/infographics/{book}/download"),
            None,
            [401, 404, 404, 404, 404],
        ),
        ("delete", "/api/books/rating/{id}", format!("/api/books/rating/{book}"), None, SIGNED_IN),
        ("put", "/api/books/rating/{id}", format!("/api/books/rating/{book}"), Some(json!({ "rating": 4 })), SIGNED_IN),
        ("post", "/api/library", "/api/library".into(), Some(json!({ "bookId": book })), SIGNED_IN),
        ("get", "/api/library", "/api/library".into(), None, SIGNED_IN),
        ("delete", "/api/library/{id}", format!("/api/library/{book}"), None, SIGNED_IN),
        ("get", "/api/user/notices", "/api/user/notices".into(), None, SIGNED_IN),
        (
            "post",
            "/api/user/notices",
            "/api/user/notices".into(),
            Some(json!({ "bookId": book })),
            [401, 409, 409, 409, 409],
        ),
        ("delete", "/api/user/notices/{id}", format!("/api/user/notices/{book}"), None, SIGNED_IN),
        ("put", "/api/user-book-history", "/api/user-book-history".into(), Some(history), SIGNED_IN),
        ("post", "/api/user-book-history/{id}", format!("/api/user-book-history/{book}"), None, PAID),
        ("get", "/api/user-book-history", "/api/user-book-history".into(), None, SIGNED_IN),
        ("get", "/api/user-book-history/{id}", format!("/api/user-book-history/{book}"), None, SIGNED_IN),
        ("delete", "/api/user-book-history/{id}", format!("/api/user-book-history/{book}"), None, SIGNED_IN),
        ("post", "/api/user-book-history/{id}/show", format!("/api/user-book-history/{book}/show"), None, SIGNED_IN),
        ("get", "/api/user-book-history/xp", "/api/user-book-history/xp".into(), None, SIGNED_IN),
        ("get", "/api/user/goal", "/api/user/goal".into(), None, SIGNED_IN),
        (
            "put",
            "/api/user/goal",
            "/api/user/goal".into(),
            Some(json!({ "goal": { "unit": "minutes", "amount": 10 }, "countsTime": true })),
            SIGNED_IN,
        ),
        (
            "put",
            "/api/user/reading-time",
            "/api/user/reading-time".into(),
            Some(json!({ "device": "phone", "days": [{ "day": "2026-06-15", "seconds": 60 }] })),
            SIGNED_IN,
        ),
        ("get", "/api/user/years/{year}", "/api/user/years/2026".into(), None, SIGNED_IN),
        ("get", "/api/user/years/{year}/picture", "/api/user/years/2026/picture".into(), None, SIGNED_IN),
        ("post", "/api/events", "/api/events".into(), Some(json!({ "name": "start_for_free" })), EVERYBODY),
        (
            "post",
            "/api/contact",
            "/api/contact".into(),
            Some(json!({ "name": "Ada", "email": "ada@example.com", "body": "Hello." })),
            EVERYBODY,
        ),
        (
            "post",
            "/api/feedback/send",
            "/api/feedback/send".into(),
            Some(json!({ "feedback": "Good.", "email": "ada@example.com" })),
            EVERYBODY,
        ),
        (
            "post",
            "/api/contact/invite",
            "/api/contact/invite".into(),
            Some(json!({ "yourName": "Ada", "friendName": "Grace", "friendEmail": "grace@example.com" })),
            SIGNED_IN,
        ),
        ("get", "/api/admin/overview", "/api/admin/overview".into(), None, ADMINS),
        ("get", "/api/admin/content-overview", "/api/admin/content-overview".into(), None, EDITORS),
        ("get", "/api/admin/messages", "/api/admin/messages".into(), None, ADMINS),
        // The first message is the one that was written above.
        ("put", "/api/admin/messages/{id}", "/api/admin/messages/1".into(), Some(json!({ "done": true })), ADMINS),
        ("get", "/api/admin/messages/reasons", "/api/admin/messages/reasons".into(), None, ADMINS),
        ("get", "/api/admin/messages/{id}", "/api/admin/messages/1".into(), None, ADMINS),
        (
            "post",
            "/api/admin/messages/{id}/answer",
            "/api/admin/messages/1/answer".into(),
            Some(json!({ "text": "Thank you." })),
            ADMINS,
        ),
        ("get", "/api/admin/jobs", "/api/admin/jobs".into(), None, ADMINS),
        ("get", "/api/admin/system", "/api/admin/system".into(), None, ADMINS),
        // Nobody comes to the setup page of a site with an admin.
        ("get", "/api/setup", "/api/setup".into(), None, [404; 5]),
        (
            "post",
            "/api/setup",
            "/api/setup".into(),
            Some(json!({ "token": "t", "username": "EMAIL", "password": PASSWORD, "firstName": "New", "lastName": "Admin", "content": "empty" })),
            [409; 5],
        ),
        (
            "post",
            "/api/setup/mail-test",
            "/api/setup/mail-test".into(),
            Some(json!({ "token": "t", "email": "known@example.com" })),
            [409; 5],
        ),
        ("get", "/api/admin/banner", "/api/admin/banner".into(), None, EDITORS),
        (
            "put",
            "/api/admin/banner",
            "/api/admin/banner".into(),
            Some(json!({ "text": "Less.", "linkText": "See", "href": "/try", "on": true })),
            EDITORS,
        ),
        ("get", "/api/admin/pages", "/api/admin/pages".into(), None, EDITORS),
        ("get", "/api/admin/pages/{id}", "/api/admin/pages/about".into(), None, EDITORS),
        (
            "put",
            "/api/admin/pages/{id}",
            "/api/admin/pages/about".into(),
            Some(json!({ "title": "About", "description": "Us.", "text": "<p>Hello.</p>" })),
            EDITORS,
        ),
        ("delete", "/api/admin/pages/{id}/draft", "/api/admin/pages/about/draft".into(), None, EDITORS),
        ("get", "/api/admin/revisions/{kind}/{id}", "/api/admin/revisions/pages/about".into(), None, EDITORS),
        (
            "get",
            "/api/admin/revisions/{kind}/{id}/{revision}",
            "/api/admin/revisions/pages/about/4711".into(),
            None,
            [401, 403, 403, 404, 404],
        ),
        (
            "post",
            "/api/admin/revisions/{kind}/{id}/{revision}/restore",
            "/api/admin/revisions/pages/about/4711/restore".into(),
            Some(json!({})),
            [401, 403, 403, 404, 404],
        ),
        ("get", "/api/admin/quiz/{kind}", "/api/admin/quiz/personality".into(), None, EDITORS),
        // A set that is no whole quiz is refused, also from those who may change one.
        (
            "put",
            "/api/admin/quiz/{kind}",
            "/api/admin/quiz/personality".into(),
            Some(json!({ "questions": [] })),
            [401, 403, 403, 422, 422],
        ),
        ("post", "/api/admin/jobs/{id}/retry", "/api/admin/jobs/4711/retry".into(), None, [401, 403, 403, 403, 404]),
        ("get", "/api/admin/mails", "/api/admin/mails".into(), None, ADMINS),
        ("post", "/api/admin/mails/retry", "/api/admin/mails/retry".into(), None, ADMINS),
        // There is no such mail for an admin; who is none is not told.
        (
            "post",
            "/api/admin/charges/{id}/refund",
            "/api/admin/charges/none/refund".into(),
            Some(json!({ "reason": "other" })),
            [401, 403, 403, 403, 404],
        ),
        ("post", "/api/admin/mails/{id}/retry", "/api/admin/mails/4711/retry".into(), None, [401, 403, 403, 403, 404]),
        ("get", "/api/openapi.json", "/api/openapi.json".into(), None, EVERYBODY),
        ("get", "/healthz", "/healthz".into(), None, EVERYBODY),
        ("get", "/readyz", "/readyz".into(), None, EVERYBODY),
    ]
    .into_iter()
    .chain(calls_about_summaries())
    .chain(calls_about_study(book))
    .chain(calls_about_people())
    .chain(calls_about_sales())
    .chain(calls_about_editing(book, category))
    .chain(calls_about_files(book))
    .chain(calls_about_money())
    .chain(calls_about_membership())
    .chain(calls_about_recovery())
    .chain(calls_about_protection())
    // Last, for it ends the session.
    .chain([("post", "/api/user/logout", "/api/user/logout".into(), None, EVERYBODY)])
    .collect()
}

/// A free member, a paid one, an editor and an admin; their addresses are confirmed.
async fn people(app: &TestApp) -> Vec<Person> {
    let people = vec![
        app.sign_up("free@example.com").await,
        app.sign_up_paid("paid@example.com").await,
        app.sign_up_with_role("editor@example.com", "editor").await,
        app.sign_up_with_role("admin@example.com", "admin").await,
    ];
    for person in &people {
        app.confirm(person);
    }
    people
}

/// Every call of the document, with its method.
async fn document_calls(app: &TestApp) -> Vec<(String, String, Value)> {
    let document: Value = app.get("/api/openapi.json").await.json();
    let paths = document["paths"].as_object().expect("paths");
    paths
        .iter()
        .flat_map(|(path, item)| {
            let operations = item.as_object().expect("operations");
            operations.iter().map(move |(method, operation)| (method.clone(), path.clone(), operation.clone()))
        })
        .collect()
}

/// A new call of the back office may be missing in the table above; this finds it.
#[actix_web::test]
async fn the_back_office_is_closed_to_visitors_and_members_whatever_is_added_to_it() {
    let app = TestApp::start().await;
    let members = [app.sign_up("free@example.com").await, app.sign_up_paid("paid@example.com").await];
    for member in &members {
        app.get_as(member, "/api/user/account").await.result();
    }
    let calls = document_calls(&app).await;
    let back_office: Vec<_> = calls.iter().filter(|(_, path, _)| path.starts_with("/api/admin")).collect();
    assert!(back_office.len() >= 3, "the document names the back office's calls");
    for (method, path, operation) in back_office {
        assert_eq!(operation["security"], json!([{ "token": [] }]), "{method} {path} says who may");
        let method = Method::from_bytes(method.to_uppercase().as_bytes()).expect("a method");
        let segments = path.split('/').map(|segment| if segment.starts_with('{') { "1" } else { segment });
        let address = segments.collect::<Vec<_>>().join("/");
        for body in [None, Some(json!({})), Some(json!({ "done": true }))] {
            let visitor = app.send(None, method.clone(), &address, body.clone()).await;
            visitor.fails(401, "unauthenticated", "Please log in.");
            for member in &members {
                let reply = app.send(Some(member), method.clone(), &address, body.clone()).await;
                reply.fails(403, "forbidden", "You do not have access to this page.");
            }
        }
    }
}

#[actix_web::test]
async fn every_call_answers_every_viewer_as_the_matrix_says() {
    let [id, secret] = FACEBOOK;
    // Passkeys need a name.
    let app = TestApp::start_with(&[id, secret, ("PUBLIC_URL", "http://localhost:4000")]).await;
    app.sign_up("known@example.com").await;
    let people = people(&app).await;
    let book = app.add_book("a-book", "");
    let category = app.add_category("a-category", &[book]);
    let table = calls(book, category);

    let in_document: BTreeSet<(String, String)> =
        document_calls(&app).await.into_iter().map(|(method, path, _)| (method, path)).collect();
    let in_table: BTreeSet<(String, String)> =
        table.iter().map(|(method, pattern, ..)| ((*method).to_owned(), (*pattern).to_owned())).collect();
    assert_eq!(in_document, in_table, "the document and the matrix name the same calls");

    // A rating wants an opened book, and so does a position.
    for person in &people {
        assert_eq!(app.get_as(person, &format!("/api/books/{book}")).await.status, StatusCode::OK);
    }
    let mut count = 0;
    for (method, pattern, address, body, expected) in &table {
        let method = Method::from_bytes(method.to_uppercase().as_bytes()).expect("a method");
        let viewers = std::iter::once(None).chain(people.iter().map(Some));
        for (viewer, status) in viewers.zip(expected) {
            count += 1;
            let body = body.clone().map(|mut body| {
                if body["username"] == "EMAIL" {
                    body["username"] = json!(format!("new{count}@example.com"));
                }
                body
            });
            // In their own browser a sign-in would end the session of whom the next calls are made for.
            let reply = match viewer {
                Some(person) if ["/api/user/login", "/api/user/register"].contains(pattern) => {
                    let request = Client::new().request(method.clone(), format!("{}{address}", app.address));
                    harness::reply(request.bearer_auth(&person.token).json(&body)).await
                }
                viewer => app.send(viewer, method.clone(), address, body).await,
            };
            let who = viewer.map_or("a visitor", |person| person.email.as_str());
            assert_eq!(reply.status.as_u16(), *status, "{method} {pattern} as {who}: {}", reply.text);
        }
    }
}

#[actix_web::test]
async fn a_token_that_is_worth_nothing_is_refused_on_every_call() {
    let app = TestApp::start().await;
    let book = app.add_book("a-book", "");
    let category = app.add_category("a-category", &[book]);
    for (method, _, address, body, _) in calls(book, category) {
        // These do not ask for a token.
        if [
            "/api/user/login",
            "/api/user/register",
            "/api/user/subscription-code-register",
            "/api/user/logout",
            "/api/user/refresh-token",
            "/api/user/forgot-password",
            "/api/user/reset-password",
            "/api/user/login-link",
            "/api/user/login-link/session",
            "/api/user/login-code",
            "/api/user/archive/download",
            "/api/apple/oauth/callback",
            "/api/user/second-factor",
            "/api/setup",
            "/api/setup/mail-test",
            "/api/user/passkey-login",
            "/api/user/passkey-login/options",
            "/api/charge/settings",
            "/api/charge/receipt/00",
            "/api/charge/receipt/00/pdf",
            "/api/charge/sandbox/authenticate",
            "/api/stripe/webhook",
            "/api/paypal/webhook",
            "/unsubscribe/00",
            "/api/openapi.json",
            "/healthz",
            "/readyz",
        ]
        .contains(&address.as_str())
        {
            continue;
        }
        for token in ["nonsense", "En0KEwoEMTIzNBgDIgkKBwgKEgMYgAgSJAgAEiDESFwpx2kDPsU", ""] {
            let mut request =
                app.request(Method::from_bytes(method.to_uppercase().as_bytes()).expect("a method"), &address);
            request = request.header("authorization", format!("Bearer {token}"));
            if let Some(body) = &body {
                request = request.json(body);
            }
            let reply = harness::reply(request).await;
            reply.fails(401, "unauthenticated", "Please log in.");
            assert_eq!(reply.json()["notLoggedIn"], true);
        }
    }
}

#[actix_web::test]
async fn what_a_member_keeps_is_nobody_elses() {
    let app = TestApp::start().await;
    let (ada, grace) = (app.sign_up("ada@example.com").await, app.sign_up("grace@example.com").await);
    let admin = app.sign_up_with_role("admin@example.com", "admin").await;
    let book = app.add_book("a-book", "free = true");
    app.post_as(&ada, "/api/library", json!({ "bookId": book })).await.result();
    app.put_as(&ada, "/api/user-book-history", json!({ "bookId": book, "position": 3 })).await.result();
    for other in [&grace, &admin] {
        assert_eq!(app.get_as(other, "/api/library").await.result()["books"], json!([]));
        assert_eq!(app.get_as(other, "/api/user-book-history").await.result()["books"], json!([]));
        let seen = app.get_as(other, &format!("/api/books/{book}")).await.result();
        assert_eq!((&seen["book"]["isInLibrary"], &seen["book"]["position"]), (&json!(false), &json!(0)));
        // Taking away what is in another person's library changes nothing there.
        assert_eq!(app.delete_as(other, &format!("/api/library/{book}")).await.result()["isInLibrary"], false);
    }
    assert_eq!(app.get_as(&ada, "/api/library").await.result()["books"].as_array().map(Vec::len), Some(1));
}

/// The text of a response without the marks of found words, which would stand between them.
fn unmarked(text: &str) -> String {
    ["<mark>", "</mark>", "\u{e000}", "\u{e001}"].iter().fold(text.to_owned(), |text, mark| text.replace(mark, ""))
}

#[actix_web::test]
async fn the_full_text_is_not_in_the_response_to_a_viewer_who_may_not_read_it() {
    let app = TestApp::start().await;
    let book = app.add_book("a-book", "");
    let paid = app.sign_up_paid("paid@example.com").await;
    let secret = "The second one says more.";
    // Neither the preview nor what searches show of it has the sentence.
    app.sql(&format!("UPDATE books SET truncated_body = '<h3>Idea 0</h3><p>The beginning.</p>' WHERE id = {book}"));
    app.sql(&format!("UPDATE book_sections SET previewed = 0 WHERE book_id = {book}"));
    let searches = ["/api/books?q=says", "/api/search?q=says"];
    // The searches find the sentence, for a viewer who may read it.
    for address in searches {
        let found = app.get_as(&paid, address).await;
        assert!(unmarked(&found.text).contains(secret), "{address} shows a paid member: {}", found.text);
    }
    for address in [
        format!("/api/books/{book}"),
        format!("/books/{book}"),
        "/book-detail/a-book".to_owned(),
        "/".to_owned(),
        "/books".to_owned(),
        "/api/front".to_owned(),
        "/books?q=says".to_owned(),
        searches[0].to_owned(),
        searches[1].to_owned(),
    ] {
        // The cookie is for the page's eyes only; no server decision reads it.
        let reply = harness::reply(app.request(Method::GET, &address).header("cookie", "isPaid=true")).await;
        assert_eq!(reply.status, StatusCode::OK, "{address}");
        assert!(!unmarked(&reply.text).contains(secret), "{address} shows the full text to a visitor");
    }
}
