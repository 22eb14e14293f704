//! `DELETE /api/user/sessions`.

use actix_web::{delete, web::Data};
use identity::Devices;
use kernel::StoreError;

use crate::{
    app::App,
    error::ApiError,
    extract::Member,
    wire::{Answer, Nothing},
};

/// Signs all of the member's devices out but the one that asks.
#[utoipa::path(tag = "identity", responses((status = 200, description = "The other devices are signed out.", body = Answer<Nothing>)), security(("token" = [])))]
#[delete("/api/user/sessions")]
pub(super) async fn end_other_sessions(app: Data<App>, Member(claims): Member) -> Result<Answer<Nothing>, ApiError> {
    let now = app.env.now();
    app.db.write::<_, StoreError, _>(move |pg| pg.end_other_sessions(claims.user, claims.session, now)).await?;
    Ok(Answer::new(Nothing {}))
}
