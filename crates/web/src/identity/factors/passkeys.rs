//! Passkeys: registration, login, names.

use actix_web::{delete, post, put, web::Data};
use identity::{Factors, PasskeyName};
use kernel::PasskeyId;
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;
use workflows::identity::{passkeys, sign_in::SignInOutcome};

use crate::{
    app::App,
    extract::{Body, Client, ClientAddress, Member, OptionalBody, Path},
    http::{
        error::{ApiError, Code},
        openapi::{Conflict, NotFound, TooManyTries},
        wire::{Answer, Nothing},
    },
    identity::{
        factors::{
            Proof, limit_ceremonies, site_passkeys,
            types::{Ceremony, PasskeyResult},
        },
        signed_in::{SignInExtras, SignedIn},
        types,
    },
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
    let site = site_passkeys(&app)?;
    limit_ceremonies(&app, address).await?;
    let password = proof.unwrap_or_default().current_password;
    let was_typed = app.passwords.was_typed(claims.user, password).await?;
    let begun = app.write_tx(move |tx| passkeys::begin_passkey(tx, &site, &claims, was_typed)).await?;
    Ok(Answer::new(begun.into()))
}

/// A passkey that a browser has made.
#[derive(Deserialize, ToSchema)]
pub(super) struct AddPasskey {
    /// What came with the options.
    ceremony: String,
    /// What its owner calls it: 1 to 60 characters.
    name: String,
    /// `RegistrationResponseJSON`.
    #[schema(value_type = Object)]
    credential: Value,
}

/// Adds a passkey. The session is strong from now on: the next token that is asked for bears the member's own role.
/// Mails the owner.
#[utoipa::path(tag = "identity", request_body = AddPasskey, responses((status = 200, description = "The passkey.", body = Answer<PasskeyResult>), Conflict, NotFound), security(("token" = [])))]
#[post("/api/user/passkeys")]
pub(super) async fn add_passkey(
    app: Data<App>,
    Member(claims): Member,
    Body(form): Body<AddPasskey>,
) -> Result<Answer<PasskeyResult>, ApiError> {
    let (site, name) = (site_passkeys(&app)?, PasskeyName::parse(&form.name)?);
    let added = app.write_tx(move |tx| {
        passkeys::add_passkey(tx, &site, &claims, (form.ceremony.as_str(), &name, form.credential))
    });
    let refused = || ApiError::new(Code::CodeInvalid, "The passkey could not be added. Please try again.");
    Ok(Answer::new(PasskeyResult { passkey: (&added.await?.ok_or_else(refused)?).into() }))
}

/// Another name for a passkey.
#[derive(Deserialize, ToSchema)]
pub(super) struct RenamePasskey {
    /// 1 to 60 characters.
    name: String,
}

/// Gives a passkey another name.
#[utoipa::path(tag = "identity", params(("id" = i64, Path, description = "The passkey's id.")), request_body = RenamePasskey, responses((status = 200, description = "The passkey.", body = Answer<PasskeyResult>)), security(("token" = [])))]
#[put("/api/user/passkeys/{id}")]
pub(super) async fn rename_passkey(
    app: Data<App>,
    Member(claims): Member,
    id: Path<String>,
    Body(form): Body<RenamePasskey>,
) -> Result<Answer<PasskeyResult>, ApiError> {
    let id: PasskeyId = id.parse().map_err(|_| ApiError::not_found("passkey"))?;
    let name = PasskeyName::parse(&form.name)?;
    let passkey = app.db.write(move |pg| pg.rename_passkey(claims.user, id, &name)).await?;
    Ok(Answer::new(PasskeyResult { passkey: (&passkey).into() }))
}

/// Removes a passkey. Mails the owner.
#[utoipa::path(tag = "identity", params(("id" = i64, Path, description = "The passkey's id.")), request_body = Option<Proof>, responses((status = 200, description = "It is gone.", body = Answer<Nothing>), Conflict, TooManyTries), security(("token" = [])))]
#[delete("/api/user/passkeys/{id}")]
pub(super) async fn remove_passkey(
    app: Data<App>,
    Member(claims): Member,
    id: Path<String>,
    OptionalBody(proof): OptionalBody<Proof>,
) -> Result<Answer<Nothing>, ApiError> {
    let id: PasskeyId = id.parse().map_err(|_| ApiError::not_found("passkey"))?;
    let password = proof.unwrap_or_default().current_password;
    let was_typed = app.passwords.was_typed(claims.user, password).await?;
    app.write_tx(move |tx| passkeys::remove_passkey(tx, &claims, id, was_typed)).await?;
    Ok(Answer::new(Nothing {}))
}

/// Begins a sign-in with a passkey: what the browser is to be asked. It names no account: a person with a passkey of this
/// site may answer. `404` where the site can have no passkeys.
#[utoipa::path(tag = "identity", responses((status = 200, description = "`PublicKeyCredentialRequestOptionsJSON`.", body = Answer<Ceremony>), NotFound, TooManyTries), security(()))]
#[post("/api/user/passkey-login/options")]
pub(super) async fn begin_passkey_login(
    app: Data<App>,
    ClientAddress(address): ClientAddress,
) -> Result<Answer<Ceremony>, ApiError> {
    let site = site_passkeys(&app)?;
    limit_ceremonies(&app, address).await?;
    let begun = app.write_tx(move |tx| passkeys::begin_passkey_sign_in(tx, &site)).await?;
    Ok(Answer::new(begun.into()))
}

/// What a browser answers with a passkey.
#[derive(Deserialize, ToSchema)]
pub(super) struct PasskeyLogin {
    /// What came with the options.
    ceremony: String,
    /// `AuthenticationResponseJSON`.
    #[schema(value_type = Object)]
    credential: Value,
    /// The `chargeId` of a purchase that was made before: it becomes the member's.
    #[serde(rename = "chargeId")]
    charge_id: Option<String>,
}

/// Signs in with a passkey, which stands for password and second factor together.
#[utoipa::path(tag = "identity", request_body = PasskeyLogin, responses((status = 200, description = "Signed in. Sets the refresh cookie.", body = Answer<types::SignedIn>), NotFound, TooManyTries), security(()))]
#[post("/api/user/passkey-login")]
pub(super) async fn passkey_login(
    app: Data<App>,
    Client(client): Client,
    Body(form): Body<PasskeyLogin>,
) -> Result<SignedIn, ApiError> {
    let site = site_passkeys(&app)?;
    limit_ceremonies(&app, client.address).await?;
    let (keys, brought) = (app.keys().await?, SignInExtras { charge_id: form.charge_id, r_id: None });
    let outcome = app.write_tx(move |tx| {
        let (device, answer) = ((&keys.refresh, &client), (form.ceremony.as_str(), form.credential));
        passkeys::sign_in_by_passkey(tx, &site, device, answer)
    });
    let outcome = outcome.await?;
    let text = "This passkey did not work. Please try again or log in another way.";
    let refused = || ApiError::new(Code::InvalidCredentials, text);
    if let SignInOutcome::AccountGone = outcome {
        return Err(refused());
    }
    SignedIn::of_with(&app, outcome, brought, refused).await
}
