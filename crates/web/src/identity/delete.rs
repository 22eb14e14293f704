//! `POST /api/user/delete`.

use actix_web::{HttpRequest, HttpResponse, Responder, post, web::Data};
use identity::IdentityError;
use serde::Deserialize;
use support::{NewMessage, SupportError};
use utoipa::ToSchema;
use workflows::identity::{delete_account::delete_account, proof::require_fresh_proof};

use crate::{
    app::App,
    extract::{Body, Member},
    http::{
        error::{ApiError, Code},
        openapi::TooManyTries,
        wire::{Answer, Nothing},
    },
    identity::cookies,
};

/// What is asked of a person who leaves (`identity.deletion-reasons`).
#[derive(Deserialize, ToSchema)]
pub(super) struct Leaving {
    /// Why they are deleting the account.
    #[schema(value_type = String, required, min_length = 1)]
    why: Option<String>,
    /// How they found out about us.
    #[schema(value_type = String, required, min_length = 1)]
    how: Option<String>,
}

impl Leaving {
    fn read(self) -> Result<NewMessage, SupportError> {
        NewMessage::leaving(&self.why.unwrap_or_default(), &self.how.unwrap_or_default())
    }
}

/// Deletes the member's account at once, with everything that names them. The answers are kept without a name. Needs a sign-in
/// or a proof (`POST /api/user/proof`) of the last ten minutes.
#[utoipa::path(tag = "identity", request_body = Leaving, responses((status = 200, description = "The account is deleted; all devices are signed out.", body = Answer<Nothing>), TooManyTries), security(("token" = [])))]
#[post("/api/user/delete")]
pub(super) async fn delete(
    app: Data<App>,
    Member(claims): Member,
    request: HttpRequest,
    Body(form): Body<Leaving>,
) -> Result<HttpResponse, ApiError> {
    let reasons = form.read()?;
    let left = app
        .write_tx::<_, IdentityError, _>(move |tx| {
            Ok(require_fresh_proof(tx, &claims)? && delete_account(tx, claims.user, &reasons)?)
        })
        .await;
    if !left.map_err(|error| unable(&app, error.into()))? {
        return Err(ApiError::unauthenticated());
    }
    let mut response = Answer::new(Nothing {}).respond_to(&request);
    cookies::set(&mut response, cookies::of_leaver(&app.config))?;
    Ok(response)
}

/// Adds the support address to an internal error, because a retry would not help (`identity.account-deletion`).
fn unable(app: &App, error: ApiError) -> ApiError {
    if error.code() != Code::Internal {
        return error;
    }
    let email = app.config.site.support_email.as_str();
    ApiError::new(Code::Internal, format!("Unable to delete account. Please email us at {email}."))
}
