//! `GET /api/user/sessions`.

use actix_web::{get, web::Data};
use identity::Devices;
use kernel::StoreError;

use crate::{
    app::App,
    error::ApiError,
    extract::Member,
    wire::{
        Answer,
        device::{DeviceSession, Sessions},
    },
};

/// The devices on which the member is signed in, the last seen first.
#[utoipa::path(tag = "identity", responses((status = 200, description = "The devices.", body = Answer<Sessions>)), security(("token" = [])))]
#[get("/api/user/sessions")]
pub(super) async fn sessions(app: Data<App>, Member(claims): Member) -> Result<Answer<Sessions>, ApiError> {
    let (user, now) = (claims.user, app.env.now());
    let devices = app.db.read::<_, StoreError, _>(move |pg| pg.devices_of(user, now)).await?;
    let sessions = devices.into_iter().map(|device| DeviceSession::seen_from(claims.session, device)).collect();
    Ok(Answer::new(Sessions { sessions }))
}
