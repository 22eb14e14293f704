//! `POST /api/user/second-factor`.

use actix_web::{post, web::Data};
use identity::{Identity, IdentityError, Purpose, Try};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    app::App,
    error::ApiError,
    extract::{Body, Doorway},
    flows::protection,
    routes::identity::signed_in::SignedIn,
    wire::{Answer, Failures, user},
};

/// The step after the password.
#[derive(Deserialize, ToSchema)]
pub(super) struct SecondStep {
    /// What came with `second_factor_required`.
    ticket: String,
    /// A code of the authenticator app, or a recovery code.
    code: String,
}

/// Signs in with a code of the authenticator app, or with a recovery code, which is used up by it. A wrong code leaves
/// the ticket good for another try; `field` tells whether the code or the ticket is to blame.
#[utoipa::path(tag = "identity", request_body = SecondStep, responses((status = 200, description = "Signed in. Sets the refresh cookie.", body = Answer<user::SignedIn>), Failures), security(()))]
#[post("/api/user/second-factor")]
pub(super) async fn second_factor(
    app: Data<App>,
    doorway: Doorway,
    Body(form): Body<SecondStep>,
) -> Result<SignedIn, ApiError> {
    let keys = app.keys().await?;
    count_try(&app, &doorway, form.ticket.clone()).await?;
    let within = app.clone();
    let admission = app
        .db
        .write(move |pg| protection::second_step(pg, &within, &keys.refresh, &doorway, (&form.ticket, &form.code)))
        .await?;
    SignedIn::admitted(&app, admission).await
}

/// Counts a try on the account of the ticket. A device that the account knows counts by itself, so that strangers who
/// have the password can't keep the owner out.
async fn count_try(app: &App, doorway: &Doorway, ticket: String) -> Result<(), ApiError> {
    let (limits, now) = (app.config.limits.second_factor.clone(), app.env.now());
    let (keys, mark) = (app.keys().await?, doorway.mark.clone());
    app.db
        .write(move |pg| {
            let found = pg.look_up_secret(Purpose::SecondFactor, &ticket, now)?.and_then(|found| found.user);
            let user = found.ok_or(IdentityError::TicketOver)?;
            let is_known = mark.is_some_and(|mark| keys.refresh.knows_device(user, &mark));
            let whose = if is_known { format!("{user} on a known device") } else { user.to_string() };
            pg.take_tries(&[Try { what: "factor", whose: &whose, limits: &limits }], now)
        })
        .await?;
    Ok(())
}
