//! `POST /api/user/subscription-code-register`.

use actix_web::{post, web::Data};
use billing::Code;
use identity::{Registration, RegistrationForm};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    app::App,
    extract::{Body, Client},
    http::{
        error::ApiError,
        openapi::{Conflict, NotFound, TooManyTries},
        wire::Answer,
    },
    identity::{
        signed_in::{SignInExtras, SignedIn},
        types,
    },
};

/// The sign-up form with a code.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct CodeRegister {
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
    /// The code: case and dashes do not count.
    #[schema(value_type = String, required)]
    code: Option<String>,
    /// An IANA time zone; UTC when it is missing or unknown.
    timezone: Option<String>,
    /// The `chargeId` of a purchase that was made before: it becomes the new member's.
    charge_id: Option<String>,
    /// The referral link through which the person came.
    r_id: Option<String>,
}

impl CodeRegister {
    /// Parses and validates the form. Missing fields are reported before invalid ones (`identity.login-fields`).
    fn read(self) -> Result<(Registration, Code), ApiError> {
        let text = |field: &Option<String>| field.as_deref().unwrap_or_default().trim().to_owned();
        let fields = [
            ("username", text(&self.username)),
            ("code", text(&self.code)),
            ("password", text(&self.password)),
            ("firstName", text(&self.first_name)),
            ("lastName", text(&self.last_name)),
        ];
        if let Some((field, _)) = fields.iter().find(|(_, text)| text.is_empty()) {
            let text = "Please specify an email or code or password or first name or last name.";
            return Err(ApiError::invalid(*field, text));
        }
        let registration = Registration::read(RegistrationForm {
            email: self.username.as_deref().unwrap_or_default(),
            password: self.password.as_deref().unwrap_or_default(),
            first_name: self.first_name.as_deref().unwrap_or_default(),
            last_name: self.last_name.as_deref().unwrap_or_default(),
            timezone: self.timezone.as_deref(),
        })?;
        Ok((registration, Code::parse(self.code.as_deref().unwrap_or_default())?))
    }
}

/// Makes an account with a code, and signs in. An account is made only with a code that is good.
#[utoipa::path(tag = "identity", request_body = CodeRegister, responses((status = 200, description = "Signed up and in. Sets the refresh cookie.", body = Answer<types::SignedIn>), NotFound, Conflict, TooManyTries), security(()))]
#[post("/api/user/subscription-code-register")]
pub(super) async fn register_with_code(
    app: Data<App>,
    Client(client): Client,
    Body(form): Body<CodeRegister>,
) -> Result<SignedIn, ApiError> {
    let brought = SignInExtras { charge_id: form.charge_id.clone(), r_id: form.r_id.clone() };
    let (registration, code) = form.read()?;
    let started = app.passwords.sign_up_with_code(registration, code, client).await?;
    SignedIn::started_with(&app, started, brought).await
}
