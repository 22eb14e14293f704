//! Leaving: who may, what is asked, and that nothing of the person is left anywhere.

use super::account_import;
use crate::harness::{self, PASSWORD, Person, TestApp, reply};
use diesel::{QueryableByName, sql_types::Text};
use identity::{Identity, Issue, Purpose};
use kernel::{Email, StoreError, UserId};
use mail::Mail;
use referral::Referral;
use reqwest::{Method, StatusCode, header};
use serde_json::{Value, json};

/// The words by which the person would be found again.
const EMAIL: &str = "Zenobia.Quill@example.com";
const NAMES: [&str; 2] = ["Zenobia", "Quillfeather"];
/// Far above whatever else is numbered, so that it is found wherever it stands.
const ID: i64 = 987_654_321;

fn answers() -> Value {
    json!({ "why": "I read on paper.", "how": "A friend told me." })
}

async fn leave(app: &TestApp, person: &Person) -> harness::Reply {
    app.post_as(person, "/api/user/delete", answers()).await
}

#[derive(QueryableByName)]
struct Column {
    #[diesel(sql_type = Text)]
    table_name: String,
    #[diesel(sql_type = Text)]
    column_name: String,
}

fn columns(app: &TestApp, query: &str) -> Vec<(String, String)> {
    let rows: Vec<Column> = app.rows(query);
    assert!(!rows.is_empty(), "{query}");
    rows.into_iter().map(|row| (row.table_name, row.column_name)).collect()
}

/// Every column that refers to a person, found by asking Postgres.
fn references(app: &TestApp) -> Vec<(String, String)> {
    columns(
        app,
        "SELECT c.conrelid::regclass::text AS table_name, a.attname::text AS column_name
         FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = ANY(c.conkey)
         WHERE c.contype = 'f' AND c.confrelid = 'users'::regclass ORDER BY 1, 2",
    )
}

/// Every column in which words may stand.
fn texts(app: &TestApp) -> Vec<(String, String)> {
    columns(
        app,
        "SELECT c.table_name::text, c.column_name::text FROM information_schema.columns c
         JOIN information_schema.tables t USING (table_schema, table_name)
         WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE'
           AND (c.data_type IN ('text', 'character varying', 'character', 'jsonb', 'json', 'ARRAY', 'inet', 'cidr')
                OR c.udt_name IN ('citext', 'hstore'))
         ORDER BY 1, 2",
    )
}

/// Every column in which a person's number may stand without a constraint to say so.
fn numbers(app: &TestApp) -> Vec<(String, String)> {
    columns(
        app,
        "SELECT c.table_name::text, c.column_name::text FROM information_schema.columns c
         JOIN information_schema.tables t USING (table_schema, table_name)
         WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.data_type = 'bigint' ORDER BY 1, 2",
    )
}

/// Where something of the person still stands.
fn traces(app: &TestApp) -> Vec<String> {
    let mut found = Vec::new();
    for (table, column) in references(app).into_iter().chain(numbers(app)) {
        if app.count(&format!("{table} WHERE {column} = {ID}")) > 0 {
            found.push(format!("{table}.{column}: the number"));
        }
    }
    let id = ID.to_string();
    let words = [EMAIL, "Quill", NAMES[0], NAMES[1], &id];
    let any = words.map(|word| format!("'%{word}%'")).join(", ");
    for (table, column) in texts(app) {
        if app.count(&format!("{table} WHERE {column}::text ILIKE ANY (ARRAY[{any}])")) == 0 {
            continue;
        }
        for word in words {
            if app.count(&format!("{table} WHERE {column}::text ILIKE '%{word}%'")) > 0 {
                found.push(format!("{table}.{column}: {word}"));
            }
        }
    }
    found
}

/// A list that is public and given to a team, and lists of another that the person follows, and of whose team they are.
async fn lists(app: &TestApp, person: &Person, book: i64) {
    let list = json!({
        "name": { "value": format!("For {}", NAMES[0]), "at": 1 },
        "note": { "value": format!("{} made it.", NAMES[1]), "at": 1 },
        "books": [{ "bookId": book, "rank": "a0", "at": 1 }],
        "createdAt": 0,
    });
    let other = app.sign_up("another@example.com").await;
    for owner in [person, &other] {
        app.put_as(owner, "/api/study/lists/7", list.clone()).await.result();
        app.sql(&format!("INSERT INTO team_lists (user_id, list_id) VALUES ({}, 7)", owner.id()));
    }
    app.put_as(person, "/api/study/lists/7/sharing", json!({ "sharing": "public" })).await.result();
    let shared = app.put_as(&other, "/api/study/lists/7/sharing", json!({ "sharing": "link" })).await.result();
    let slug = shared["list"]["slug"].as_str().expect("it is shared");
    app.put_as(person, &format!("/api/lists/{slug}/follow"), json!({})).await.result();
    app.sql(&format!("INSERT INTO team_list_agreements SELECT id, {ID}, now() FROM team_lists WHERE user_id <> {ID}"));
    app.sql("UPDATE lists SET name = 'Work', note = '' WHERE sharing = 'link'");
}

/// A person with a row in every table that can refer to a person, made as far as possible through the front door.
async fn everywhere(app: &TestApp) -> Person {
    app.sql(&format!("SELECT setval(pg_get_serial_sequence('users', 'id'), {})", ID - 1));
    let form = json!({ "username": EMAIL, "password": PASSWORD, "firstName": NAMES[0], "lastName": NAMES[1], "timezone": "Europe/Vienna" });
    let result = app.post("/api/user/register", form).await.result();
    let person = Person {
        client: app.client.clone(),
        token: result["token"].as_str().unwrap().to_owned(),
        user: result["user"].clone(),
        email: EMAIL.to_owned(),
    };
    assert_eq!(person.id(), ID);
    app.sql(&format!("UPDATE users SET email_confirmed_at = now() WHERE id = {ID}"));
    app.sql(&format!(
        "INSERT INTO entitlements (user_id, plan_id, plan_name, starts_at) VALUES ({ID}, 'lifetime', 'Lifetime', to_timestamp(0))"
    ));
    app.forget(&person);

    let book = app.add_book("a-book", "");
    let category = app.add_category("philosophy", &[book]);
    app.get_as(&person, &format!("/api/books/{book}")).await.result();
    let position = json!({ "bookId": book, "position": 5, "completed": true });
    app.put_as(&person, "/api/user-book-history", position).await.result();
    app.put_as(&person, "/api/user/goal", json!({ "goal": null, "countsTime": true })).await.result();
    let time = json!({ "device": NAMES[1], "days": [{ "day": "2026-06-15", "seconds": 60 }] });
    app.put_as(&person, "/api/user/reading-time", time).await.result();
    app.sql(&format!(
        "INSERT INTO synced_places (user_id, document, progress, percentage, device, device_id, at)
         VALUES ({ID}, 'a', '1', 0, '{}', '', now())",
        NAMES[1]
    ));
    let rating = json!({ "rating": 1, "feedback": format!("{} did not like it.", NAMES[0]) });
    app.put_as(&person, &format!("/api/books/rating/{book}"), rating).await.result();
    let highlight = json!({
        "bookId": book,
        "anchor": { "section": 0, "start": 0, "end": 3, "exact": "The", "prefix": "", "suffix": " first" },
        "createdAt": 0,
        "note": { "value": format!("{} was here.", NAMES[0]), "at": 1 },
        "tags": [{ "tag": NAMES[1], "on": true, "at": 1 }],
    });
    app.put_as(&person, "/api/study/highlights/7", highlight).await.result();
    let card = json!({
        "kind": "own",
        "content": { "value": { "question": format!("Who is {}?", NAMES[0]), "answer": NAMES[1] }, "at": 1 },
        "createdAt": 0,
    });
    app.put_as(&person, "/api/study/cards/7", card).await.result();
    let answers = json!({ "answers": [{ "id": 7, "cardId": 7, "rating": 3, "at": 0 }] });
    app.post_as(&person, "/api/study/answers", answers).await.result();
    let commitment = json!({
        "bookId": book,
        "text": { "value": format!("Call {}.", NAMES[0]), "at": 1 },
        "createdAt": 0,
    });
    app.put_as(&person, "/api/study/commitments/7", commitment).await.result();
    lists(app, &person, book).await;
    let completed = json!({ "ideas": [{ "bookId": book, "idea": "Idea 0", "at": 1 }] });
    app.post_as(&person, "/api/study/completed-ideas", completed).await.result();
    app.put_as(&person, "/api/study/settings", json!({ "reminder": "mail", "digest": "daily" })).await.result();
    what_programs_use(app, &person).await;
    import(app, &person).await;
    app.post_as(&person, "/api/library", json!({ "bookId": book })).await.result();
    let soon = app.add_book("coming-book", "coming_soon = true");
    app.post_as(&person, "/api/user/notices", json!({ "bookId": soon })).await.result();
    app.put_as(&person, "/api/user/recommends", json!({ "recommends": [category] })).await.result();
    app.post_as(&person, "/api/events", json!({ "name": "start_for_free" })).await.result();
    app.post_as(&person, "/api/ai/text", json!({ "text": "A text of one's own. ".repeat(24) })).await.result();
    app.sql(
        "INSERT INTO goals (id, slug, title, short_title, mobile_title, description, place)
         OVERRIDING SYSTEM VALUE VALUES (1, 'calm', 'Calm', 'Calm', 'Calm', '', 0)",
    );
    let plan = json!({ "goals": [1], "bookIds": [book] });
    app.post_as(&person, "/api/user/ten-day-challenge-submit", plan).await.result();
    app.put_as(&person, "/api/user/ten-day-challenge/daily-mail", json!({ "hour": 7 })).await.result();
    let quiz = app.get("/api/quiz/personality").await.result();
    let questions = quiz["questions"].as_array().unwrap().iter();
    let answers: Vec<_> = questions.map(|one| json!({ "id": one["id"], "answer": true })).collect();
    app.post_as(&person, "/api/quiz/personality/results", json!({ "answers": answers })).await.result();

    // Mails, messages, invitations, and a sign-in elsewhere with a wrong password before it.
    app.post_as(&person, "/api/user/archive", json!({})).await.result();
    let invitation = json!({ "yourName": NAMES[0], "friendName": "Joan", "friendEmail": "joan@example.com" });
    app.post_as(&person, "/api/contact/invite", invitation).await.result();
    let message = json!({ "name": NAMES[1], "email": EMAIL.to_uppercase(), "body": "Where is my book?" });
    app.post("/api/contact", message).await.result();
    app.post("/api/feedback/send", json!({ "feedback": "Nice.", "email": EMAIL })).await.result();
    app.post("/api/user/login", json!({ "username": EMAIL, "password": "wrong password" })).await;
    app.log_in(EMAIL, PASSWORD).await;
    invited_by_another(app).await;
    rest(app);
    person
}

/// Imports an archive with a book that is not here.
async fn import(app: &TestApp, person: &Person) {
    let library = json!([{ "title": NAMES[0], "author": NAMES[1], "addedAt": "2026-06-01T00:00:00Z" }]);
    let archive = account_import::archive_of(&[("library.json", library)]);
    account_import::imported(app, person, &archive).await;
}

/// A token, a webhook and a browser that shows push messages.
async fn what_programs_use(app: &TestApp, person: &Person) {
    let token = json!({ "name": format!("The reader of {}", NAMES[0]), "scopes": ["study:read"] });
    app.post_as(person, "/api/user/tokens", token).await.result();
    let webhook = json!({ "url": format!("https://example.com/{}", NAMES[1]) });
    app.put_as(person, "/api/study/webhook", webhook).await.result();
    let keys = json!({ "p256dh": "A".repeat(87), "auth": "A".repeat(22) });
    let browser = json!({ "endpoint": format!("https://push.example/{}", NAMES[1]), "keys": keys });
    app.put_as(person, "/api/study/push", browser).await.result();
}

/// Another member invites the person, before and after another person.
async fn invited_by_another(app: &TestApp) {
    let bob = app.sign_up("bob@example.com").await;
    app.sql("UPDATE users SET email_confirmed_at = now()");
    for friend in [EMAIL.to_lowercase().as_str(), "joan@example.com"] {
        let invitation = json!({ "yourName": "Bob", "friendName": "Friend", "friendEmail": friend });
        app.post_as(&bob, "/api/contact/invite", invitation).await.result();
    }
    // As if the mails were sent: the jobs stay for what is looked at below.
    app.app
        .db
        .write_now::<_, StoreError>(|pg| {
            for (inviter, friend) in [(ID, "joan@example.com".to_owned()), (bob.id(), EMAIL.to_lowercase())] {
                pg.invitation_sent(UserId::from_store(inviter), &Email::parse(&friend).map_err(StoreError::new)?)?;
            }
            Ok(())
        })
        .unwrap();
    assert_eq!(app.count(&format!("users WHERE friend_email = '{}'", EMAIL.to_lowercase())), 1);
}

/// Tables that are filled by a second party or after a ceremony.
fn rest(app: &TestApp) {
    app.sql(&format!(
        "INSERT INTO provider_identities (provider, subject, user_id, email, connected_at)
         VALUES ('google', 'quill-1', {ID}, '{EMAIL}', now())"
    ));
    app.sql(&format!("INSERT INTO totp (user_id, sealed_secret, begun_at) VALUES ({ID}, '\\x00', now())"));
    app.sql(&format!("INSERT INTO kindle_addresses (user_id, email, set_at) VALUES ({ID}, 'quill@kindle.com', now())"));
    app.sql(&format!(
        "INSERT INTO deliveries (user_id, book_id, state, why, asked_at) SELECT {ID}, id, 'failed', 'Quill', now() FROM books"
    ));
    app.sql(&format!(
        "INSERT INTO payers (user_id, is_guest, email, email_key, created_at) VALUES ({ID}, true, '{EMAIL}', '{EMAIL}', now())"
    ));
    app.sql(&format!(
        "INSERT INTO trials (purchase, user_id, mailbox, card, started_at)
         VALUES ('trial', {ID}, 'zenobia.quill@example.com', 'visa', now())"
    ));
    app.sql(&format!("INSERT INTO referral_links VALUES ('zenobia', {ID}, 'affiliate', 1, now())"));
    app.sql(&format!(
        "INSERT INTO codes (code, kind, plan_id, plan_name, created_at, sent_to)
         VALUES ('ABCDEFGHJKLMNPQRSTUV', 'bulk', 'yearly', 'Yearly', now(), '{EMAIL}')"
    ));
    app.sql(&format!("INSERT INTO referred_members VALUES ({ID}, 'zenobia', now())"));
    app.sql(&format!("INSERT INTO pause_offers VALUES ({ID}, now())"));
    app.sql(&format!("INSERT INTO referral_payouts (user_id, amount_cents, paid_at) VALUES ({ID}, 5, now())"));
    app.sql(&format!(
        "INSERT INTO referral_rewards VALUES ('earned', {ID}, 'friend', NULL, 'joan@example.com', 5, now())"
    ));
    app.sql(&format!(
        "INSERT INTO referral_rewards SELECT 'brought', id, 'friend', {ID}, 'zenobia.quill@example.com', 5, now()
         FROM users WHERE email = 'bob@example.com'"
    ));
    app.sql("INSERT INTO provider_customers SELECT id, 'stripe', 'cus_zenobia' FROM payers");
    app.sql(
        "INSERT INTO ledger_transactions (payer_id, key, kind, purchase, plan_id, plan_name, amount_cents, fee_cents,
             starts_at, infographics, occurred_at)
         SELECT id, 'given', 'plan_given', 'given', 'lifetime', 'Lifetime', 0, 0, now(), 0, now() FROM payers",
    );
    app.sql(&format!("INSERT INTO recovery_codes (user_id, hash) VALUES ({ID}, '\\x00')"));
    app.sql(&format!(
        "INSERT INTO passkeys (user_id, name, credential_id, user_handle, credential, created_at)
         VALUES ({ID}, 'Quill’s phone', '\\x00', '\\x00', '{{}}', now())"
    ));
    app.sql(&format!(
        "INSERT INTO audit_entries (at, actor_kind, actor_name, action, subject_kind, subject_id, changes)
         VALUES (now(), 'operator', 'a command', 'user.update', 'user', {ID}, '[]')"
    ));
    app.sql(&format!(
        "INSERT INTO audit_personal_changes SELECT id, {ID}, '[{{\"field\": \"email\", \"from\": null, \"to\": \"{EMAIL}\"}}]'
         FROM audit_entries"
    ));
    app.sql(&format!(
        "INSERT INTO message_answers (message_id, body, answered_by, answered_at)
         SELECT max(id), 'Thank you.', {ID}, now() FROM messages"
    ));
    app.sql(&format!("INSERT INTO row_versions VALUES ('book', 4, 2, now(), {ID})"));
    app.sql(&format!(
        "INSERT INTO row_revisions (kind, row_id, version, saved_at, saved_by, content)
         VALUES ('book', 4, 2, now(), {ID}, '{{}}')"
    ));
    app.app
        .db
        .write_now::<_, StoreError>(|pg| {
            let user = Some(UserId::from_store(ID));
            let issue =
                Issue { purpose: Purpose::ChangeEmail, user, data: Some("zenobia@quill.example"), binding: None };
            pg.issue_secret(issue, &*app.env).map(|_| ())
        })
        .unwrap();
}

#[tokio::test]
async fn nothing_that_names_the_person_is_left_in_any_column_of_any_table() {
    let app = TestApp::start().await;
    let person = everywhere(&app).await;
    let filled = traces(&app);
    // The test is worth something only while every table that can name a person does name this one.
    for (table, column) in references(&app) {
        let trace = format!("{table}.{column}: the number");
        assert!(filled.contains(&trace), "fill {table} in `everywhere`, so that it is seen to be emptied: {filled:?}");
    }
    for trace in [
        "users.email",
        "messages.email",
        "messages.name",
        "invitations.friend_email",
        "users.friend_email",
        "ratings.feedback",
        "rate_limits.key",
        "payers.email",
        "trials.mailbox",
        "referral_rewards.buyer_mailbox",
    ] {
        assert!(filled.iter().any(|found| found.starts_with(trace)), "{trace}: {filled:?}");
    }

    assert_eq!(leave(&app, &person).await.result(), json!({}));
    // The audit log keeps the number, which names nobody any more.
    assert_eq!(traces(&app), ["audit_entries.subject_id: the number"]);

    // What counts without a name stays and is consistent.
    assert_eq!(app.count("events WHERE user_id IS NULL AND name = 'start_for_free'"), 1);
    assert_eq!(app.count("book_stats WHERE ratings_count = 0 AND ratings_sum = 0"), 2);
    assert_eq!(app.count("messages WHERE body = 'Where is my book?' AND name IS NULL AND email IS NULL"), 1);
    assert_eq!(app.count("users WHERE email = 'bob@example.com' AND friend_email IS NOT NULL"), 1);
    let nameless = "ledger_transactions JOIN payers p ON p.id = payer_id WHERE p.user_id IS NULL AND p.email IS NULL";
    assert_eq!(app.count(nameless), 1);
    assert_eq!(app.count("referral_rewards WHERE buyer_id IS NULL AND buyer_mailbox IS NULL"), 1);
}

#[tokio::test]
async fn of_all_mails_to_the_person_the_goodbye_is_left() {
    let app = TestApp::start().await;
    let person = everywhere(&app).await;
    let to = |app: &TestApp| {
        let mails = app.mails().into_iter().filter(|(to, _)| to.eq_ignore_ascii_case(EMAIL));
        mails.map(|(_, mail)| mail).collect::<Vec<_>>()
    };
    assert!(to(&app).iter().any(|mail| matches!(mail, Mail::Archive { .. })));
    leave(&app, &person).await.result();
    assert_eq!(to(&app), [Mail::AccountDeleted { first_name: NAMES[0].to_owned() }]);
    // Others' mails are theirs.
    assert!(app.mails().iter().any(|(to, _)| to == "joan@example.com"));
}

#[tokio::test]
async fn the_answers_are_kept_without_a_name() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    leave(&app, &ada).await.result();
    assert_eq!(app.count("messages"), 1);
    let kept = "messages WHERE kind = 'leaving' AND name IS NULL AND email IS NULL
        AND body LIKE 'Why are you deleting your account?%I read on paper.%How did you find out about us?%A friend told me.%'";
    assert_eq!(app.count(kept), 1);
}

#[tokio::test]
async fn both_questions_want_an_answer() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    for (body, field, text) in [
        (json!({ "why": " ", "how": "x" }), "why", "Please specify Why are you deleting your account?."),
        (json!({ "how": "x" }), "why", "Please specify Why are you deleting your account?."),
        (json!({ "why": "x", "how": "\n" }), "how", "Please specify How did you find out about us?."),
        (json!({ "why": "x", "how": null }), "how", "Please specify How did you find out about us?."),
    ] {
        let reply = app.post_as(&ada, "/api/user/delete", body).await;
        reply.fails(422, "validation_failed", text);
        assert_eq!(reply.json()["field"], field);
    }
    assert_eq!(app.post("/api/user/delete", answers()).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(app.count("users"), 1);
    app.get_as(&ada, "/api/user/account").await.result();
}

#[tokio::test]
async fn every_device_is_out_on_every_node_and_the_cookies_are_gone() {
    let app = TestApp::start().await;
    let beside = app.start_beside().await;
    let ada = app.sign_up("ada@example.com").await;
    let elsewhere = app.log_in("ada@example.com", PASSWORD).await;
    for person in [&ada, &elsewhere] {
        beside.get_as(person, "/api/user/account").await.result();
    }
    let reply_ = leave(&app, &ada).await;
    let gone: Vec<_> = reply_.headers.get_all(header::SET_COOKIE).iter().map(|line| line.to_str().unwrap()).collect();
    for cookie in ["refresh", "isPaid", "device"] {
        assert!(
            gone.iter().any(|line| line.starts_with(&format!("{cookie}=;")) && line.contains("Max-Age=0")),
            "{gone:?}"
        );
    }
    for person in [&ada, &elsewhere] {
        beside.refused_soon(person).await;
        for (method, path) in [
            (Method::GET, "/api/user/account"),
            (Method::GET, "/api/user/session"),
            (Method::GET, "/api/user/sessions"),
            (Method::GET, "/api/user/archive"),
            (Method::GET, "/api/library"),
            (Method::GET, "/api/books"),
        ] {
            let reply = app.send(Some(person), method, path, None).await;
            assert_eq!(reply.status, StatusCode::UNAUTHORIZED, "{path}: {}", reply.text);
        }
        let refresh = reply(person.client.post(format!("{}/api/user/refresh-token", app.address))).await;
        refresh.fails(401, "session_ended", "Your session has ended. Please log in again.");
    }
    assert_eq!(leave(&app, &elsewhere).await.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn the_address_is_free_at_once_for_a_new_account() {
    let app = TestApp::start().await;
    let first = app.sign_up("ada@example.com").await;
    let book = app.add_book("a-book", "");
    app.post_as(&first, "/api/library", json!({ "bookId": book })).await.result();
    leave(&app, &first).await.result();
    let wrong = app.post("/api/user/login", json!({ "username": "ada@example.com", "password": PASSWORD })).await;
    wrong.fails(400, "invalid_credentials", "The email or password is not correct.");
    let second = app.sign_up("ADA@example.com").await;
    assert_ne!(second.id(), first.id());
    assert_eq!(app.get_as(&second, "/api/library").await.result()["books"], json!([]));
}

#[tokio::test]
async fn ratings_of_others_stay_when_one_reader_leaves() {
    let app = TestApp::start().await;
    let book = app.add_book("a-book", "free = true");
    let readers = [app.sign_up("ada@example.com").await, app.sign_up("bob@example.com").await];
    for (reader, stars) in readers.iter().zip([1, 5]) {
        app.get_as(reader, &format!("/api/books/{book}")).await.result();
        app.put_as(reader, &format!("/api/books/rating/{book}"), json!({ "rating": stars })).await.result();
    }
    assert_eq!(app.count("book_stats WHERE ratings_count = 2 AND ratings_sum = 6"), 1);
    leave(&app, &readers[0]).await.result();
    assert_eq!(app.count("book_stats WHERE ratings_count = 1 AND ratings_sum = 5"), 1);
    assert_eq!(app.count("ratings"), 1);
}

/// Everything that a person may have under way when they leave: signed in, and by address and password.
async fn busy(app: &TestApp, person: &Person, book: i64, category: i64, round: usize) -> (String, StatusCode) {
    let position = |position, completed| Some(json!({ "bookId": book, "position": position, "completed": completed }));
    let (method, path, body) = match round % 14 {
        0 => (Method::GET, format!("/api/books/{book}"), None),
        1 => (Method::PUT, "/api/user-book-history".to_owned(), position(2, false)),
        2 => (Method::PUT, "/api/user-book-history".to_owned(), position(5, true)),
        3 => (Method::PUT, format!("/api/books/rating/{book}"), Some(json!({ "rating": 3 }))),
        4 => (Method::POST, "/api/library".to_owned(), Some(json!({ "bookId": book }))),
        5 => (Method::PUT, "/api/user/recommends".to_owned(), Some(json!({ "recommends": [category] }))),
        6 => (Method::POST, "/api/events".to_owned(), Some(json!({ "name": "start_for_free" }))),
        7 => (Method::POST, "/api/user/archive".to_owned(), None),
        8 => (Method::GET, "/api/user/archive".to_owned(), None),
        9 => (Method::GET, "/api/user/sessions".to_owned(), None),
        10 => (Method::DELETE, "/api/user/sessions".to_owned(), None),
        11 => (Method::POST, "/api/user/delete".to_owned(), Some(answers())),
        12 => {
            let refresh = reply(person.client.post(format!("{}/api/user/refresh-token", app.address))).await;
            return ("refresh".to_owned(), refresh.status);
        }
        _ => {
            let body = json!({ "username": person.email, "password": PASSWORD });
            return ("login".to_owned(), app.post("/api/user/login", body).await.status);
        }
    };
    let reply = app.send(Some(person), method.clone(), &path, body).await;
    (format!("{method} {path}: {}", reply.text.get(..120).unwrap_or(&reply.text)), reply.status)
}

#[tokio::test]
async fn whatever_is_under_way_meanwhile_is_done_or_refused_and_never_fails() {
    let app = TestApp::start().await;
    let book = app.add_book("a-book", "free = true");
    let category = app.add_category("philosophy", &[book]);
    for attempt in 0..3 {
        let person = app.sign_up(&format!("ada{attempt}@example.com")).await;
        app.sql("UPDATE users SET email_confirmed_at = now()");
        // The first ones come before a person leaves, the others at the same moment.
        let under_way = (0..70).map(|round| busy(&app, &person, book, category, round));
        let answers = futures_util::future::join_all(under_way).await;
        for (what, status) in &answers {
            let fine = [200, 400, 401, 403, 404].contains(&status.as_u16());
            assert!(fine, "{what}: {status}");
        }
        assert!(answers.iter().any(|(_, status)| *status == StatusCode::UNAUTHORIZED));
        assert_eq!(app.count("users"), 0);
        for table in [
            "sessions",
            "history",
            "library",
            "ratings",
            "opened_books",
            "recommends",
            "reading_days",
            "completions",
            "reading_goals",
            "reading_time",
        ] {
            assert_eq!(app.count(table), 0, "{table}");
        }
        assert_eq!(app.count("book_stats WHERE ratings_count <> 0 OR ratings_sum <> 0"), 0);
    }
}

/// A row that would keep a person from leaving, or be left behind without an owner, is a mistake of a migration.
#[tokio::test]
async fn whatever_refers_to_a_person_goes_or_loses_its_owner() {
    let app = TestApp::start().await;
    let keeps = "pg_constraint WHERE contype = 'f' AND confrelid = 'users'::regclass AND confdeltype NOT IN ('c', 'n')";
    assert_eq!(app.count(keeps), 0);
}

#[tokio::test]
async fn mails_to_an_address_that_was_never_confirmed_go_too() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    let new = json!({ "email": "ada@new.example.com", "currentPassword": PASSWORD });
    app.put_as(&ada, "/api/user/email", new).await.result();
    assert_eq!(app.count("jobs WHERE about = 'confirm_new_email'"), 1);
    leave(&app, &ada).await.result();
    assert_eq!(app.count("jobs WHERE about = 'confirm_new_email'"), 0);
}
