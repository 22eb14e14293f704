//! `POST /api/user/passkey-login/options`.

use actix_web::{post, web::Data};

use super::{passkeys, rate_limits};
use crate::{
    app::App,
    error::ApiError,
    extract::ClientAddress,
    flows,
    openapi::{NotFound, TooManyTries},
    wire::{Answer, security::Ceremony},
};

/// Begins a sign-in with a passkey: what the browser is to be asked. It names nobody: whoever has a passkey of this
/// site may answer. `404` where the site can have no passkeys.
#[utoipa::path(tag = "identity", responses((status = 200, description = "`PublicKeyCredentialRequestOptionsJSON`.", body = Answer<Ceremony>), NotFound, TooManyTries), security(()))]
#[post("/api/user/passkey-login/options")]
pub(super) async fn begin_passkey_login(
    app: Data<App>,
    ClientAddress(address): ClientAddress,
) -> Result<Answer<Ceremony>, ApiError> {
    passkeys(&app)?;
    rate_limits::of_ceremony(&app, address).await?;
    let within = app.clone();
    let begun = app
        .write_tx::<_, ApiError, _>(move |tx| Ok(flows::passkeys::begin_passkey_sign_in(tx, passkeys(&within)?)?))
        .await?;
    Ok(Answer::new(begun.into()))
}
