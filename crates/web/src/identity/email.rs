//! The account's e-mail address: change and confirmation.

use actix_web::{delete, post, put, web::Data};
use identity::{IdentityError, RateLimitBucket, Recovery};
use kernel::{StoreError, network_of};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use workflows::{identity::email_address, rate_limits, tx::Tx};

use crate::{
    app::App,
    extract::{Body, Client, Member, Viewer},
    http::{
        error::ApiError,
        openapi::{Conflict, Forbidden, TooManyTries},
        wire::{Answer, Nothing},
    },
    identity::read_email,
};

/// Where a member wants to be reached from now on.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ChangeEmail {
    /// The new address.
    #[schema(value_type = String, required, max_length = 254)]
    email: Option<String>,
    /// The current password; not needed by a person who never had one, who has to have logged in a moment ago.
    current_password: Option<String>,
}

/// Mails a link to a new address, by which the account moves there. Whether another person has the address is not told.
#[utoipa::path(tag = "identity", request_body = ChangeEmail, responses((status = 200, description = "A mail is on its way to the new address.", body = Answer<Nothing>), TooManyTries), security(("token" = [])))]
#[put("/api/user/email")]
pub(super) async fn change_email(
    app: Data<App>,
    Member(claims): Member,
    Body(form): Body<ChangeEmail>,
) -> Result<Answer<Nothing>, ApiError> {
    let email = read_email(form.email.as_deref())?;
    let account = app.passwords.check_current(claims.user, form.current_password).await?;
    if account.user.email.as_str() == email.as_str() {
        return Err(IdentityError::EmailUnchanged.into());
    }
    let verified = account.password_hash;
    app.write_tx(move |tx| email_address::change_email(tx, &claims, verified.as_ref(), &email)).await?;
    Ok(Answer::new(Nothing {}))
}

/// Stays with the address of the account: the link that was mailed to a new one is worth nothing any more. The same where
/// none waits.
#[utoipa::path(tag = "identity", responses((status = 200, description = "The address stays.", body = Answer<Nothing>)), security(("token" = [])))]
#[delete("/api/user/pending-email")]
pub(super) async fn keep_email(app: Data<App>, Member(claims): Member) -> Result<Answer<Nothing>, ApiError> {
    app.db.write::<_, StoreError, _>(move |pg| pg.withdraw_address_change(claims.user)).await?;
    Ok(Answer::new(Nothing {}))
}

/// The code of a mailed link.
#[derive(Deserialize, ToSchema)]
pub(super) struct ConfirmEmail {
    /// The code.
    #[schema(value_type = String, required)]
    code: Option<String>,
}

/// An address that is confirmed.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Confirmed {
    /// Whether the account has no password any more, because it was not chosen in the session of this call.
    password_removed: bool,
}

/// Confirms the address of an account by a mailed link, or moves the account to the new address to which the link was
/// mailed; the old one is told. The first confirmation ends every session and removes every sign-in method that came before
/// it, except this session (of the token, or else of the cookie) and what was made in it. A move needs a session of the
/// account: `403` with `fresh_login_required`. `409` when another account came to have the new address meanwhile.
#[utoipa::path(tag = "identity", request_body = ConfirmEmail, responses((status = 200, description = "The address is confirmed.", body = Answer<Confirmed>), Conflict, Forbidden, TooManyTries), security((), ("token" = [])))]
#[post("/api/user/confirm-email")]
pub(super) async fn confirm_email(
    app: Data<App>,
    Viewer(viewer): Viewer,
    Client(client): Client,
    Body(form): Body<ConfirmEmail>,
) -> Result<Answer<Confirmed>, ApiError> {
    let network = network_of(client.address);
    rate_limits::count(&app.transactions, RateLimitBucket::Confirm, network).await?;
    let code = form.code.unwrap_or_default();
    let workflow = move |tx: &mut Tx<'_, '_>| email_address::confirm_email(tx, &code, viewer.as_ref(), &client);
    Ok(Answer::new(Confirmed { password_removed: app.write_tx(workflow).await? }))
}

/// Mails the link for the confirmation again. Does nothing when the address is confirmed.
#[utoipa::path(tag = "identity", responses((status = 200, description = "A mail is on its way.", body = Answer<Nothing>), TooManyTries), security(("token" = [])))]
#[post("/api/user/confirm-email/send")]
pub(super) async fn send(app: Data<App>, Member(claims): Member) -> Result<Answer<Nothing>, ApiError> {
    app.write_tx(move |tx| email_address::resend_confirmation(tx, claims.user)).await?;
    Ok(Answer::new(Nothing {}))
}
