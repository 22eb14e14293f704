//! `POST /api/admin/mails/{id}/retry`.

use actix_web::{post, web::Data};
use jobs::Jobs;
use kernel::{JobId, StoreError};
use mail::SEND_MAIL;

use crate::{
    app::App,
    error::{ApiError, Code},
    extract::{Admin, Path},
    openapi::Conflict,
    wire::{Answer, Nothing},
};

/// Has a mail tried again that was set aside.
#[utoipa::path(
    tag = "admin",
    params(("id" = i64, Path, description = "The id of a mail.", minimum = 1)),
    responses((status = 200, description = "It waits to be sent.", body = Answer<Nothing>), Conflict),
    security(("token" = []))
)]
#[post("/api/admin/mails/{id}/retry")]
pub(super) async fn retry_mail(app: Data<App>, _: Admin, id: Path<String>) -> Result<Answer<Nothing>, ApiError> {
    let unknown = || ApiError::not_found("mail");
    let (id, now): (JobId, _) = (id.parse().map_err(|_| unknown())?, app.env.now());
    let retried = app.db.write::<_, StoreError, _>(move |pg| pg.retry_job(SEND_MAIL, id, now)).await?;
    if retried.ok_or_else(unknown)? {
        Ok(Answer::new(Nothing {}))
    } else {
        Err(ApiError::new(Code::AlreadyThere, "Only a mail that was set aside can be tried again."))
    }
}
