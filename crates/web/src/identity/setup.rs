//! The setup page's calls (`admin.setup-page`). They are there while the site has neither content nor an admin, and change nothing
//! without the token that the server has printed.

use std::time::Duration;

use actix_web::{get, post, web::Data};
use identity::{Registration, RegistrationForm};
use kernel::Email;
use mail::Mail;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use workflows::setup::{Setup, SetupError, check_setup_token};

use crate::{
    app::App,
    extract::{Body, Client},
    http::{
        error::{ApiError, Code},
        openapi::{BadGateway, Conflict, NotFound, Routes},
        wire::{Answer, Nothing},
    },
    identity::{signed_in::SignedIn, types},
};

/// How long a person waits for the result of a test mail. Browsers give up a second later.
const MAIL_TIMEOUT: Duration = Duration::from_secs(14);

/// Registers the API routes of this module.
pub(super) fn configure(config: &mut impl Routes) {
    config.service(setup_state).service(try_mail).service(set_up);
}

/// How the setup page sends mails.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum Transport {
    /// To a mail server.
    Smtp,
    /// Into files in the data folder.
    Outbox,
}

/// What the setup page starts from.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SetupStart {
    /// The site's name so far.
    site_name: String,
    /// Whether the name is set by `SITE_NAME`, so that the page can't change it.
    site_name_fixed: bool,
    mail: Transport,
    /// The host of the mail server; null without one.
    mail_server: Option<String>,
}

/// What the setup page starts from; 404 once the site is set up, and in the demo profile.
#[utoipa::path(
    tag = "operating",
    responses((status = 200, description = "The site waits for its setup.", body = Answer<SetupStart>), NotFound),
    security(())
)]
#[get("/api/setup")]
async fn setup_state(app: Data<App>) -> Result<Answer<SetupStart>, ApiError> {
    if !app.is_setup_open().await? {
        return Err(ApiError::not_found("page"));
    }
    let host = app.mailer.transport().host();
    Ok(Answer::new(SetupStart {
        site_name: app.config.site.name.clone(),
        site_name_fixed: app.config.site.is_name_set,
        mail: if host.is_some() { Transport::Smtp } else { Transport::Outbox },
        mail_server: host.map(str::to_owned),
    }))
}

/// A test of the mail server.
#[derive(Deserialize, ToSchema)]
struct MailTest {
    /// The token that the server has printed.
    token: String,
    /// Where the mail goes.
    #[schema(max_length = 254)]
    email: String,
}

/// Sends a test mail at once.
#[utoipa::path(
    tag = "operating",
    request_body = MailTest,
    responses((status = 200, description = "The mail server has taken it, or it is in the outbox.", body = Answer<Nothing>), Conflict, BadGateway),
    security(())
)]
#[post("/api/setup/mail-test")]
async fn try_mail(app: Data<App>, Body(test): Body<MailTest>) -> Result<Answer<Nothing>, ApiError> {
    refuse_when_set_up(&app).await?;
    let email = Email::parse(&test.email).map_err(|error| ApiError::invalid("email", error.to_string()))?;
    let token = test.token;
    app.read_tx::<_, SetupError, _>(move |tx| check_setup_token(tx, &token)).await?;
    let sent = tokio::time::timeout(MAIL_TIMEOUT, app.mailer.send_now(&email, &Mail::Test, &*app.env)).await;
    let sent = sent.unwrap_or_else(|_| Err("The mail server takes too long to answer.".to_owned()));
    sent.map_err(|reason| ApiError::new(Code::MailFailed, reason))?;
    Ok(Answer::new(Nothing {}))
}

/// The first content of a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum FirstContent {
    /// Summaries of public-domain books, which a job loads within minutes.
    Demo,
    Empty,
}

/// The setup form.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SetupForm {
    /// The token that the server has printed.
    token: String,
    /// The site's name, of at most 60 characters. If it is another than `GET /api/setup` returned, the server starts again under it, which
    /// takes a second or two.
    site_name: Option<String>,
    /// The first admin's address. It counts as confirmed.
    #[schema(value_type = String, required, max_length = 254)]
    username: Option<String>,
    /// 8 to 256 characters, and none of the most common passwords.
    #[schema(value_type = String, required, min_length = 8, max_length = 256)]
    password: Option<String>,
    /// The first name.
    #[schema(value_type = String, required, min_length = 1, max_length = 100)]
    first_name: Option<String>,
    /// The last name.
    #[schema(value_type = String, required, min_length = 1, max_length = 100)]
    last_name: Option<String>,
    /// An IANA time zone; UTC when it is missing or unknown.
    timezone: Option<String>,
    content: FirstContent,
}

/// Sets the site up, and signs its first admin in. The session may use the back office; the next one needs a second factor.
#[utoipa::path(
    tag = "operating",
    request_body = SetupForm,
    responses((status = 200, description = "Set up, and signed in. Sets the refresh cookie.", body = Answer<types::SignedIn>), Conflict),
    security(())
)]
#[post("/api/setup")]
async fn set_up(app: Data<App>, Client(client): Client, Body(form): Body<SetupForm>) -> Result<SignedIn, ApiError> {
    refuse_when_set_up(&app).await?;
    let site = &app.config.site;
    let site_name = form.site_name.filter(|name| !site.is_name_set && name.trim() != site.name);
    let admin = Registration::read(RegistrationForm {
        email: form.username.as_deref().unwrap_or_default(),
        password: form.password.as_deref().unwrap_or_default(),
        first_name: form.first_name.as_deref().unwrap_or_default(),
        last_name: form.last_name.as_deref().unwrap_or_default(),
        timezone: form.timezone.as_deref(),
    });
    let admin = admin?;
    let setup = Setup { site_name, admin, loads_demo_content: form.content == FirstContent::Demo };
    let started = app.passwords.set_up_site(form.token, setup, client).await?;
    SignedIn::started(&app, &started).await
}

/// A demo is never set up, and no site twice.
async fn refuse_when_set_up(app: &App) -> Result<(), ApiError> {
    if app.is_setup_open().await? { Ok(()) } else { Err(SetupError::Closed.into()) }
}
