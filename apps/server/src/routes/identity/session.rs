//! `GET /api/user/session`.

use actix_web::{FromRequest, HttpRequest, dev::Payload, get, web::Data};
use identity::{Identity, IdentityError, Recovery, Try, is_single_use_token, network_of};
use kernel::StoreError;

use super::{cookies, signed_in::SignedIn};
use crate::{
    app::App,
    error::ApiError,
    extract::{Doorway, Member, bearer},
    flows::{
        self,
        sign_in::{self, Arrival},
    },
    wire::{Answer, Failures, user},
};

/// Who is signed in. The single-use token of an address is traded for a session and for an access token; an access token
/// comes back as it was sent, for only the refresh cookie makes new ones.
#[utoipa::path(tag = "identity", responses((status = 200, description = "The member and the token. After a trade also the refresh cookie.", body = Answer<user::SignedIn>), Failures), security(("token" = [])))]
#[get("/api/user/session")]
pub(super) async fn session(app: Data<App>, doorway: Doorway, request: HttpRequest) -> Result<SignedIn, ApiError> {
    let token = bearer(request.headers()).unwrap_or_default().to_owned();
    if is_single_use_token(&token) {
        return trade(app, doorway, token, cookies::flow(&request)).await;
    }
    let (Member(claims), now) = (Member::from_request(&request, &mut Payload::None).await?, app.env.now());
    let account = app.db.read::<_, StoreError, _>(move |pg| flows::account::account(pg, claims.user, now)).await?;
    let account = account.ok_or_else(ApiError::unauthenticated)?.seen_by(&claims);
    Ok(SignedIn::still(&app, token, &account))
}

/// Signs in whoever shows a single-use token, in the browser in which it is good (`decisions.md` 15).
async fn trade(app: Data<App>, doorway: Doorway, token: String, held: Option<String>) -> Result<SignedIn, ApiError> {
    let (within, keys) = (app.clone(), app.keys().await?);
    let admission = app
        .db
        .write::<_, IdentityError, _>(move |pg| {
            let (limits, now, network) = (&within.config.limits.arrival, within.env.now(), network_of(doorway.address));
            pg.take_tries(&[Try { what: "arrival", whose: &network, limits }], now)?;
            let Some(user) = pg.redeem_arrival(&token, held.as_deref(), now)? else { return Ok(None) };
            let arrival = Arrival { user, doorway: &doorway, strong: false, renewed: None };
            Ok(Some(sign_in::sign_in(pg, &within, &keys.refresh, &arrival)?))
        })
        .await?;
    SignedIn::admitted(&app, admission.ok_or(IdentityError::LinkInvalid)?).await
}
