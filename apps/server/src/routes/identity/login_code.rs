//! `POST /api/user/login-code`.

use actix_web::{post, web::Data};
use identity::{IdentityError, Recovery};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{forgot_password::read_email, signed_in::SignedIn};
use crate::{
    app::App,
    error::ApiError,
    extract::{Body, Doorway},
    flows::{
        sign_in::{self, Arrival},
        tries::{TryLimits, admit},
    },
    wire::{Answer, Failures, user},
};

/// The six digits of a mail.
#[derive(Deserialize, ToSchema)]
pub(super) struct LoginCode {
    /// The address to which they were mailed.
    #[schema(value_type = String, required, max_length = 254)]
    email: Option<String>,
    /// Six digits; blanks between them do not count.
    #[schema(value_type = String, required)]
    code: Option<String>,
}

/// Signs in by the six digits of a mail. Five wrong ones burn them. Whether the address is known can't be told from
/// the answer, nor from the time that it takes.
#[utoipa::path(tag = "identity", request_body = LoginCode, responses((status = 200, description = "Signed in. Sets the refresh cookie.", body = Answer<user::SignedIn>), Failures), security(()))]
#[post("/api/user/login-code")]
pub(super) async fn login_code(
    app: Data<App>,
    doorway: Doorway,
    Body(form): Body<LoginCode>,
) -> Result<SignedIn, ApiError> {
    let email = read_email(form.email.as_deref())?;
    let code: String = form.code.unwrap_or_default().split_whitespace().collect();
    let (within, keys) = (app.clone(), app.keys().await?);
    let admission = app
        .db
        .write::<_, IdentityError, _>(move |pg| {
            let (limits, now) = (&within.config.limits, within.env.now());
            let limits = TryLimits { network: ("code", &limits.code), account: ("code account", &limits.code_account) };
            admit(pg, limits, &keys.refresh, &doorway, Some(&email), now)?;
            let Some(user) = pg.redeem_login_code(&email, &code, now)? else { return Ok(None) };
            let arrival = Arrival { user, doorway: &doorway, strong: false, renewed: None };
            Ok(Some(sign_in::sign_in(pg, &within, &keys.refresh, &arrival)?))
        })
        .await?;
    SignedIn::admitted(&app, admission.ok_or(IdentityError::CodeInvalid)?).await
}
