//! `GET /api/user/session`.

use actix_web::{FromRequest, HttpRequest, dev::Payload, get, web::Data};
use identity::{IdentityError, is_single_use_token};
use kernel::StoreError;

use super::{cookies, signed_in::SignedIn};
use crate::{
    app::App,
    error::ApiError,
    extract::{Client, Member, bearer},
    flows::{self, client::ClientContext, sign_in::sign_in_by_arrival},
    openapi::{BadRequest, Forbidden, TooManyTries},
    wire::{Answer, user},
};

/// Who is signed in. The single-use token of an address is traded for a session and for an access token; an access token
/// comes back as it was sent, for only the refresh cookie makes new ones.
#[utoipa::path(tag = "identity", responses((status = 200, description = "The member and the token. After a trade also the refresh cookie.", body = Answer<user::SignedIn>), BadRequest, Forbidden, TooManyTries), security(("token" = [])))]
#[get("/api/user/session")]
pub(super) async fn session(
    app: Data<App>,
    Client(client): Client,
    request: HttpRequest,
) -> Result<SignedIn, ApiError> {
    let token = bearer(request.headers()).unwrap_or_default().to_owned();
    if is_single_use_token(&token) {
        return trade(app, client, token, cookies::flow(&request)).await;
    }
    let (Member(claims), now) = (Member::from_request(&request, &mut Payload::None).await?, app.env.now());
    let account = app.db.read::<_, StoreError, _>(move |pg| flows::account::account(pg, claims.user, now)).await?;
    let account = account.ok_or_else(ApiError::unauthenticated)?.seen_by(&claims);
    Ok(SignedIn::still(&app, token, &account))
}

/// Signs in whoever shows a single-use token, in the browser in which it is good (`decisions.md` 15).
async fn trade(
    app: Data<App>,
    client: ClientContext,
    token: String,
    held: Option<String>,
) -> Result<SignedIn, ApiError> {
    let keys = app.keys().await?;
    let outcome =
        app.write_tx(move |tx| sign_in_by_arrival(tx, &keys.refresh, &client, (&token, held.as_deref()))).await?;
    SignedIn::of(&app, outcome, || IdentityError::LinkInvalid.into()).await
}
