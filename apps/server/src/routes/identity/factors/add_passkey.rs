//! `POST /api/user/passkeys`.

use actix_web::{post, web::Data};
use identity::PasskeyName;
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::passkeys;
use crate::{
    app::App,
    error::{ApiError, Code},
    extract::{Body, Member},
    flows,
    openapi::{Conflict, NotFound},
    wire::{Answer, security::PasskeyResult},
};

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
    passkeys(&app)?;
    let name = PasskeyName::parse(&form.name)?;
    let within = app.clone();
    let added = app
        .write_tx::<_, ApiError, _>(move |tx| {
            let answer = (form.ceremony.as_str(), &name, form.credential);
            Ok(flows::passkeys::add_passkey(tx, passkeys(&within)?, &claims, answer)?)
        })
        .await?;
    let refused = || ApiError::new(Code::CodeInvalid, "The passkey could not be added. Please try again.");
    Ok(Answer::new(PasskeyResult { passkey: (&added.ok_or_else(refused)?).into() }))
}
