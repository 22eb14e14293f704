//! Signing in with providers, against a double that can be told to lie: who comes in, who is refused, and what each
//! broken promise of a provider comes to. The same against a real provider, in a browser: `frontend/e2e`.

use std::collections::HashMap;

use crate::harness::{self, Person, Reply, TestApp, client_builder, reply};
use mail::Mail;
use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};
use testing::{
    EcKey,
    openid::{CLIENT_ID, CLIENT_SECRET, Lie, OpenIdDouble},
};
use totp_rs::TOTP;
use url::Url;

const OVER: &str = "This login took too long or was already used. Please try again.";
const UNTRUSTED: &str = "Google's response could not be verified. Please try again or use your password.";
const DOWN: &str = "We could not reach Google. Please try again in a moment.";
const GOOGLE: &str = "/api/google/login/oauth";

/// A server behind which the double stands by the name of Google.
async fn with_google(double: &OpenIdDouble, more: &[(&str, &str)]) -> TestApp {
    let google = [
        ("OAUTH_GOOGLE_ISSUER", double.issuer.as_str()),
        ("OAUTH_GOOGLE_CLIENT_ID", CLIENT_ID),
        ("OAUTH_GOOGLE_CLIENT_SECRET", CLIENT_SECRET),
    ];
    TestApp::start_with(&[&google, more].concat()).await
}

/// A browser with cookies of its own, and a token when a person is signed in on it.
struct Browser<'a> {
    app: &'a TestApp,
    client: Client,
    token: Option<String>,
}

impl<'a> Browser<'a> {
    fn new(app: &'a TestApp) -> Self {
        let client = client_builder().cookie_store(true).build().expect("a client");
        Self { app, client, token: None }
    }

    fn of(app: &'a TestApp, person: &Person) -> Self {
        Self { app, client: person.client.clone(), token: Some(person.token.clone()) }
    }

    async fn get(&self, path: &str) -> Reply {
        let request = self.client.get(format!("{}{path}", self.app.address));
        reply(match &self.token {
            Some(token) => request.bearer_auth(token),
            None => request,
        })
        .await
    }

    /// Sets out; gives the address to which the browser is sent.
    async fn start(&self, path: &str) -> Url {
        let url = self.get(path).await.result()["url"].as_str().expect("an address").to_owned();
        url.parse().expect("an address")
    }

    /// Comes back with what the provider puts into the address.
    async fn back(&self, path: &str, query: &[(&str, &str)]) -> Reply {
        let query = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(query).finish();
        self.get(&format!("{path}/callback?{query}")).await
    }

    /// There, consent, and back.
    async fn go(&self, double: &OpenIdDouble, path: &str, origin: &str, claims: Value) -> Reply {
        let address = self.start(&format!("{path}?origin={origin}")).await;
        let code = double.consent(&address, claims, seconds(self.app));
        self.back(path, &[("code", &code), ("state", &state_of(&address))]).await
    }

    /// Trades the token of a callback for a session.
    async fn trade(&self, back: &Reply) -> Reply {
        let token = back.result()["token"].as_str().expect("a token").to_owned();
        reply(self.client.get(format!("{}/api/user/session", self.app.address)).bearer_auth(token)).await
    }
}

fn seconds(app: &TestApp) -> i64 {
    kernel::Env::now(&*app.env).millis() / 1000
}

fn state_of(address: &Url) -> String {
    param(address, "state")
}

fn param(address: &Url, name: &str) -> String {
    let query: HashMap<String, String> = address.query_pairs().into_owned().collect();
    query.get(name).cloned().unwrap_or_else(|| panic!("no {name} in {address}"))
}

fn ada() -> Value {
    json!({ "sub": "ada", "email": "ada@example.com", "email_verified": true, "given_name": "Ada", "family_name": "Lovelace" })
}

fn unverified() -> Value {
    json!({ "sub": "ada", "email": "ada@example.com", "email_verified": false, "name": "Ada Lovelace" })
}

#[actix_web::test]
async fn consent_leads_to_an_account_and_the_next_time_to_the_same() {
    let double = OpenIdDouble::start();
    let app = with_google(&double, &[]).await;
    let browser = Browser::new(&app);
    let address = browser.start(&format!("{GOOGLE}?origin=login&redirect=%2Fbooks&timezone=Europe%2FLondon")).await;
    assert_eq!(address.as_str().split('?').next(), Some(&*format!("{}/authorize", double.issuer)));
    assert_eq!(param(&address, "redirect_uri"), format!("{}/login?type=google", app.address));
    assert_eq!(param(&address, "scope"), "openid email profile");
    assert_eq!(param(&address, "code_challenge_method"), "S256");
    let code = double.consent(&address, ada(), seconds(&app));
    let back = browser.back(GOOGLE, &[("code", &code), ("state", &state_of(&address))]).await;
    assert_eq!(back.result()["redirect"], "/books");
    let signed_in = browser.trade(&back).await.result();
    let user = &signed_in["user"];
    assert_eq!(
        (&user["email"], &user["firstName"], &user["lastName"]),
        (&json!("ada@example.com"), &json!("Ada"), &json!("Lovelace"))
    );
    assert_eq!(
        (&user["timezone"], &user["emailConfirmed"], &user["hasPassword"]),
        (&json!("Europe/London"), &json!(true), &json!(false))
    );
    // The token was good once.
    assert!(browser.trade(&back).await.status.is_client_error());

    let again = Browser::new(&app);
    let back = again.go(&double, GOOGLE, "signup", ada()).await;
    assert_eq!(again.trade(&back).await.result()["user"]["id"], user["id"]);
    assert_eq!((app.count("users"), app.count("provider_identities")), (1, 1));
    // Nobody was asked twice for what does not change.
    assert_eq!((double.asked_for("/.well-known/openid-configuration"), double.asked_for("/keys")), (1, 1));
}

#[actix_web::test]
async fn the_token_is_good_in_the_browser_that_began_only() {
    let double = OpenIdDouble::start();
    let app = with_google(&double, &[]).await;
    let browser = Browser::new(&app);
    let back = browser.go(&double, GOOGLE, "login", ada()).await;
    assert!(Browser::new(&app).trade(&back).await.status.is_client_error());
}

#[actix_web::test]
async fn a_lying_provider_lets_nobody_in() {
    let double = OpenIdDouble::start();
    let app = with_google(&double, &[]).await;
    for lie in [
        Lie::WrongIssuer,
        Lie::WrongAudience,
        Lie::TwoAudiences,
        Lie::WrongNonce,
        Lie::NoNonce,
        Lie::Expired,
        Lie::UnpublishedKey,
        Lie::WrongSignature,
        Lie::Altered,
        Lie::NoAlgorithm,
        Lie::SharedSecret,
        Lie::NoIdToken,
        Lie::OtherPerson,
        Lie::Nobody,
    ] {
        double.lie(lie);
        let answer = Browser::new(&app).go(&double, GOOGLE, "login", ada()).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{lie:?}: {}", answer.text);
        answer.fails(400, "provider_refused", UNTRUSTED);
    }
    assert_eq!(app.count("users"), 0);
    // An address that only the second answer tells is fine.
    double.lie(Lie::EmailElsewhere);
    Browser::new(&app).go(&double, GOOGLE, "login", ada()).await.result();
    assert_eq!(app.count("users"), 1);
}

#[actix_web::test]
async fn a_provider_that_is_down_is_said_to_be_and_can_be_tried_again() {
    let double = OpenIdDouble::start();
    let app = with_google(&double, &[]).await;
    let browser = Browser::new(&app);
    for lie in [Lie::Down, Lie::Failing, Lie::Nonsense, Lie::Endless, Lie::Redirect, Lie::OtherIssuerPublished] {
        double.lie(lie);
        browser.get(GOOGLE).await.fails(502, "provider_down", DOWN);
        app.env.advance(2_000);
    }
    double.lie(Lie::None);
    browser.start(GOOGLE).await;
    for lie in [Lie::Down, Lie::Failing, Lie::Nonsense, Lie::Endless, Lie::Redirect] {
        double.lie(lie);
        browser.go(&double, GOOGLE, "login", ada()).await.fails(502, "provider_down", DOWN);
    }
    assert_eq!(double.asked_for("/elsewhere"), 0);
    double.lie(Lie::None);
    browser.go(&double, GOOGLE, "login", ada()).await.result();
}

#[actix_web::test]
async fn a_flow_is_ended_once_in_its_time_by_its_browser() {
    let double = OpenIdDouble::start();
    let facebook = [
        ("OAUTH_FACEBOOK_ISSUER", double.issuer.as_str()),
        ("OAUTH_FACEBOOK_CLIENT_ID", CLIENT_ID),
        ("OAUTH_FACEBOOK_CLIENT_SECRET", CLIENT_SECRET),
    ];
    let app = with_google(&double, &facebook).await;
    let browser = Browser::new(&app);
    let refused = |answer: Reply| answer.fails(400, "provider_refused", OVER);

    let address = browser.start(GOOGLE).await;
    let state = state_of(&address);
    let code = double.consent(&address, ada(), seconds(&app));
    browser.back(GOOGLE, &[("code", &code), ("state", &state)]).await.result();
    let second = double.consent(&address, ada(), seconds(&app));
    refused(browser.back(GOOGLE, &[("code", &second), ("state", &state)]).await);

    // Another browser, to which a person sent the address.
    let address = browser.start(GOOGLE).await;
    let code = double.consent(&address, ada(), seconds(&app));
    refused(Browser::new(&app).back(GOOGLE, &[("code", &code), ("state", &state_of(&address))]).await);

    // Another provider's way back.
    let address = browser.start(GOOGLE).await;
    let code = double.consent(&address, ada(), seconds(&app));
    refused(browser.back("/api/facebook/oauth", &[("code", &code), ("state", &state_of(&address))]).await);

    // Sent back by another person than it was sent to.
    let address = browser.start(GOOGLE).await;
    let code = double.consent(&address, ada(), seconds(&app));
    let query = [("code", &*code), ("state", &*state_of(&address)), ("iss", "https://elsewhere.example")];
    refused(browser.back(GOOGLE, &query).await);

    // A code that the provider has forgotten, or that it never gave.
    for code in ["forgotten", "invented"] {
        let address = browser.start(GOOGLE).await;
        let given = double.consent(&address, ada(), seconds(&app));
        double.forget(&given);
        let code = if code == "forgotten" { &*given } else { code };
        refused(browser.back(GOOGLE, &[("code", code), ("state", &state_of(&address))]).await);
    }

    let address = browser.start(GOOGLE).await;
    app.env.advance(600_000);
    let code = double.consent(&address, ada(), seconds(&app));
    refused(browser.back(GOOGLE, &[("code", &code), ("state", &state_of(&address))]).await);
    refused(browser.back(GOOGLE, &[("code", "code"), ("state", "no state")]).await);
    refused(browser.back(GOOGLE, &[("code", "code")]).await);
    let address = browser.start(GOOGLE).await;
    refused(browser.back(GOOGLE, &[("state", &state_of(&address))]).await);
    assert_eq!(app.count("users"), 1);
}

#[actix_web::test]
async fn two_tabs_of_a_browser_do_not_disturb_each_other() {
    let double = OpenIdDouble::start();
    let app = with_google(&double, &[]).await;
    let browser = Browser::new(&app);
    let (one, other) = (browser.start(GOOGLE).await, browser.start(GOOGLE).await);
    for address in [one, other] {
        let code = double.consent(&address, ada(), seconds(&app));
        browser.back(GOOGLE, &[("code", &code), ("state", &state_of(&address))]).await.result();
    }
}

#[actix_web::test]
async fn a_person_who_declines_at_the_provider_is_told_what_to_do() {
    let double = OpenIdDouble::start();
    let app = with_google(&double, &[]).await;
    let browser = Browser::new(&app);
    let address = browser.start(GOOGLE).await;
    let answer = browser.back(GOOGLE, &[("error", "access_denied"), ("state", &state_of(&address))]).await;
    answer.fails(400, "provider_refused", "You did not approve the login. Please try again or use your password.");
}

#[actix_web::test]
async fn only_a_verified_address_joins_an_account() {
    let double = OpenIdDouble::start();
    let app = with_google(&double, &[]).await;
    let member = app.sign_up("ada@example.com").await;
    app.sql("UPDATE users SET email_confirmed_at = now()");
    Browser::new(&app).go(&double, GOOGLE, "login", unverified()).await.fails(
        409,
        "connect_first",
        "There is already an account with this address: log in with your password first, then connect it in your account.",
    );
    let silent = json!({ "sub": "ada", "email": "ada@example.com" });
    Browser::new(&app).go(&double, GOOGLE, "login", silent).await.fails(
        409,
        "connect_first",
        "There is already an account with this address: log in with your password first, then connect it in your account.",
    );
    assert_eq!(app.count("provider_identities"), 0);
    let browser = Browser::new(&app);
    let back = browser.go(&double, GOOGLE, "login", ada()).await;
    assert_eq!(browser.trade(&back).await.result()["user"]["id"], member.id());
    // The password is good still, and so is the device.
    app.get_as(&member, "/api/user/account").await.result();
    app.log_in("ada@example.com", harness::PASSWORD).await;
}

#[actix_web::test]
async fn an_account_made_with_a_strangers_address_is_taken_over_by_its_owner() {
    let double = OpenIdDouble::start();
    let app = with_google(&double, &[]).await;
    let squatter = app.sign_up("ada@example.com").await;
    let browser = Browser::new(&app);
    let back = browser.go(&double, GOOGLE, "login", ada()).await;
    let told = |mail| if let Mail::SecondFactorChanged { what, .. } = mail { Some(what) } else { None };
    let told: Vec<String> = app.mails_to("ada@example.com").into_iter().filter_map(told).collect();
    assert!(matches!(&*told, [what] if what.contains("log in were removed: the password.")), "{told:?}");
    let user = browser.trade(&back).await.result()["user"].clone();
    assert_eq!((&user["emailConfirmed"], &user["hasPassword"]), (&json!(true), &json!(false)));
    assert_eq!(app.get_as(&squatter, "/api/user/account").await.status, StatusCode::UNAUTHORIZED);
    let password = json!({ "username": "ada@example.com", "password": harness::PASSWORD });
    assert_eq!(app.post("/api/user/login", password).await.status, StatusCode::BAD_REQUEST);
}

#[actix_web::test]
async fn an_address_that_nobody_vouches_for_is_to_be_confirmed() {
    let double = OpenIdDouble::start();
    let app = with_google(&double, &[]).await;
    let browser = Browser::new(&app);
    let back = browser.go(&double, GOOGLE, "signup", unverified()).await;
    let user = browser.trade(&back).await.result()["user"].clone();
    assert_eq!(
        (&user["emailConfirmed"], &user["firstName"], &user["lastName"]),
        (&json!(false), &json!("Ada"), &json!("Lovelace"))
    );
    let mails = app.mails();
    let [(to, Mail::ConfirmEmail { first_name, link }), ..] = &*mails else { panic!("{mails:?}") };
    assert_eq!((to.as_str(), first_name.as_str()), ("ada@example.com", "Ada"));
    let code = link.split_once('#').expect("a code after the address").1;
    app.post("/api/user/confirm-email", json!({ "code": code })).await.result();
    assert_eq!(app.count("users WHERE email_confirmed_at IS NOT NULL"), 1);

    let nameless = json!({ "sub": "eve" });
    Browser::new(&app).go(&double, GOOGLE, "signup", nameless).await.fails(
        400,
        "provider_refused",
        "Google did not share your email address with us. Please allow it, or sign up with a password.",
    );
}

#[actix_web::test]
async fn new_accounts_count_as_sign_ups() {
    let double = OpenIdDouble::start();
    let limits =
        [("RATE_LIMIT_SIGNUP", "1/3600"), ("RATE_LIMIT_SIGNUP_NETWORK", "3/86400"), ("RATE_LIMIT_PROVIDER", "12/60")];
    let app = with_google(&double, &limits).await;
    let browser = Browser::new(&app);
    let person = |name: &str, verified: bool| json!({ "sub": name, "email": format!("{name}@example.com"), "email_verified": verified });
    browser.go(&double, GOOGLE, "login", ada()).await.result();
    // An address that nobody vouches for counts until it is confirmed; a verified one among all of the network's only.
    browser.go(&double, GOOGLE, "login", person("bob", false)).await.result();
    for (name, verified, admitted) in [("eve", false, false), ("grace", true, true), ("mary", true, false)] {
        let reply = browser.go(&double, GOOGLE, "login", person(name, verified)).await;
        assert_eq!(reply.status != StatusCode::TOO_MANY_REQUESTS, admitted, "{name}: {}", reply.text);
    }
    assert_eq!((app.count("users"), app.count("provider_identities")), (3, 3));
    // Members can log in; these calls have a limit of their own.
    browser.go(&double, GOOGLE, "login", ada()).await.result();
    let refused = browser.get(GOOGLE).await;
    assert_eq!((refused.status.as_u16(), refused.headers.contains_key("retry-after")), (429, true));
}

#[actix_web::test]
async fn a_redirect_leads_to_a_path_of_this_site_or_nowhere() {
    let double = OpenIdDouble::start();
    let app = with_google(&double, &[]).await;
    for redirect in ["//evil.example", "https://evil.example", "/\\evil.example", "home"] {
        let browser = Browser::new(&app);
        let query = url::form_urlencoded::Serializer::new(String::new()).append_pair("redirect", redirect).finish();
        let address = browser.start(&format!("{GOOGLE}?{query}")).await;
        let code = double.consent(&address, ada(), seconds(&app));
        let back = browser.back(GOOGLE, &[("code", &code), ("state", &state_of(&address))]).await;
        assert_eq!(back.result()["redirect"], Value::Null, "{redirect}");
    }
}

#[actix_web::test]
async fn a_provider_may_change_its_keys() {
    let double = OpenIdDouble::start();
    let app = with_google(&double, &[]).await;
    let browser = Browser::new(&app);
    browser.go(&double, GOOGLE, "login", ada()).await.result();
    double.rotate_key();
    // Strangers' tokens can't make us ask all the time.
    browser.go(&double, GOOGLE, "login", ada()).await.fails(400, "provider_refused", UNTRUSTED);
    assert_eq!(double.asked_for("/keys"), 1);
    app.env.advance(61_000);
    browser.go(&double, GOOGLE, "login", ada()).await.result();
    assert_eq!(double.asked_for("/keys"), 2);
    // What was published goes on being used while the provider can't say it again.
    app.env.advance(3_601_000);
    double.lie(Lie::Failing);
    browser.start(GOOGLE).await;
    app.env.advance(24 * 3_600_000);
    browser.get(GOOGLE).await.fails(502, "provider_down", DOWN);
}

#[actix_web::test]
async fn a_member_connects_and_disconnects() {
    let double = OpenIdDouble::start();
    let app = with_google(&double, &[]).await;
    let member = app.sign_up("member@example.com").await;
    let other = app.sign_up("other@example.com").await;
    let browser = Browser::of(&app, &member);

    // A visitor has nothing to connect with.
    let start = format!("{GOOGLE}?origin=account");
    Browser::new(&app).get(&start).await.fails(401, "unauthenticated", "Please log in.");
    // Nor may another person end what a member began, not even in the same browser.
    let address = browser.start(&start).await;
    let code = double.consent(&address, ada(), seconds(&app));
    let same_browser = Browser { token: Some(other.token.clone()), client: browser.client.clone(), app: &app };
    let query = [("code", &*code), ("state", &*state_of(&address))];
    same_browser.back(GOOGLE, &query).await.fails(400, "provider_refused", OVER);

    let connected = browser.go(&double, GOOGLE, "account", ada()).await.result();
    assert_eq!(connected["token"], Value::Null);
    assert_eq!(app.count(&format!("provider_identities WHERE user_id = {}", member.id())), 1);
    // It lets the member in, whatever the address there.
    let elsewhere = Browser::new(&app);
    let back = elsewhere.go(&double, GOOGLE, "login", ada()).await;
    assert_eq!(elsewhere.trade(&back).await.result()["user"]["id"], member.id());
    // It is nobody else's.
    Browser::of(&app, &other).go(&double, GOOGLE, "account", ada()).await.fails(
        409,
        "already_there",
        "This Google account is connected to another account here.",
    );
    let another = json!({ "sub": "bob", "email": "bob@example.com", "email_verified": true });
    browser.go(&double, GOOGLE, "account", another).await.fails(
        409,
        "already_there",
        "Another Google account is already connected. Please disconnect it in your account first.",
    );
    for _ in 0..2 {
        app.delete_as(&member, "/api/user/providers/google").await.result();
    }
    assert_eq!(app.count("provider_identities"), 0);
    assert_eq!(app.delete_as(&member, "/api/user/providers/myspace").await.status, StatusCode::NOT_FOUND);
    let told: Vec<String> = app
        .mails()
        .into_iter()
        .filter_map(|(to, mail)| match mail {
            Mail::SecondFactorChanged { what, .. } if to == "member@example.com" => Some(what),
            _ => None,
        })
        .collect();
    assert_eq!(told, ["Your Google account was connected.", "Your Google account was disconnected."]);
}

#[actix_web::test]
async fn an_old_session_adds_no_way_in() {
    const AGAIN: &str = "Please confirm that it is you with your password, a code we email you or a passkey.";
    let double = OpenIdDouble::start();
    let app = with_google(&double, &[]).await;
    let member = app.sign_up("member@example.com").await;
    app.sql("UPDATE users SET password_hash = NULL");
    app.env.advance(16 * kernel::MINUTE);
    let mine = json!({ "password1": "the thief's own", "password2": "the thief's own" });
    for (path, body) in
        [("/api/user/password", mine.clone()), ("/api/user/email", json!({ "email": "thief@example.com" }))]
    {
        app.put_as(&member, path, body).await.fails(403, "fresh_login_required", AGAIN);
    }
    let browser = Browser::of(&app, &member);
    let start = format!("{GOOGLE}?origin=account");
    browser.get(&start).await.fails(403, "fresh_login_required", AGAIN);
    assert_eq!(
        app.count("users WHERE password_hash IS NOT NULL")
            + app.count("single_use_secrets WHERE purpose = 'change_email'"),
        0
    );
    // A new sign-in may.
    app.sql("UPDATE sessions SET created_at = created_at + interval '16 minutes'");
    browser.start(&start).await;
    app.put_as(&member, "/api/user/password", mine).await.result();
}

#[actix_web::test]
async fn a_provider_does_not_stand_for_the_second_factor() {
    let double = OpenIdDouble::start();
    let app = with_google(&double, &[]).await;
    let member = app.sign_up("ada@example.com").await;
    app.confirm(&member);
    let setup = app.post_as(&member, "/api/user/totp", json!({})).await.result();
    let phone = TOTP::from_url(setup["url"].as_str().expect("an address")).expect("of an authenticator app");
    let code = phone.generate(seconds(&app).unsigned_abs());
    let codes = app.put_as(&member, "/api/user/totp", json!({ "code": code })).await.result();

    let browser = Browser::new(&app);
    let back = browser.go(&double, GOOGLE, "login", ada()).await;
    let asked = browser.trade(&back).await;
    asked.fails(403, "second_factor_required", "Please enter the code from your authenticator app.");
    assert!(asked.headers.get("set-cookie").is_none());
    let ticket = asked.json()["ticket"].as_str().expect("a ticket").to_owned();
    let second = json!({ "ticket": ticket, "code": codes["recoveryCodes"][0] });
    let signed_in = app.post("/api/user/second-factor", second).await.result();
    assert_eq!(signed_in["user"]["id"], member.id());
}

#[actix_web::test]
async fn the_last_way_in_is_kept() {
    let double = OpenIdDouble::start();
    let app = with_google(&double, &[]).await;
    let browser = Browser::new(&app);
    let back = browser.go(&double, GOOGLE, "login", ada()).await;
    let token = browser.trade(&back).await.result()["token"].as_str().expect("a token").to_owned();
    let request = app.request(Method::DELETE, "/api/user/providers/google").bearer_auth(token);
    reply(request).await.fails(409, "last_way_in", "Google is your only way to log in. Please set a password first.");
    assert_eq!(app.count("provider_identities"), 1);
}

#[actix_web::test]
async fn secrets_of_a_flow_are_not_in_the_database() {
    let double = OpenIdDouble::start();
    let app = with_google(&double, &[]).await;
    let address = Browser::new(&app).start(GOOGLE).await;
    let (nonce, state) = (param(&address, "nonce"), state_of(&address));
    assert_eq!(app.count("single_use_secrets WHERE purpose = 'provider_flow' AND data IS NOT NULL"), 1);
    let hex = hex::encode(&nonce);
    for text in [nonce.as_str(), &hex, &state] {
        assert_eq!(app.count(&format!("single_use_secrets WHERE single_use_secrets::text LIKE '%{text}%'")), 0);
    }
}

/// Facebook, which is not OpenID's: the double's address of who a token is of stands for its graph.
async fn with_facebook(double: &OpenIdDouble, trust: &str) -> TestApp {
    let address = |path: &str| format!("{}{path}", double.issuer);
    TestApp::start_with(&[
        ("OAUTH_FACEBOOK_CLIENT_ID", CLIENT_ID),
        ("OAUTH_FACEBOOK_CLIENT_SECRET", CLIENT_SECRET),
        ("OAUTH_FACEBOOK_AUTH_URL", &address("/authorize")),
        ("OAUTH_FACEBOOK_TOKEN_URL", &address("/token")),
        ("OAUTH_FACEBOOK_USERINFO_URL", &address("/userinfo")),
        ("OAUTH_FACEBOOK_TRUST_EMAIL", trust),
    ])
    .await
}

#[actix_web::test]
async fn facebook_vouches_for_an_address_only_if_the_operator_says_so() {
    const FACEBOOK: &str = "/api/facebook/oauth";
    let double = OpenIdDouble::start();
    double.lie(Lie::NoIdToken);
    let claims = json!({ "id": "7", "email": "ada@example.com", "first_name": "Ada", "last_name": "Lovelace" });
    for trust in ["off", "on"] {
        let app = with_facebook(&double, trust).await;
        let browser = Browser::new(&app);
        assert_eq!(param(&browser.start(FACEBOOK).await, "scope"), "email public_profile");
        let back = browser.go(&double, FACEBOOK, "login", claims.clone()).await;
        assert_eq!(browser.trade(&back).await.result()["user"]["emailConfirmed"], trust == "on");

        app.sign_up("bob@example.com").await;
        let bob = json!({ "id": "8", "email": "bob@example.com", "name": "Bob" });
        let answer = Browser::new(&app).go(&double, FACEBOOK, "login", bob).await;
        assert_eq!(answer.status.as_u16(), if trust == "on" { 200 } else { 409 }, "{}", answer.text);
    }
}

/// Apple, with a key instead of a secret.
async fn with_apple(double: &OpenIdDouble) -> TestApp {
    TestApp::start_with(&[
        ("OAUTH_APPLE_ISSUER", double.issuer.as_str()),
        ("OAUTH_APPLE_CLIENT_ID", CLIENT_ID),
        ("OAUTH_APPLE_TEAM_ID", "TEAM"),
        ("OAUTH_APPLE_KEY_ID", "KEY"),
        ("OAUTH_APPLE_PRIVATE_KEY", &EcKey::new([9; 32]).private_pem()),
    ])
    .await
}

const APPLE: &str = "/api/apple/oauth";

/// Apple's page posts its form: from another site, and so without cookies. Gives where the browser is led.
async fn post_form(app: &TestApp, fields: &[(&str, &str)]) -> Url {
    let client = client_builder().build().expect("a client");
    let request = client
        .post(format!("{}{APPLE}/callback", app.address))
        .header("origin", "https://appleid.apple.com")
        .header("sec-fetch-site", "cross-site")
        .form(fields);
    let answer = reply(request).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text);
    let location = answer.headers["location"].to_str().expect("an address").to_owned();
    assert!(location.starts_with("/login?type=apple&"), "{location}");
    Url::parse(&app.address).and_then(|base| base.join(&location)).expect("an address")
}

#[actix_web::test]
async fn apple_posts_its_form_and_tells_the_name_once() {
    let double = OpenIdDouble::start();
    let app = with_apple(&double).await;
    let browser = Browser::new(&app);
    let claims = json!({ "sub": "apple-1", "email": "ada@example.com", "email_verified": "true" });
    let address = browser.start(&format!("{APPLE}?origin=login&redirect=%2Fbooks")).await;
    assert_eq!(param(&address, "response_mode"), "form_post");
    assert_eq!(param(&address, "scope"), "openid name email");
    assert_eq!(param(&address, "redirect_uri"), format!("{}{APPLE}/callback", app.address));
    let code = double.consent(&address, claims.clone(), seconds(&app));
    let user = r#"{"name":{"firstName":"Ada","lastName":"Lovelace"},"email":"ada@example.com"}"#;
    let state = state_of(&address);
    let landed = post_form(&app, &[("code", &code), ("state", &state), ("user", user)]).await;
    assert_eq!(param(&landed, "redirect"), "/books");
    let session = |browser: &Browser<'_>, landed: &Url| {
        let token = param(landed, "token");
        reply(browser.client.get(format!("{}/api/user/session", app.address)).bearer_auth(token))
    };
    let signed_in = session(&browser, &landed).await.result();
    assert_eq!((&signed_in["user"]["firstName"], &signed_in["user"]["lastName"]), (&json!("Ada"), &json!("Lovelace")));
    assert_eq!(signed_in["user"]["emailConfirmed"], true);
    // The secret was signed for this request.
    let secret = double.secrets().pop().expect("a secret came");
    assert_eq!(secret.split('.').count(), 3, "a signed token");

    // The state is used up.
    let replayed = post_form(&app, &[("code", &code), ("state", &state)]).await;
    assert_eq!(param(&replayed, "error"), OVER);
    // The next time no name is told, and none is forgotten; a stranger's browser gets nothing out of the token.
    let address = browser.start(APPLE).await;
    let code = double.consent(&address, claims, seconds(&app));
    let landed = post_form(&app, &[("code", &code), ("state", &state_of(&address))]).await;
    assert!(session(&Browser::new(&app), &landed).await.status.is_client_error());
}

#[actix_web::test]
async fn apples_refusals_are_read_on_the_login_page() {
    let double = OpenIdDouble::start();
    let app = with_apple(&double).await;
    let browser = Browser::new(&app);
    let address = browser.start(APPLE).await;
    let landed = post_form(&app, &[("error", "user_cancelled_authorize"), ("state", &state_of(&address))]).await;
    assert_eq!(param(&landed, "error"), "You did not approve the login. Please try again or use your password.");
    let address = browser.start(APPLE).await;
    let code = double.consent(&address, ada(), seconds(&app));
    double.lie(Lie::Down);
    let landed = post_form(&app, &[("code", &code), ("state", &state_of(&address))]).await;
    assert_eq!(param(&landed, "error"), "We could not reach Apple. Please try again in a moment.");
    assert_eq!(param(&post_form(&app, &[]).await, "error"), OVER);
    // Nothing else takes another site's form.
    for path in ["/api/user/login", "/api/user/logout", "/api/apple/oauth/callback/more"] {
        let request = app.request(Method::POST, path).header("sec-fetch-site", "cross-site").form(&[("a", "b")]);
        assert_eq!(reply(request).await.status, StatusCode::FORBIDDEN, "{path}");
    }
}

#[actix_web::test]
async fn apple_is_connected_by_the_members_own_browser() {
    let double = OpenIdDouble::start();
    let app = with_apple(&double).await;
    let member = app.sign_up("member@example.com").await;
    let browser = Browser::of(&app, &member);
    for own in [false, true] {
        let address = browser.start(&format!("{APPLE}?origin=account")).await;
        let code = double.consent(&address, ada(), seconds(&app));
        let landed = post_form(&app, &[("code", &code), ("state", &state_of(&address))]).await;
        assert_eq!(app.count("provider_identities"), 0);
        let query = [("code", &*param(&landed, "code")), ("state", &*param(&landed, "state"))];
        if own {
            assert_eq!(browser.back(APPLE, &query).await.result()["token"], Value::Null);
        } else {
            let stranger = app.sign_up("stranger@example.com").await;
            Browser::of(&app, &stranger).back(APPLE, &query).await.fails(400, "provider_refused", OVER);
        }
    }
    assert_eq!(app.count(&format!("provider_identities WHERE user_id = {}", member.id())), 1);
}

#[actix_web::test]
async fn pages_know_the_configured_providers_only() {
    let double = OpenIdDouble::start();
    let app = with_google(&double, &[]).await;
    let page = app.get("/login").await.text;
    assert!(page.contains(r#""providers":["google"]"#), "{page}");
    assert!(page.contains(&format!(r#""providerOrigins":["{}"]"#, double.issuer)));
    app.get("/api/facebook/oauth").await.fails(404, "not_found", "There is no such login provider.");
    assert!(!page.contains(CLIENT_SECRET));
}
