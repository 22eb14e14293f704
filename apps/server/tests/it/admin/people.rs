//! People in the back office: the list, one person, and what an admin changes about them; and the audit log of it.

use crate::harness::{PASSWORD, Person, START, TestApp};
use serde_json::{Value, json};

async fn person(app: &TestApp, admin: &Person, id: i64) -> Value {
    app.get_as(admin, &format!("/api/admin/user/edit/{id}")).await.result()["user"][0].clone()
}

async fn entries(app: &TestApp, admin: &Person, query: &str) -> Value {
    app.get_as(admin, &format!("/api/admin/audit{query}")).await.result()["entries"].clone()
}

fn actions(entries: &Value) -> Vec<&str> {
    entries.as_array().expect("a list").iter().map(|entry| entry["action"].as_str().expect("a text")).collect()
}

fn emails(page: &Value) -> Vec<&str> {
    page["users"].as_array().expect("a list").iter().map(|user| user["email"].as_str().expect("a text")).collect()
}

fn edit(of: &Value) -> Value {
    json!({ "userId": of["id"], "firstName": of["firstName"], "lastName": of["lastName"], "email": of["email"] })
}

#[actix_web::test]
async fn people_are_listed_newest_first_by_100_searched_and_filtered() {
    let app = TestApp::start().await;
    let admin = app.sign_up_with_role("admin@example.com", "admin").await;
    app.env.advance(1_000);
    let paid = app.sign_up_paid("paid@example.com").await;
    app.sql(
        "INSERT INTO users (email, email_key, first_name, last_name, timezone, created_at)
         SELECT 'm' || n || '@example.com', 'm' || n || '@example.com', 'Grace', 'Member', 'UTC', date_trunc('second', now()) FROM generate_series(1, 120) n",
    );
    let list = async |path: &str| app.get_as(&admin, &format!("/api/admin/user/{path}")).await.result();
    let first = list("0").await;
    assert_eq!((emails(&first).len(), &first["count"]), (100, &json!(122)));
    let by_key = list(&format!("0?after={}", first["next"].as_str().expect("a key"))).await;
    let by_offset = list("100").await;
    assert_eq!(emails(&by_key), emails(&by_offset));
    assert_eq!((emails(&by_key).len(), &by_key["next"]), (22, &Value::Null));
    let found = list("0?q=PAID%40ex").await;
    assert_eq!((emails(&found), &found["count"]), (vec!["paid@example.com"], &json!(1)));
    assert_eq!(list("0?q=p_id%40ex").await["count"], 0, "what is typed is no pattern");
    assert_eq!(list("0?q=%25").await["count"], 0);
    let row = &found["users"][0];
    assert_eq!((&row["planId"], &row["createDate"]), (&json!("yearly"), &json!(START.millis() + 1_000)));
    assert!(emails(&list(&format!("0?q={}", paid.id())).await).contains(&"paid@example.com"));
    assert_eq!(emails(&list("0?plan=paid").await), ["paid@example.com"]);
    assert_eq!(emails(&list("0?role=admin").await), ["admin@example.com"]);
    assert_eq!(list("0?plan=free&role=member").await["count"], 120);
    assert_eq!(list("0?state=suspended").await["count"], 0);
    for (query, field) in
        [("0?role=boss", "role"), ("0?plan=x", "plan"), ("0?state=x", "state"), ("0?after=x", "after")]
    {
        let reply = app.get_as(&admin, &format!("/api/admin/user/{query}")).await;
        assert_eq!((reply.status.as_u16(), &reply.json()["field"]), (422, &json!(field)), "{query}");
    }
    app.get_as(&admin, "/api/admin/user/x").await.fails(404, "not_found", "There is no such page.");
}

#[actix_web::test]
async fn a_person_whom_an_admin_adds_sets_a_password_by_mail() {
    let app = TestApp::start().await;
    let admin = app.sign_up_with_role("admin@example.com", "admin").await;
    app.sql("DELETE FROM jobs");
    let form = json!({ "firstName": "Mary", "lastName": "Somerville", "email": "mary@example.com" });
    for (missing, text) in [("firstName", "First name"), ("lastName", "Last name"), ("email", "Email")] {
        let mut form = form.clone();
        form[missing] = json!(" ");
        let refused = app.post_as(&admin, "/api/admin/user", form).await;
        refused.fails(422, "validation_failed", &format!("Please specify {text}."));
        assert_eq!(refused.json()["field"], missing);
    }
    let added = app.post_as(&admin, "/api/admin/user", form.clone()).await.result();
    let user = &added["user"];
    assert_eq!((&user["email"], &user["role"]), (&json!("mary@example.com"), &json!("member")));
    assert_eq!((&user["confirmed"], &user["hasPassword"]), (&json!(false), &json!(false)));
    let taken = app
        .post_as(&admin, "/api/admin/user", json!({ "firstName": "M", "lastName": "S", "email": "MARY@example.com" }))
        .await;
    taken.fails(409, "email_taken", "Another account already has this email address.");
    assert_eq!(taken.json()["field"], "email");
    assert_eq!(actions(&entries(&app, &admin, "?action=user").await), ["user.create"]);

    let (to, mail) = app.mails().pop().expect("a mail");
    let mail::Mail::ResetPassword { link, .. } = mail else { panic!("{mail:?}") };
    assert_eq!((to.as_str(), app.mails().len()), ("mary@example.com", 1));
    let code = link.rsplit('/').next().expect("a code");
    let form = json!({ "code": code, "email": "mary@example.com", "password1": PASSWORD, "password2": PASSWORD });
    app.put("/api/user/reset-password", form).await.result();
    app.log_in("mary@example.com", PASSWORD).await;
    assert_eq!(person(&app, &admin, user["id"].as_i64().expect("an id")).await["confirmed"], true);
}

#[actix_web::test]
async fn a_list_is_exported_with_all_rows_that_its_filter_admits() {
    let app = TestApp::start().await;
    let admin = app.sign_up_with_role("admin@example.com", "admin").await;
    app.sql(
        "INSERT INTO users (email, email_key, first_name, last_name, timezone, created_at)
         SELECT 'm' || n || '@example.com', 'm' || n || '@example.com', '=1+1', 'Member, the ' || n, 'UTC', '2026-01-02' FROM generate_series(1, 250) n",
    );
    let export = async |query: &str| app.post_as(&admin, &format!("/api/admin/user/export{query}"), json!({})).await;
    let reply = export("").await;
    assert_eq!(reply.headers["content-type"], "text/csv; charset=utf-8");
    assert_eq!(reply.headers["content-disposition"], "attachment; filename=\"users.csv\"");
    let lines: Vec<&str> = reply.text.trim_start_matches('\u{feff}').lines().collect();
    assert_eq!(
        lines[0],
        "Id,E-mail,First name,Last name,Role,Plan,Plan until,Paid by,Joined,Confirmed,Suspended,Last seen"
    );
    assert_eq!(lines.len(), 1 + 251);
    assert!(
        lines.iter().any(|line| line.ends_with(",m7@example.com,'=1+1,\"Member, the 7\",member,,,,2026-01-02,no,,"))
    );
    // Every page once: no address is there twice.
    let mut emails: Vec<&str> = lines[1..].iter().filter_map(|line| line.split(',').nth(1)).collect();
    emails.sort_unstable();
    emails.dedup();
    assert_eq!(emails.len(), 251);
    assert_eq!(export("?q=m24&role=member").await.text.lines().count(), 1 + 11, "m24 and m240 to m249");
    assert_eq!(export("?role=boss").await.status, 422);
    assert_eq!(actions(&entries(&app, &admin, "?action=site").await), ["site.export", "site.export"]);
    let entry = entries(&app, &admin, "?action=site").await[0].clone();
    assert_eq!(entry["subject"]["name"], "users");
}

#[actix_web::test]
async fn a_list_is_counted_up_to_10000_and_says_when_there_are_more() {
    let app = TestApp::start().await;
    let admin = app.sign_up_with_role("admin@example.com", "admin").await;
    let add = |from: u32, until: u32| {
        app.sql(&format!(
            "INSERT INTO users (email, email_key, first_name, last_name, timezone, created_at)
             SELECT 'm' || n || '@example.com', 'm' || n || '@example.com', 'Grace', 'Member', 'UTC', now() FROM generate_series({from}, {until}) n",
        ));
    };
    let total = async |query: &str| {
        let list = app.get_as(&admin, &format!("/api/admin/user/0?{query}")).await.result();
        (list["count"].as_u64().expect("a number"), list["countCapped"].as_bool().expect("it says so"))
    };
    // The admin is one of them.
    add(1, 9_999);
    assert_eq!(total("").await, (10_000, false));
    add(10_000, 10_001);
    assert_eq!(total("").await, (10_000, true));
    assert_eq!(total("role=member").await, (10_000, true));
    assert_eq!(total("q=m9").await, (1_111, false), "m9, m90 to m99, and so on");
}

#[actix_web::test]
async fn an_admin_changes_names_and_address_and_every_change_is_recorded() {
    let app = TestApp::start().await;
    let admin = app.sign_up_with_role("admin@example.com", "admin").await;
    let member = app.sign_up("ada@example.com").await;
    app.confirm(&member);
    let there = person(&app, &admin, member.id()).await;
    assert_eq!(
        (&there["firstName"], &there["confirmed"], &there["plan"]["state"]),
        (&json!("Ada"), &json!(true), &json!("free"))
    );
    assert_eq!(there["sessions"].as_array().map(Vec::len), Some(1));
    assert_eq!(there["reading"], json!({ "opened": 0, "completed": 0, "library": 0, "ratings": 0 }));

    let nothing = app.put_as(&admin, "/api/admin/user", edit(&there)).await.result();
    assert_eq!(nothing["user"][0], there);
    assert_eq!(actions(&entries(&app, &admin, "").await), Vec::<&str>::new());

    let mut form = edit(&there);
    (form["firstName"], form["email"]) = (json!("Augusta"), json!("augusta@example.com"));
    let changed = app.put_as(&admin, "/api/admin/user", form.clone()).await.result();
    let user = &changed["user"][0];
    assert_eq!(
        (&user["firstName"], &user["email"], &user["confirmed"]),
        (&json!("Augusta"), &json!("augusta@example.com"), &json!(false))
    );
    // The new address is asked for a confirmation, the old one is told, and nobody is signed in any more.
    let mails = app.mails();
    assert!(
        mails.iter().any(|(to, mail)| to == "augusta@example.com" && matches!(mail, mail::Mail::ConfirmEmail { .. }))
    );
    assert!(
        mails
            .iter()
            .any(|(to, mail)| to == "ada@example.com" && matches!(mail, mail::Mail::SecondFactorChanged { .. }))
    );
    app.refused_soon(&member).await;

    let entry = entries(&app, &admin, "").await[0].clone();
    assert_eq!((&entry["action"], &entry["actor"]["id"]), (&json!("user.update"), &json!(admin.id())));
    assert_eq!(entry["subject"], json!({ "kind": "user", "id": member.id(), "name": "Augusta Reader" }));
    assert_eq!(
        entry["changes"],
        json!([
            { "field": "firstName", "from": "Ada", "to": "Augusta" },
            { "field": "email", "from": "ada@example.com", "to": "augusta@example.com" },
        ])
    );
    assert_eq!((&entry["address"], entry["device"].is_string()), (&json!("127.0.0.1"), true));

    for (field, text) in [("firstName", "First name"), ("lastName", "Last name"), ("email", "Email")] {
        let mut blank = form.clone();
        blank[field] = json!("  ");
        let reply = app.put_as(&admin, "/api/admin/user", blank).await;
        reply.fails(422, "validation_failed", &format!("Please specify {text}."));
        assert_eq!(reply.json()["field"], field);
    }
    form["email"] = json!("ADMIN@example.com");
    let taken = app.put_as(&admin, "/api/admin/user", form.clone()).await;
    // The text for members, to log in or reset a password, is not for an admin.
    taken.fails(409, "email_taken", "Another account already has this email address.");
    assert_eq!(
        (taken.status.as_u16(), &taken.json()["code"], &taken.json()["field"]),
        (409, &json!("email_taken"), &json!("email"))
    );
    form["userId"] = json!(4711);
    app.put_as(&admin, "/api/admin/user", form).await.fails(404, "not_found", "There is no such user.");
}

#[actix_web::test]
async fn a_plan_that_is_given_changed_or_withdrawn_is_a_row_of_the_ledger() {
    let app = TestApp::start().await;
    let admin = app.sign_up_with_role("admin@example.com", "admin").await;
    let member = app.sign_up("ada@example.com").await;
    let there = person(&app, &admin, member.id()).await;
    let give = async |more: Value| {
        let mut form = edit(&there);
        form.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        app.put_as(&admin, "/api/admin/user", form).await
    };
    let year = 365 * 86_400_000;
    let given = give(json!({ "planId": "yearly" })).await.result()["user"][0].clone();
    assert_eq!((&given["planId"], &given["planName"]), (&json!("yearly"), &json!("Yearly")));
    assert_eq!((&given["paidDate"], &given["endPaidDate"]), (&json!(START.millis()), &json!(START.millis() + year)));
    assert_eq!(app.get_as(&member, "/api/user/account").await.result()["user"]["isPaid"], true);
    // What the form sends back unchanged gives nothing again.
    let back = json!({ "planId": "yearly", "paidDate": given["paidDate"], "endPaidDate": given["endPaidDate"] });
    give(back).await.result();
    assert_eq!(app.count("ledger_transactions WHERE kind = 'plan_given' AND amount_cents = 0"), 1);

    let longer = give(json!({ "planId": "yearly", "endPaidDate": START.millis() + 2 * year })).await.result();
    assert_eq!(longer["user"][0]["endPaidDate"], START.millis() + 2 * year);
    let none = give(json!({ "planId": null })).await.result()["user"][0].clone();
    assert_eq!((&none["planId"], &none["endPaidDate"]), (&Value::Null, &Value::Null));
    assert_eq!(app.count("ledger_transactions WHERE kind = 'plan_withdrawn'"), 2);
    // The same plan with the same dates is given again.
    let again = give(json!({ "planId": "yearly" })).await.result()["user"][0].clone();
    assert_eq!(again["planId"], "yearly");
    give(json!({ "planId": "" })).await.result();

    let log = entries(&app, &admin, "?action=user.plan").await;
    assert_eq!(actions(&log).len(), 5);
    assert_eq!(log[4]["changes"][0], json!({ "field": "planId", "from": null, "to": "yearly" }));
    give(json!({ "planId": "gold" })).await.fails(422, "validation_failed", "Please choose one of the plans.");
    give(json!({ "planId": "gift" })).await.fails(422, "validation_failed", "Please choose one of the plans.");
    let over = give(json!({ "planId": "yearly", "endPaidDate": START.millis() - 1 })).await;
    over.fails(422, "validation_failed", "Please choose an end date in the future.");
}

#[actix_web::test]
async fn a_suspended_person_is_signed_out_and_can_not_sign_in_until_restored() {
    let app = TestApp::start().await;
    let admin = app.sign_up_with_role("admin@example.com", "admin").await;
    let member = app.sign_up("ada@example.com").await;
    let address = format!("/api/admin/user/{}", member.id());
    let missing = app.post_as(&admin, &format!("{address}/suspend"), json!({ "reason": " " })).await;
    missing.fails(422, "validation_failed", "Please specify Reason.");
    let suspended =
        app.post_as(&admin, &format!("{address}/suspend"), json!({ "reason": "Shares the account." })).await;
    let user = suspended.result()["user"].clone();
    assert_eq!(
        (&user["suspendedAt"], &user["suspendedReason"]),
        (&json!(START.millis()), &json!("Shares the account."))
    );
    assert_eq!(user["sessions"], json!([]));
    app.refused_soon(&member).await;
    let login = json!({ "username": "ada@example.com", "password": PASSWORD });
    let refused = app.post("/api/user/login", login.clone()).await;
    assert_eq!((refused.status.as_u16(), &refused.json()["code"]), (403, &json!("suspended")));
    let wrong = json!({ "username": "ada@example.com", "password": "another password" });
    assert_eq!(app.post("/api/user/login", wrong).await.json()["code"], "invalid_credentials");
    app.post_as(&admin, &format!("{address}/restore"), json!({})).await.result();
    app.post("/api/user/login", login).await.result();
    assert_eq!(actions(&entries(&app, &admin, "").await), ["user.restore", "user.suspend"]);

    let own = format!("/api/admin/user/{}", admin.id());
    let reason = json!({ "reason": "Why not?" });
    let oneself = app.post_as(&admin, &format!("{own}/suspend"), reason.clone()).await;
    oneself.fails(409, "last_admin", "You can't do this to yourself, and there must be at least one admin.");
    app.post_as(&admin, &format!("{own}/delete"), reason).await.fails(
        409,
        "last_admin",
        "You can't do this to yourself, and there must be at least one admin.",
    );
}

#[actix_web::test]
async fn what_is_dangerous_asks_for_a_fresh_proof_of_the_admin() {
    let app = TestApp::start().await;
    let admin = app.sign_up_with_role("admin@example.com", "admin").await;
    let member = app.sign_up("ada@example.com").await;
    let address = format!("/api/admin/user/{}", member.id());
    let role = json!({ "role": "editor" });
    app.env.advance(11 * 60_000);
    let stale = async |reply: crate::harness::Reply| {
        assert_eq!((reply.status.as_u16(), &reply.json()["code"]), (403, &json!("fresh_login_required")));
    };
    stale(app.put_as(&admin, &format!("{address}/role"), role.clone()).await).await;
    stale(app.post_as(&admin, &format!("{address}/second-factor/reset"), json!({})).await).await;
    stale(app.post_as(&admin, &format!("{address}/export"), json!({})).await).await;
    stale(app.post_as(&admin, &format!("{address}/delete"), json!({ "reason": "Asked." })).await).await;
    assert_eq!(actions(&entries(&app, &admin, "").await), Vec::<&str>::new());
    app.post_as(&admin, "/api/user/proof", json!({ "currentPassword": PASSWORD })).await.result();

    let editor = app.put_as(&admin, &format!("{address}/role"), role).await.result();
    assert_eq!((&editor["user"]["role"], &editor["user"]["sessions"]), (&json!("editor"), &json!([])));
    app.refused_soon(&member).await;
    let none = app.put_as(&admin, &format!("{address}/role"), json!({ "role": "boss" })).await;
    none.fails(422, "validation_failed", "Please specify Role.");
    app.put_as(&admin, &format!("/api/admin/user/{}/role", admin.id()), json!({ "role": "member" })).await.fails(
        409,
        "last_admin",
        "You can't do this to yourself, and there must be at least one admin.",
    );
    app.post_as(&admin, &format!("{address}/second-factor/reset"), json!({})).await.result();
    let archive = app.post_as(&admin, &format!("{address}/export"), json!({})).await;
    assert_eq!(
        (archive.status.as_u16(), archive.headers["content-type"].to_str().ok()),
        (200, Some("application/zip"))
    );
    let signed_in = app.log_in("ada@example.com", PASSWORD).await;
    let session = person(&app, &admin, member.id()).await["sessions"][0]["id"].clone();
    app.post_as(&admin, &format!("{address}/sessions/end"), json!({ "session": session })).await.result();
    app.refused_soon(&signed_in).await;
    // There is none left to end: nothing is recorded.
    app.post_as(&admin, &format!("{address}/sessions/end"), json!({})).await.result();
    app.post_as(&admin, &format!("{address}/delete"), json!({ "reason": "Asked for it." })).await.result();
    app.get_as(&admin, &format!("/api/admin/user/edit/{}", member.id())).await.fails(
        404,
        "not_found",
        "There is no such user.",
    );
    let log = entries(&app, &admin, "").await;
    assert_eq!(
        actions(&log),
        ["user.delete", "user.sessions_end", "user.export", "user.second_factor_reset", "user.role"]
    );
    assert_eq!(log[0]["subject"], json!({ "kind": "user", "id": member.id(), "name": null }));
}

#[actix_web::test]
async fn the_audit_log_is_searched_paged_and_only_for_admins() {
    let app = TestApp::start().await;
    let admin = app.sign_up_with_role("admin@example.com", "admin").await;
    for n in 0..3 {
        app.post("/api/contact", json!({ "name": "Ada", "email": "ada@example.com", "body": format!("Message {n}.") }))
            .await
            .result();
    }
    let messages = app.get_as(&admin, "/api/admin/messages").await.result()["messages"].clone();
    for message in messages.as_array().expect("a list") {
        let address = format!("/api/admin/messages/{}", message["id"]);
        app.put_as(&admin, &address, json!({ "done": true })).await.result();
    }
    let address = format!("/api/admin/messages/{}", messages[0]["id"]);
    app.put_as(&admin, &address, json!({ "done": false })).await.result();
    let page = app.get_as(&admin, "/api/admin/audit?limit=3").await.result();
    assert_eq!(actions(&page["entries"]), ["message.reopen", "message.done", "message.done"]);
    let rest = entries(&app, &admin, &format!("?after={}", page["next"].as_str().expect("a key"))).await;
    assert_eq!(actions(&rest), ["message.done"]);
    let of_one = format!("?subject=message&subjectId={}&action=message.done", messages[0]["id"]);
    assert_eq!(actions(&entries(&app, &admin, &of_one).await).len(), 1);
    assert_eq!(actions(&entries(&app, &admin, &format!("?actor={}&q=REOPEN", admin.id())).await), ["message.reopen"]);
    assert_eq!(actions(&entries(&app, &admin, &format!("?from={}", START.millis() + 1)).await).len(), 0);
    for (query, field) in
        [("?subject=x", "subject"), ("?actor=0", "actor"), ("?after=x", "after"), ("?limit=0", "limit")]
    {
        let reply = app.get_as(&admin, &format!("/api/admin/audit{query}")).await;
        assert_eq!((reply.status.as_u16(), &reply.json()["field"]), (422, &json!(field)), "{query}");
    }
}

#[actix_web::test]
async fn commands_of_operators_are_recorded() {
    let app = TestApp::start().await;
    let admin = app.sign_up_with_role("admin@example.com", "admin").await;
    assert!(app.operator_command("rotate-keys").await.status.success());
    let log = entries(&app, &admin, "").await;
    assert_eq!(actions(&log), ["keys.rotate"]);
    assert_eq!(log[0]["actor"], json!({ "kind": "operator", "id": null, "name": "rotate-keys" }));
}
