//! `POST /api/user/passkey-login`.

use actix_web::{post, web::Data};
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::{passkeys, rate_limits};
use crate::{
    app::App,
    error::{ApiError, Code},
    extract::{Body, Client},
    flows::{self, sign_in::SignInOutcome},
    openapi::{NotFound, TooManyTries},
    routes::identity::signed_in::SignedIn,
    wire::{Answer, user},
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
#[utoipa::path(tag = "identity", request_body = PasskeyLogin, responses((status = 200, description = "Signed in. Sets the refresh cookie.", body = Answer<user::SignedIn>), NotFound, TooManyTries), security(()))]
#[post("/api/user/passkey-login")]
pub(super) async fn passkey_login(
    app: Data<App>,
    Client(client): Client,
    Body(form): Body<PasskeyLogin>,
) -> Result<SignedIn, ApiError> {
    passkeys(&app)?;
    rate_limits::of_ceremony(&app, client.address).await?;
    let (within, keys) = (app.clone(), app.keys().await?);
    let outcome = app
        .write_tx::<_, ApiError, _>(move |tx| {
            let (device, answer) = ((&keys.refresh, &client), (form.ceremony.as_str(), form.credential));
            Ok(flows::passkeys::sign_in_by_passkey(tx, passkeys(&within)?, device, answer)?)
        })
        .await?;
    let text = "This passkey did not let you in. Please try again or log in another way.";
    let refused = || ApiError::new(Code::InvalidCredentials, text);
    if let SignInOutcome::AccountGone = outcome {
        return Err(refused());
    }
    SignedIn::of(&app, outcome, refused).await
}
