//! `POST /api/user/passkeys/options`.

use actix_web::{post, web::Data};

use super::{Proof, passkeys, rate_limits};
use crate::{
    app::App,
    error::ApiError,
    extract::{ClientAddress, Member, OptionalBody},
    flows,
    openapi::{Conflict, NotFound, TooManyTries},
    routes::identity::typed_password,
    wire::{Answer, security::Ceremony},
};

/// Begins a passkey: what the browser is to be asked. `404` where the site can have no passkeys.
#[utoipa::path(tag = "identity", request_body = Option<Proof>, responses((status = 200, description = "`PublicKeyCredentialCreationOptionsJSON`.", body = Answer<Ceremony>), Conflict, NotFound, TooManyTries), security(("token" = [])))]
#[post("/api/user/passkeys/options")]
pub(super) async fn begin_passkey(
    app: Data<App>,
    Member(claims): Member,
    ClientAddress(address): ClientAddress,
    OptionalBody(proof): OptionalBody<Proof>,
) -> Result<Answer<Ceremony>, ApiError> {
    passkeys(&app)?;
    rate_limits::of_ceremony(&app, address).await?;
    let password = proof.unwrap_or_default().current_password;
    let was_typed = typed_password::was_typed(&app, claims.user, password).await?;
    let within = app.clone();
    let begun = app
        .write_tx::<_, ApiError, _>(move |tx| {
            Ok(flows::passkeys::begin_passkey(tx, passkeys(&within)?, &claims, was_typed)?)
        })
        .await?;
    Ok(Answer::new(begun.into()))
}
