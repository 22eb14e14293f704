//! `POST /api/user/logout`.

use actix_web::{HttpRequest, HttpResponse, Responder, post, web::Data};
use identity::Identity;
use kernel::StoreError;

use super::cookies;
use crate::{
    app::App,
    error::ApiError,
    extract::bearer,
    wire::{Answer, Nothing},
};

/// Ends the session of the token and that of the cookie, and takes the cookies away. Also fine for somebody who is
/// not signed in any more.
#[utoipa::path(tag = "identity", responses((status = 200, description = "Signed out.", body = Answer<Nothing>)), security((), ("token" = [])))]
#[post("/api/user/logout")]
pub(super) async fn logout(app: Data<App>, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    let claims = match bearer(request.headers()) {
        Some(token) => app.verify_token(token).await.ok(),
        None => None,
    };
    let (secret, now) = (cookies::refresh_secret(&request), app.env.now());
    app.db
        .write::<_, StoreError, _>(move |pg| {
            if let Some(claims) = claims {
                pg.end_session(claims.session, now)?;
            }
            secret.map_or(Ok(()), |secret| pg.end_session_of_secret(&secret, now))
        })
        .await?;
    let mut response = Answer::new(Nothing {}).respond_to(&request);
    cookies::set(&mut response, cookies::of_nobody(&app.config))?;
    Ok(response)
}
