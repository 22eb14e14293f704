//! `POST /api/user/login-link/session`.

use actix_web::{post, web::Data};
use identity::{Identity, IdentityError, Recovery, Try, network_of};
use serde::Deserialize;
use utoipa::ToSchema;

use super::signed_in::SignedIn;
use crate::{
    app::App,
    error::ApiError,
    extract::{Body, Doorway},
    flows::sign_in::{self, Arrival},
    wire::{Answer, Failures, user},
};

/// What stands behind `#` in a mailed link.
#[derive(Deserialize, ToSchema)]
pub(super) struct MailedLink {
    /// The link's secret.
    #[schema(value_type = String, required)]
    token: Option<String>,
}

/// Trades the secret of a mailed link for a session. It has a call of its own, which only the button of the link's page
/// makes: in the address of any other page the secret signs nobody in.
#[utoipa::path(tag = "identity", request_body = MailedLink, responses((status = 200, description = "Signed in. Sets the refresh cookie.", body = Answer<user::SignedIn>), Failures), security(()))]
#[post("/api/user/login-link/session")]
pub(super) async fn login_link_session(
    app: Data<App>,
    doorway: Doorway,
    Body(form): Body<MailedLink>,
) -> Result<SignedIn, ApiError> {
    let (within, keys, token) = (app.clone(), app.keys().await?, form.token.unwrap_or_default());
    let admission = app
        .db
        .write::<_, IdentityError, _>(move |pg| {
            let (limits, now, network) = (&within.config.limits.arrival, within.env.now(), network_of(doorway.address));
            pg.take_tries(&[Try { what: "arrival", whose: &network, limits }], now)?;
            let Some(user) = pg.redeem_login_link(&token, now)? else { return Ok(None) };
            let arrival = Arrival { user, doorway: &doorway, strong: false, renewed: None };
            Ok(Some(sign_in::sign_in(pg, &within, &keys.refresh, &arrival)?))
        })
        .await?;
    SignedIn::admitted(&app, admission.ok_or(IdentityError::LinkInvalid)?).await
}
