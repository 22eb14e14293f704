//! `POST /api/user/register`.

use actix_web::{post, web::Data};
use identity::{IdentityError, Registration, RegistrationForm};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    app::App,
    extract::{Body, Client},
    http::{
        error::ApiError,
        openapi::{Conflict, TooManyTries},
        wire::Answer,
    },
    identity::{
        signed_in::{SignInExtras, SignedIn},
        types,
    },
};

/// The sign-up form.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Register {
    /// The e-mail address.
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
    /// The `chargeId` of a purchase that was made before: it becomes the new member's.
    charge_id: Option<String>,
    /// The referral link through which the person came.
    r_id: Option<String>,
}

impl TryFrom<Register> for Registration {
    type Error = IdentityError;

    fn try_from(form: Register) -> Result<Self, IdentityError> {
        Self::read(RegistrationForm {
            email: form.username.as_deref().unwrap_or_default(),
            password: form.password.as_deref().unwrap_or_default(),
            first_name: form.first_name.as_deref().unwrap_or_default(),
            last_name: form.last_name.as_deref().unwrap_or_default(),
            timezone: form.timezone.as_deref(),
        })
    }
}

/// Makes an account and signs in.
#[utoipa::path(tag = "identity", request_body = Register, responses((status = 200, description = "Signed up and in. Sets the refresh cookie.", body = Answer<types::SignedIn>), Conflict, TooManyTries), security(()))]
#[post("/api/user/register")]
pub(super) async fn register(
    app: Data<App>,
    Client(client): Client,
    Body(form): Body<Register>,
) -> Result<SignedIn, ApiError> {
    let brought = SignInExtras { charge_id: form.charge_id.clone(), r_id: form.r_id.clone() };
    let started = app.passwords.sign_up(Registration::try_from(form)?, client).await?;
    SignedIn::started_with(&app, started, brought).await
}
