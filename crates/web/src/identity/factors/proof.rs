//! `POST /api/user/proof` and `POST /api/user/proof/code`: re-authentication within a session.

use actix_web::{post, web::Data};
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;
use workflows::identity::proof::{self, Proof, mail_proof_code};

use crate::{
    app::App,
    extract::{Body, Member},
    http::{
        error::ApiError,
        openapi::{Forbidden, NotFound, TooManyTries},
        wire::{Answer, Nothing},
    },
};

/// One of: the password, the digits of a mail, a passkey.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct FreshProof {
    /// The current password.
    current_password: Option<String>,
    /// Six digits of a mail; blanks between them do not count.
    code: Option<String>,
    /// What came with the options of `POST /api/user/passkey-login/options`.
    ceremony: Option<String>,
    /// `AuthenticationResponseJSON`, of a passkey of the member.
    #[schema(value_type = Option<Object>)]
    credential: Option<Value>,
}

impl From<FreshProof> for Proof {
    fn from(form: FreshProof) -> Self {
        match (form.current_password, form.ceremony, form.credential) {
            (Some(password), _, _) => Self::Password(password),
            (None, Some(ceremony), Some(answer)) => Self::Passkey { ceremony, answer },
            (None, _, _) => Self::Code(form.code.unwrap_or_default().split_whitespace().collect()),
        }
    }
}

/// Proves who acts in this session, by the password, six digits of a mail, or a passkey. For ten minutes the session may then
/// take the steps that answer `403` with `fresh_login_required`, as after a sign-in.
#[utoipa::path(tag = "identity", request_body = FreshProof, responses((status = 200, description = "Proved.", body = Answer<Nothing>), Forbidden, NotFound, TooManyTries), security(("token" = [])))]
#[post("/api/user/proof")]
pub(super) async fn prove(
    app: Data<App>,
    Member(claims): Member,
    Body(form): Body<FreshProof>,
) -> Result<Answer<Nothing>, ApiError> {
    proof::prove((&app.transactions, &app.passwords), app.passkeys.clone(), claims, form.into()).await?;
    Ok(Answer::new(Nothing {}))
}

/// Mails six digits to the member, for `POST /api/user/proof`. They are good in this session only.
#[utoipa::path(tag = "identity", responses((status = 200, description = "The mail is on its way.", body = Answer<Nothing>), TooManyTries), security(("token" = [])))]
#[post("/api/user/proof/code")]
pub(super) async fn mail_code(app: Data<App>, Member(claims): Member) -> Result<Answer<Nothing>, ApiError> {
    app.write_tx(move |tx| mail_proof_code(tx, &claims)).await?;
    Ok(Answer::new(Nothing {}))
}
