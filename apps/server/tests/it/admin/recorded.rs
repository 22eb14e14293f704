//! Every call of the back office that changes something leaves an entry in the audit log. A call that the table does not
//! name fails the test.

use std::collections::BTreeSet;

use crate::harness::{self, Person, TestApp, words::named_in};
use reqwest::Method;
use serde_json::{Value, json};

const BOUNDARY: &str = "a-boundary-that-is-in-no-file";

/// A picture, an MP3 or an MP4, by the name of the upload.
fn file(kind: &str) -> Vec<u8> {
    match kind {
        "media" | "podcast" => b"ID3\x04\0\0\0\0\0\0".to_vec(),
        // A second of silence.
        "episode" => {
            let mut bytes =
                b"RIFF\x64\x1f\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data\x40\x1f\0\0"
                    .to_vec();
            bytes.resize(44 + 8_000, 128);
            bytes
        }
        "video" => b"\0\0\0\x20ftypisom\0\0\0\0".to_vec(),
        _ => {
            let mut bytes = std::io::Cursor::new(Vec::new());
            image::RgbImage::new(4, 4).write_to(&mut bytes, image::ImageFormat::Png).expect("a picture is written");
            bytes.into_inner()
        }
    }
}

#[actix_web::test]
async fn every_change_of_the_back_office_is_recorded() {
    let app = TestApp::start().await;
    let admin = app.sign_up_with_role("admin@example.com", "admin").await;
    let member = app.sign_up("ada@example.com").await;
    let (book, category) = (app.add_book("walden", ""), app.add_category("nature", &[]));
    app.post("/api/contact", json!({ "name": "Ada", "email": "ada@example.com", "body": "Hello." })).await.result();
    app.sql("UPDATE jobs SET state = 'set_aside', attempts = 10, last_error = 'away' WHERE kind = 'mail'");
    let mail = app.get_as(&admin, "/api/admin/mails?state=set_aside").await.result()["mails"][0]["id"].clone();
    app.sql(
        "INSERT INTO jobs (kind, about, payload, state, created_at, due_at)
             VALUES ('removal', '', '\\x00', 'set_aside', now(), now())",
    );
    let job = app.get_as(&admin, "/api/admin/jobs?kind=removal").await.result()["jobs"][0]["id"].clone();
    let message = app.get_as(&admin, "/api/admin/messages").await.result()["messages"][0]["id"].clone();
    let questions = app.get_as(&admin, "/api/admin/quiz/personality").await.result()["quiz"]["questions"].clone();
    let mut quiz = json!({ "questions": questions });
    quiz["questions"][0]["statement"] = json!("I say what is next.");
    let user = format!("/api/admin/user/{}", member.id());
    let person =
        json!({ "userId": member.id(), "firstName": "Augusta", "lastName": "King", "email": "ada@example.com" });
    let new_person = json!({ "firstName": "Mary", "lastName": "Somerville", "email": "mary@example.com" });
    let new_book = json!({
        "title": "Emma", "author": "Jane Austen", "categories": [category], "body": "<h3>Cleverness</h3><p>A.</p>",
    });
    let post = json!({ "title": "A", "description": "B", "categories": ["C"], "text": "<p>D</p>" });
    let podcast = json!({ "title": "A", "author": "B", "authorDesc": "C", "description": "D" });
    let insight = json!({ "insight": "A", "bookId": "walden" });
    let reason = json!({ "reason": "Asked for." });
    let list = json!({ "name": { "value": "Work", "at": 1 }, "createdAt": 0 });
    app.put_as(&member, "/api/study/lists/7", list).await.result();
    app.put_as(&member, "/api/study/lists/7/sharing", json!({ "sharing": "public" })).await.result();
    let list = format!("/api/admin/lists/{}-7", member.id());
    let mut table: Vec<(&str, &str, String, Value, &str)> = vec![
        ("put", "/api/admin/lists/{key}", list.clone(), json!({ "isTakenDown": true }), "user.list_take_down"),
        ("put", "/api/admin/lists/{key}", list, json!({ "isTakenDown": false }), "user.list_allow"),
        (
            "put",
            "/api/admin/messages/{id}",
            format!("/api/admin/messages/{message}"),
            json!({ "done": true }),
            "message.done",
        ),
        (
            "post",
            "/api/admin/messages/{id}/answer",
            format!("/api/admin/messages/{message}/answer"),
            json!({ "text": "Thank you." }),
            "message.answer",
        ),
        (
            "put",
            "/api/admin/banner",
            "/api/admin/banner".into(),
            json!({ "text": "Less.", "linkText": "See", "href": "/try", "on": true }),
            "banner.update",
        ),
        (
            "put",
            "/api/admin/pages/{id}",
            "/api/admin/pages/about".into(),
            json!({ "title": "About", "description": "Us.", "text": "<p>Hello.</p>" }),
            "page.update",
        ),
        // A draft, which the next call removes.
        (
            "put",
            "/api/admin/pages/{id}",
            "/api/admin/pages/about".into(),
            json!({ "title": "About us", "published": false }),
            "page.update",
        ),
        ("delete", "/api/admin/pages/{id}/draft", "/api/admin/pages/about/draft".into(), json!({}), "page.update"),
        ("put", "/api/admin/quiz/{kind}", "/api/admin/quiz/personality".into(), quiz, "quiz.update"),
        ("post", "/api/admin/jobs/{id}/retry", format!("/api/admin/jobs/{job}/retry"), json!({}), "job.retry"),
        ("post", "/api/admin/mails/{id}/retry", format!("/api/admin/mails/{mail}/retry"), json!({}), "mail.retry"),
        ("post", "/api/admin/mails/retry", "/api/admin/mails/retry".into(), json!({}), "mail.retry_all"),
        ("put", "/api/admin/user", "/api/admin/user".into(), person, "user.update"),
        ("post", "/api/admin/user/{userId}/suspend", format!("{user}/suspend"), reason.clone(), "user.suspend"),
        ("post", "/api/admin/user/{userId}/restore", format!("{user}/restore"), json!({}), "user.restore"),
        ("put", "/api/admin/user/{userId}/role", format!("{user}/role"), json!({ "role": "editor" }), "user.role"),
        (
            "post",
            "/api/admin/user/{userId}/second-factor/reset",
            format!("{user}/second-factor/reset"),
            json!({}),
            "user.second_factor_reset",
        ),
        ("post", "/api/admin/user", "/api/admin/user".into(), new_person, "user.create"),
        ("post", "/api/admin/user/{userId}/export", format!("{user}/export"), json!({}), "user.export"),
        ("post", "/api/admin/books", "/api/admin/books".into(), new_book, "book.create"),
        (
            "put",
            "/api/admin/books/{bookId}",
            format!("/api/admin/books/{book}"),
            json!({ "title": "Other" }),
            "book.update",
        ),
        (
            "post",
            "/api/admin/goals",
            "/api/admin/goals".into(),
            json!({ "title": "A", "shortTitle": "B" }),
            "goal.create",
        ),
        ("put", "/api/admin/goals/{id}", "/api/admin/goals/1".into(), json!({ "title": "C" }), "goal.update"),
        ("post", "/api/admin/categories", "/api/admin/categories".into(), json!({ "name": "A" }), "category.create"),
        (
            "put",
            "/api/admin/categories/{id}",
            format!("/api/admin/categories/{category}"),
            json!({ "name": "C" }),
            "category.update",
        ),
        ("post", "/api/admin/blog", "/api/admin/blog".into(), post, "post.create"),
        ("put", "/api/admin/blog/{postId}", "/api/admin/blog/1".into(), json!({ "title": "E" }), "post.update"),
        ("put", "/api/admin/blog", "/api/admin/blog".into(), json!({ "id": 1, "title": "F" }), "post.update"),
        ("post", "/api/admin/podcasts", "/api/admin/podcasts".into(), podcast, "podcast.create"),
        ("put", "/api/admin/podcasts/{id}", "/api/admin/podcasts/1".into(), json!({ "title": "E" }), "podcast.update"),
        ("post", "/api/admin/insight", "/api/admin/insight".into(), insight, "insight.create"),
        ("put", "/api/admin/insight/{id}", "/api/admin/insight/1".into(), json!({ "title": "E" }), "insight.update"),
        ("put", "/api/admin/insight", "/api/admin/insight".into(), json!({ "id": 1, "title": "F" }), "insight.update"),
        (
            "post",
            "/api/admin/collections/add",
            "/api/admin/collections/add".into(),
            json!({ "title": "A" }),
            "collection.create",
        ),
        (
            "put",
            "/api/admin/collections/detail/{id}",
            "/api/admin/collections/detail/1".into(),
            json!({ "title": "E" }),
            "collection.update",
        ),
        (
            "post",
            "/api/admin/collections/detail/{id}",
            "/api/admin/collections/detail/1".into(),
            json!({ "title": "F" }),
            "collection.update",
        ),
    ];
    let visuals = "/api/admin/visuals";
    let visual = json!({ "bookId": book, "title": "A", "body": "B" });
    table.push(("post", visuals, visuals.to_owned(), visual, "visual.create"));
    let change = json!({ "title": "C" });
    table.push(("put", "/api/admin/visuals/{id}", format!("{visuals}/1"), change, "visual.update"));
    let order = json!({ "bookId": book, "visuals": [1] });
    table.push(("put", "/api/admin/visuals/order", format!("{visuals}/order"), order, "visual.order"));
    let links = "/api/admin/idea-links";
    let ends = json!({
        "fromBookId": book, "fromIdea": "Idea 0", "toBookId": "emma", "toIdea": "Cleverness", "note": "A.", "kind": "agrees",
    });
    table.push(("post", links, links.to_owned(), ends, "ideaLink.create"));
    let one = "/api/admin/idea-links/{id}";
    table.push(("put", one, format!("{links}/1"), json!({ "note": "B." }), "ideaLink.update"));
    table.push(("delete", one, format!("{links}/1"), json!({}), "ideaLink.delete"));
    for upload in [
        "/api/admin/books/photo/{id}",
        "/api/admin/books/vector/{id}",
        "/api/admin/books/infographic/{id}",
        "/api/admin/books/media/{id}",
        "/api/admin/books/podcast/{id}",
        "/api/admin/books/video/{id}",
    ] {
        table.push(("post", upload, upload.replace("{id}", &book.to_string()), Value::Null, "book.upload"));
    }
    let poster = "/api/admin/books/infographic/{id}";
    table.push(("delete", poster, poster.replace("{id}", &book.to_string()), json!({}), "book.file_remove"));
    for (upload, action) in [
        ("/api/admin/goals/photo/{id}", "goal.upload"),
        ("/api/admin/goals/feature-photo/{id}", "goal.upload"),
        ("/api/admin/goals/featured-photo/{id}", "goal.upload"),
        ("/api/admin/podcasts/media/{id}", "podcast.upload"),
        ("/api/admin/podcasts/photo/{id}", "podcast.upload"),
        ("/api/admin/blog/photo/{postId}", "post.upload"),
        ("/api/admin/visuals/photo/{id}", "visual.upload"),
    ] {
        let address = upload.replace("{id}", "1").replace("{postId}", "1");
        table.push(("post", upload, address, Value::Null, action));
    }
    app.sql("INSERT INTO authors (id, slug, name, name_key) OVERRIDING SYSTEM VALUE VALUES (4711, 'a', 'A', 'a'), (4712, 'b', 'B', 'b')");
    app.sql("INSERT INTO tags (id, slug, name) OVERRIDING SYSTEM VALUE VALUES (4711, 'a', 'a'), (4712, 'b', 'b')");
    app.sql("INSERT INTO goals (id, slug, title, short_title, mobile_title, place) OVERRIDING SYSTEM VALUE VALUES (4711, 'z', 'Z', 'Z', 'Z', 9)");
    let order = json!({ "ids": [category + 1, category, category - 1] });
    let emma = format!("/api/admin/books/{}", book + 1);
    for (method, path, address, body, action) in [
        ("post", "/api/admin/authors", "/api/admin/authors", json!({ "name": "New" }), "author.create"),
        ("put", "/api/admin/authors/{id}", "/api/admin/authors/4711", json!({ "name": "C" }), "author.update"),
        (
            "post",
            "/api/admin/authors/{id}/merge",
            "/api/admin/authors/4711/merge",
            json!({ "into": 4712 }),
            "author.merge",
        ),
        ("delete", "/api/admin/authors/{id}", "/api/admin/authors/4712", json!({}), "author.delete"),
        ("put", "/api/admin/tags/{id}", "/api/admin/tags/4711", json!({ "name": "C" }), "tag.update"),
        ("post", "/api/admin/tags/{id}/merge", "/api/admin/tags/4711/merge", json!({ "into": 4712 }), "tag.merge"),
        ("delete", "/api/admin/tags/{id}", "/api/admin/tags/4712", json!({}), "tag.delete"),
        ("put", "/api/admin/goals/order", "/api/admin/goals/order", json!({ "ids": [4711, 1] }), "goal.order"),
        ("put", "/api/admin/categories/order", "/api/admin/categories/order", order, "category.order"),
        // What was added above.
        ("delete", "/api/admin/books/{bookId}", &emma, json!({}), "book.delete"),
        ("delete", "/api/admin/goals/{id}", "/api/admin/goals/1", json!({}), "goal.delete"),
        (
            "delete",
            "/api/admin/categories/{id}",
            &*format!("/api/admin/categories/{category}"),
            json!({}),
            "category.delete",
        ),
        ("delete", "/api/admin/blog/{postId}", "/api/admin/blog/1", json!({}), "post.delete"),
        ("delete", "/api/admin/podcasts/{id}", "/api/admin/podcasts/1", json!({}), "podcast.delete"),
        ("delete", "/api/admin/insight/{id}", "/api/admin/insight/1", json!({}), "insight.delete"),
        (
            "delete",
            "/api/admin/collections/detail/{id}",
            "/api/admin/collections/detail/1",
            json!({}),
            "collection.delete",
        ),
    ] {
        table.push((method, path, address.to_owned(), body, action));
    }
    let earned = "INSERT INTO referral_rewards (purchase, user_id, kind, amount_cents, earned_at) VALUES ('a', ";
    app.sql(&format!("{earned}{}, 'friend', 500, '2020-01-01')", member.id()));
    app.sql("INSERT INTO codes (id, code, kind, plan_id, plan_name, created_at) OVERRIDING SYSTEM VALUE VALUES (4711, 'ABCDEFGHJKLMNPQRSTUV', 'admin', 'yearly', 'Yearly', now())");
    let (coupons, coupon) = ("/api/admin/coupons", "/api/admin/coupons/{code}");
    let spring = |percent: u32| json!({ "code": "SPRING", "percent": percent });
    let (codes, payout) = ("/api/admin/codes", "/api/admin/payouts/{userId}/paid");
    let lines = json!({ "planId": "yearly", "months": 12, "codes": ["ABCD-1234-ABCD-5678"] });
    for (method, path, address, body, action) in [
        ("post", coupons, coupons.to_owned(), spring(10), "coupon.create"),
        ("put", coupon, format!("{coupons}/spring"), spring(20), "coupon.update"),
        ("delete", coupon, format!("{coupons}/SPRING"), json!({}), "coupon.delete"),
        ("post", codes, codes.to_owned(), json!({ "planId": "yearly", "months": 12, "count": 2 }), "code.create"),
        ("post", "/api/admin/codes/import", format!("{codes}/import"), lines, "code.import"),
        ("post", "/api/admin/codes/{id}/revoke", format!("{codes}/4711/revoke"), json!({}), "code.revoke"),
        (
            "post",
            "/api/admin/plans",
            "/api/admin/plans".to_owned(),
            json!({ "id": "student", "name": "Student", "kind": "yearly", "price": 2_999 }),
            "plan.create",
        ),
        (
            "put",
            "/api/admin/plans/{id}",
            "/api/admin/plans/yearly".to_owned(),
            json!({ "name": "Year", "price": 4_999 }),
            "plan.update",
        ),
        (
            "post",
            payout,
            payout.replace("{userId}", &member.id().to_string()),
            json!({ "amount": 500, "paid": 0 }),
            "payout.pay",
        ),
    ] {
        table.push((method, path, address, body, action));
    }
    for list in ["orders", "ledger", "payouts", "codes", "user"] {
        let path = format!("/api/admin/{list}/export");
        table.push(("post", Box::leak(path.clone().into_boxed_str()), path, json!({}), "site.export"));
    }
    table.push(("delete", "/api/admin/visuals/{id}", format!("{visuals}/1"), json!({}), "visual.delete"));
    // Last: they need a revision and a session, and end the account.
    let restore = "/api/admin/books/{bookId}/revisions/{id}/restore";
    table.push(("post", restore, String::new(), json!({}), "book.update"));
    let restore_text = "/api/admin/revisions/{kind}/{id}/{revision}/restore";
    table.push(("post", restore_text, String::new(), json!({}), "page.update"));
    let sessions = "/api/admin/user/{userId}/sessions/end";
    table.push(("post", sessions, format!("{user}/sessions/end"), json!({}), "user.sessions_end"));
    table.push(("post", "/api/admin/user/{userId}/delete", format!("{user}/delete"), reason, "user.delete"));

    let document: Value = app.get("/api/openapi.json").await.json();
    let changing: BTreeSet<(String, String)> = document["paths"]
        .as_object()
        .expect("paths")
        .iter()
        .filter(|(path, _)| path.starts_with("/api/admin/"))
        .flat_map(|(path, item)| {
            item.as_object().expect("operations").keys().map(|method| (method.clone(), path.clone()))
        })
        // A refund asks a payment provider: it is tried where there is one. The others change nothing: a picture for a text is
        // recorded with the text.
        .filter(|(method, path)| {
            let elsewhere = [
                "/api/admin/charges/{id}/refund",
                "/api/admin/ledger/check",
                "/api/admin/drawings/clean",
                "/api/admin/pictures",
            ];
            method != "get" && !elsewhere.contains(&path.as_str())
        })
        .collect();
    let named: BTreeSet<_> =
        table.iter().map(|(method, path, ..)| ((*method).to_owned(), (*path).to_owned())).collect();
    assert_eq!(changing, named, "the document and the table name the same calls");

    for (method, path, mut address, body, action) in table {
        if path == restore {
            let list = app.get_as(&admin, &format!("/api/admin/books/{book}/revisions")).await.result();
            address = format!("/api/admin/books/{book}/revisions/{}/restore", list["revisions"][1]["id"]);
        }
        if path == restore_text {
            let of_page = "/api/admin/revisions/pages/about";
            let list = app.get_as(&admin, of_page).await.result();
            address = format!("{of_page}/{}/restore", list["revisions"][1]["id"]);
        }
        if path == sessions {
            app.log_in("ada@example.com", harness::PASSWORD).await;
        }
        let recorded = || app.count(&format!("audit_entries WHERE action = '{action}' AND actor_id = {}", admin.id()));
        let before = recorded();
        let request = admin.client.request(
            Method::from_bytes(method.to_uppercase().as_bytes()).expect("a method"),
            format!("{}{address}", app.address),
        );
        let request = request.bearer_auth(&admin.token);
        let reply = if body.is_null() {
            let kind = match path {
                "/api/admin/podcasts/media/{id}" => "episode",
                path => path.split('/').nth(4).expect("a kind of file"),
            };
            let mut form =
                format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"x\"\r\n\r\n")
                    .into_bytes();
            form.extend(file(kind));
            form.extend(format!("\r\n--{BOUNDARY}--\r\n").into_bytes());
            let content_type = format!("multipart/form-data; boundary={BOUNDARY}");
            harness::reply(request.header("content-type", content_type).body(form)).await
        } else {
            harness::reply(request.json(&body)).await
        };
        assert_eq!(reply.status.as_u16(), 200, "{method} {path}: {}", reply.text);
        assert_eq!(recorded(), before + 1, "{method} {path} is recorded as {action}");
    }
    has_words_for_every_field(&app, &admin).await;
}

/// What changed is told to people, not by the names of the wire.
async fn has_words_for_every_field(app: &TestApp, admin: &Person) {
    let (mut fields, mut next) = (BTreeSet::new(), String::new());
    loop {
        let page = app.get_as(admin, &format!("/api/admin/audit{next}")).await.result();
        let entries = page["entries"].as_array().expect("a list");
        let changes = entries.iter().flat_map(|entry| entry["changes"].as_array().expect("a list"));
        fields.extend(changes.map(|change| change["field"].as_str().expect("a name").to_owned()));
        let Some(after) = page["next"].as_str() else { break };
        next = format!("?after={after}");
    }
    assert!(fields.contains("authorDesc") || fields.contains("title"), "{fields:?}");
    let nameless: Vec<_> = fields.difference(&named_in("FIELDS")).cloned().collect();
    assert_eq!(nameless, Vec::<String>::new(), "words.ts of the web app");
}
