//! `POST /api/user/refresh-token`.

use actix_web::{HttpRequest, HttpResponse, Responder, ResponseError, post, web::Data};
use identity::IdentityError;
use kernel::StoreError;

use super::{cookies, signed_in::SignedIn};
use crate::{
    app::App,
    error::ApiError,
    extract::Client,
    flows::refresh_session::refresh_session,
    openapi::Unauthenticated,
    wire::{Answer, user},
};

/// Renews access by the refresh cookie, which it replaces. `401` with code `session_ended` is final: somebody has to
/// log in again.
#[utoipa::path(tag = "identity", responses((status = 200, description = "Signed in still. Replaces the refresh cookie.", body = Answer<user::SignedIn>), Unauthenticated), security(()))]
#[post("/api/user/refresh-token")]
pub(super) async fn refresh_token(
    app: Data<App>,
    Client(client): Client,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let Some(secret) = cookies::refresh_secret(&request) else { return session_ended(&app) };
    let keys = app.keys().await?;
    let renewed =
        app.write_tx::<_, StoreError, _>(move |tx| refresh_session(tx, &secret, &keys.refresh, &client)).await?;
    match renewed {
        Some(started) => Ok(SignedIn::started(&app, &started).await?.respond_to(&request)),
        None => session_ended(&app),
    }
}

/// The refusal, which also takes the cookies away.
fn session_ended(app: &App) -> Result<HttpResponse, ApiError> {
    let mut response = ApiError::from(IdentityError::SessionEnded).error_response();
    cookies::set(&mut response, cookies::of_nobody(&app.config))?;
    Ok(response)
}
