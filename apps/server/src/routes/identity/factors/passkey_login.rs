//! `POST /api/user/passkey-login`.

use actix_web::{post, web::Data};
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::{passkeys, tries};
use crate::{
    app::App,
    error::{ApiError, Code},
    extract::{Body, Doorway},
    flows::{protection, sign_in::Admission},
    routes::identity::signed_in::SignedIn,
    wire::{Answer, Failures, user},
};

/// What a browser answers with a passkey.
#[derive(Deserialize, ToSchema)]
pub(super) struct PasskeyLogin {
    /// What came with the options.
    ceremony: String,
    /// `AuthenticationResponseJSON`.
    #[schema(value_type = Object)]
    credential: Value,
}

/// Signs in with a passkey, which stands for password and second factor together.
#[utoipa::path(tag = "identity", request_body = PasskeyLogin, responses((status = 200, description = "Signed in. Sets the refresh cookie.", body = Answer<user::SignedIn>), Failures), security(()))]
#[post("/api/user/passkey-login")]
pub(super) async fn passkey_login(
    app: Data<App>,
    doorway: Doorway,
    Body(form): Body<PasskeyLogin>,
) -> Result<SignedIn, ApiError> {
    passkeys(&app)?;
    tries::of_ceremony(&app, doorway.address).await?;
    let (within, keys) = (app.clone(), app.keys().await?);
    let admission = app
        .db
        .write::<_, ApiError, _>(move |pg| {
            let (door, answer) = ((&keys.refresh, &doorway), (form.ceremony.as_str(), form.credential));
            Ok(protection::passkey_login(pg, &within, passkeys(&within)?, door, answer)?)
        })
        .await?;
    if let Admission::Gone = admission {
        let text = "This passkey did not let you in. Please try again or log in another way.";
        return Err(ApiError::new(Code::InvalidCredentials, text));
    }
    SignedIn::admitted(&app, admission).await
}
