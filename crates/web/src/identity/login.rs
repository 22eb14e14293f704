//! Login by password, mailed link and mailed code, and logout.

use actix_web::{HttpRequest, HttpResponse, Responder, post, web::Data};
use identity::{Field, Identity, IdentityCommands, IdentityError, redirect_path};
use kernel::{Email, StoreError};
use serde::Deserialize;
use utoipa::ToSchema;
use workflows::identity::{
    recovery::{RecoveryRequest, request_recovery},
    sign_in::{sign_in_by_login_code, sign_in_by_login_link},
};

use crate::{
    app::App,
    extract::{Body, Client, bearer},
    http::{
        error::ApiError,
        openapi::TooManyTries,
        wire::{Answer, Nothing},
    },
    identity::{
        cookies, read_email,
        signed_in::{SignInExtras, SignedIn},
        types,
    },
};

/// The login form.
#[derive(Deserialize, ToSchema)]
pub(super) struct Login {
    /// The e-mail address.
    username: Option<String>,
    /// The same by another name; `username` counts when both are there.
    email: Option<String>,
    /// The password.
    #[schema(value_type = String, required)]
    password: Option<String>,
    /// The `chargeId` of a purchase that was made before: it becomes the member's.
    #[serde(rename = "chargeId")]
    charge_id: Option<String>,
}

impl Login {
    /// The e-mail address (`None` when it is invalid) and the password.
    fn read(self) -> Result<(Option<Email>, String), IdentityError> {
        let filled = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
        let address =
            filled(self.username).or(filled(self.email)).ok_or(IdentityError::LoginIncomplete(Field::Email))?;
        let password = self
            .password
            .filter(|password| !password.is_empty())
            .ok_or(IdentityError::LoginIncomplete(Field::Password))?;
        Ok((Email::parse(&address).ok(), password))
    }
}

/// Signs in. Whether the address is known can't be told from the answer, nor from the time that it takes.
#[utoipa::path(tag = "identity", request_body = Login, responses((status = 200, description = "Signed in. Sets the refresh cookie. `403` with `second_factor_required` and a `ticket` where an authenticator app was set up.", body = Answer<types::SignedIn>), TooManyTries), security(()))]
#[post("/api/user/login")]
pub(super) async fn login(
    app: Data<App>,
    Client(client): Client,
    Body(form): Body<Login>,
) -> Result<SignedIn, ApiError> {
    let brought = SignInExtras { charge_id: form.charge_id.clone(), r_id: None };
    let (email, password) = form.read()?;
    let key = app.keys().await?.refresh.clone();
    let outcome = app.passwords.log_in(key, client, email, password).await?;
    SignedIn::of_with(&app, outcome, brought, || IdentityError::InvalidCredentials.into()).await
}

/// Who wants to log in without a password.
#[derive(Deserialize, ToSchema)]
pub(super) struct LoginLink {
    /// The e-mail address.
    #[schema(value_type = String, required, max_length = 254)]
    email: Option<String>,
    /// Where to go on afterwards: a path of this site; anything else is passed over.
    redirect: Option<String>,
}

/// Mails a link and six digits to log in, if a person has the address. Whether that is so can't be told from the
/// answer, nor from the time that it takes.
#[utoipa::path(tag = "identity", request_body = LoginLink, responses((status = 200, description = "If there is an account with this address, a mail is on its way.", body = Answer<Nothing>), TooManyTries), security(()))]
#[post("/api/user/login-link")]
pub(super) async fn login_link(
    app: Data<App>,
    Client(client): Client,
    Body(form): Body<LoginLink>,
) -> Result<Answer<Nothing>, ApiError> {
    let email = read_email(form.email.as_deref())?;
    let redirect = form.redirect.as_deref().and_then(redirect_path).map(str::to_owned);
    let (keys, request) = (app.keys().await?, RecoveryRequest::LoginLink { redirect });
    app.write_tx(move |tx| request_recovery(tx, &keys.refresh, &client, &email, &request)).await?;
    Ok(Answer::new(Nothing {}))
}

/// What stands behind `#` in a mailed link.
#[derive(Deserialize, ToSchema)]
pub(super) struct MailedLink {
    /// The link's secret.
    #[schema(value_type = String, required)]
    token: Option<String>,
    /// The `chargeId` of a purchase that was made before: it becomes the member's.
    #[serde(rename = "chargeId")]
    charge_id: Option<String>,
}

/// Trades the secret of a mailed link for a session. It has a call of its own, which only the button of the link's page
/// makes: in the address of any other page the secret signs nobody in.
#[utoipa::path(tag = "identity", request_body = MailedLink, responses((status = 200, description = "Signed in. Sets the refresh cookie.", body = Answer<types::SignedIn>), TooManyTries), security(()))]
#[post("/api/user/login-link/session")]
pub(super) async fn login_link_session(
    app: Data<App>,
    Client(client): Client,
    Body(form): Body<MailedLink>,
) -> Result<SignedIn, ApiError> {
    let brought = SignInExtras { charge_id: form.charge_id, r_id: None };
    let (keys, token) = (app.keys().await?, form.token.unwrap_or_default());
    let outcome = app.write_tx(move |tx| sign_in_by_login_link(tx, &keys.refresh, &client, &token)).await?;
    SignedIn::of_with(&app, outcome, brought, || IdentityError::LinkInvalid.into()).await
}

/// The six digits of a mail.
#[derive(Deserialize, ToSchema)]
pub(super) struct LoginCode {
    /// The address to which they were mailed.
    #[schema(value_type = String, required, max_length = 254)]
    email: Option<String>,
    /// Six digits; blanks between them do not count.
    #[schema(value_type = String, required)]
    code: Option<String>,
    /// The `chargeId` of a purchase that was made before: it becomes the member's.
    #[serde(rename = "chargeId")]
    charge_id: Option<String>,
}

/// Signs in by the six digits of a mail. Five wrong ones burn them. Whether the address is known can't be told from
/// the answer, nor from the time that it takes.
#[utoipa::path(tag = "identity", request_body = LoginCode, responses((status = 200, description = "Signed in. Sets the refresh cookie.", body = Answer<types::SignedIn>), TooManyTries), security(()))]
#[post("/api/user/login-code")]
pub(super) async fn login_code(
    app: Data<App>,
    Client(client): Client,
    Body(form): Body<LoginCode>,
) -> Result<SignedIn, ApiError> {
    let email = read_email(form.email.as_deref())?;
    let brought = SignInExtras { charge_id: form.charge_id, r_id: None };
    let code: String = form.code.unwrap_or_default().split_whitespace().collect();
    let keys = app.keys().await?;
    let outcome = app.write_tx(move |tx| sign_in_by_login_code(tx, &keys.refresh, &client, (&email, &code))).await?;
    SignedIn::of_with(&app, outcome, brought, || IdentityError::CodeInvalid.into()).await
}

/// Ends the session of the token and that of the cookie, and takes the cookies away. Also fine for a person who is
/// not signed in any more.
#[utoipa::path(tag = "identity", responses((status = 200, description = "Signed out.", body = Answer<Nothing>)), security((), ("token" = [])))]
#[post("/api/user/logout")]
pub(super) async fn logout(app: Data<App>, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    let claims = match bearer(request.headers()) {
        Some(token) => app.verify_token(token).await.ok(),
        None => None,
    };
    let (secret, now) = (cookies::refresh_token(&request), app.env.now());
    app.db
        .write::<_, StoreError, _>(move |pg| {
            if let Some(claims) = claims {
                pg.end_session(claims.session, now)?;
            }
            secret.map_or(Ok(()), |secret| pg.end_session_of_secret(&secret, now))
        })
        .await?;
    let mut response = Answer::new(Nothing {}).respond_to(&request);
    cookies::set(&mut response, cookies::of_nobody(&app.config))?;
    Ok(response)
}
