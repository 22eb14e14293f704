//! `POST /api/user/confirm-email` and `POST /api/user/confirm-email/send`.

use actix_web::{post, web::Data};
use identity::{Identity, IdentityError, Try, network_of};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    app::App,
    error::ApiError,
    extract::{Body, ClientAddress, Member},
    flows::{recovery, tries},
    wire::{Answer, Failures, Nothing},
};

/// The code of a mailed link.
#[derive(Deserialize, ToSchema)]
pub(super) struct ConfirmEmail {
    /// The code.
    #[schema(value_type = String, required)]
    code: Option<String>,
}

/// Confirms the address of an account by a mailed link, or moves the account to the new address to which the link was
/// mailed; the old one is told. `409` when somebody else came to have the new address meanwhile.
#[utoipa::path(tag = "identity", request_body = ConfirmEmail, responses((status = 200, description = "The address is confirmed.", body = Answer<Nothing>), Failures), security(()))]
#[post("/api/user/confirm-email")]
pub(super) async fn confirm_email(
    app: Data<App>,
    ClientAddress(address): ClientAddress,
    Body(form): Body<ConfirmEmail>,
) -> Result<Answer<Nothing>, ApiError> {
    tries::count(&app, "confirm", network_of(address), &app.config.limits.reset).await?;
    let (within, code) = (app.clone(), form.code.unwrap_or_default());
    app.db.write(move |pg| recovery::confirm_email(pg, &within, &code)).await?;
    Ok(Answer::new(Nothing {}))
}

/// Mails the link for the confirmation again. Does nothing when the address is confirmed.
#[utoipa::path(tag = "identity", responses((status = 200, description = "A mail is on its way.", body = Answer<Nothing>), Failures), security(("token" = [])))]
#[post("/api/user/confirm-email/send")]
pub(super) async fn send(app: Data<App>, Member(claims): Member) -> Result<Answer<Nothing>, ApiError> {
    let within = app.clone();
    app.db
        .write::<_, IdentityError, _>(move |pg| {
            let Some(user) = pg.user(claims.user)?.filter(|user| user.email_confirmed_at.is_none()) else {
                return Ok(());
            };
            let (whose, limits) = (claims.user.to_string(), &within.config.limits.confirm);
            pg.take_tries(&[Try { what: "confirm mail", whose: &whose, limits }], within.env.now())?;
            Ok(recovery::ask_for_confirmation(pg, &within, &user)?)
        })
        .await?;
    Ok(Answer::new(Nothing {}))
}
