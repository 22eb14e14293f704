//! `pith grant-role`: how the first admin comes to be, and what becomes of those who had another role.

use std::process::{Command, Output};

use crate::harness::{self, PASSWORD, TestApp};
use reqwest::StatusCode;

/// Runs the command as an operator does, beside the server that runs.
fn grant_role(app: &TestApp, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pith"));
    command.env_clear().arg("grant-role").args(arguments);
    command.env("DATABASE_URL", app.database.url()).env("PITH_SECRET", SECRET).env("PUBLIC_URL", &app.address);
    command.env("PITH_HOME", std::env::temp_dir()).output().expect("the command runs")
}

/// What seals the keys of another process: a role needs no key.
const SECRET: &str = "another secret than that of the server";

#[track_caller]
fn says(output: &Output, text: &str) {
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(said.trim(), text);
}

#[track_caller]
fn fails(output: &Output, text: &str) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && output.stdout.is_empty());
    assert!(said.starts_with(text), "{said}");
}

#[actix_web::test]
async fn the_first_admin_comes_from_the_operator_and_logs_in_again() {
    let app = TestApp::start().await;
    let ada = app.sign_up("Ada@example.com").await;
    let bob = app.sign_up("bob@example.com").await;
    says(&grant_role(&app, &["ada@EXAMPLE.com", "admin"]), "Ada@example.com is admin now, and has to log in again.");
    assert_eq!(app.count("users WHERE role = 'admin' AND email_key = 'ada@example.com'"), 1);
    assert_eq!(app.count("users WHERE role = 'member'"), 1);

    // Every token and every refresh token of the person is worth nothing, on a node that runs already.
    app.refused_soon(&ada).await;
    let refreshed = harness::reply(ada.client.post(format!("{}/api/user/refresh-token", app.address))).await;
    assert_eq!(refreshed.status, StatusCode::UNAUTHORIZED);
    app.get_as(&bob, "/api/user/account").await.result();
    let again = app.log_in("ada@example.com", PASSWORD).await;
    app.get_as(&again, "/api/user/account").await.result();

    // The same role again changes nothing and ends nothing; another one ends what there is.
    says(
        &grant_role(&app, &["ada@example.com", "admin"]),
        "Ada@example.com has been admin before; nothing has changed.",
    );
    app.get_as(&again, "/api/user/account").await.result();
    says(&grant_role(&app, &["ada@example.com", "member"]), "Ada@example.com is member now, and has to log in again.");
    app.refused_soon(&again).await;
    assert_eq!(app.count("users WHERE role = 'admin'"), 0);
}

#[actix_web::test]
async fn a_wrong_argument_is_named_and_changes_nothing() {
    let app = TestApp::start().await;
    let ada = app.sign_up("ada@example.com").await;
    fails(
        &grant_role(&app, &["ada@example.com", "root"]),
        "error: invalid value 'root' for '<ROLE>': a role is one of member, editor, admin",
    );
    fails(
        &grant_role(&app, &["ada", "admin"]),
        "error: invalid value 'ada' for '<EMAIL>': 'ada' is not an email address",
    );
    fails(&grant_role(&app, &["grace@example.com", "admin"]), "pith: nobody has signed up with grace@example.com");
    fails(
        &grant_role(&app, &["ada@example.com"]),
        "error: the following required arguments were not provided:\n  <ROLE>",
    );
    assert_eq!(app.count("users WHERE role <> 'member'"), 0);
    app.get_as(&ada, "/api/user/account").await.result();
}
