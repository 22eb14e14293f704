//! `DELETE /api/user/sessions/{id}`.

use actix_web::{HttpRequest, HttpResponse, Responder, delete, web::Data};
use identity::Devices;
use kernel::{SessionId, StoreError};

use super::cookies;
use crate::{
    app::App,
    error::ApiError,
    extract::{Member, Path},
    wire::{Answer, Nothing},
};

/// Signs one of the member's devices out; one that is out already stays so. The device that asks loses its cookies
/// with its session.
#[utoipa::path(tag = "identity", params(("id" = i64, Path, description = "The session's id.")), responses((status = 200, description = "The device is signed out.", body = Answer<Nothing>)), security(("token" = [])))]
#[delete("/api/user/sessions/{id}")]
pub(super) async fn end_session(
    app: Data<App>,
    Member(claims): Member,
    id: Path<i64>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let session = SessionId::new(id.into_inner()).map_err(|_| ApiError::not_found("session"))?;
    let (user, now) = (claims.user, app.env.now());
    if !app.db.write::<_, StoreError, _>(move |pg| pg.end_device(user, session, now)).await? {
        return Err(ApiError::not_found("session"));
    }
    let mut response = Answer::new(Nothing {}).respond_to(&request);
    if session == claims.session {
        cookies::set(&mut response, cookies::of_nobody(&app.config))?;
    }
    Ok(response)
}
