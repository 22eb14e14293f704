//! `GET /api/admin/mails`.

use actix_web::{get, web::Data};
use jobs::Jobs;
use kernel::StoreError;
use mail::SEND_MAIL;

use crate::{
    app::App,
    error::ApiError,
    extract::{Admin, Query},
    routes::admin::types::{MailsParams, MailsResult},
    wire::Answer,
};

/// A page of the mails that wait, were sent or could not be, latest first. What they say is not shown.
#[utoipa::path(tag = "admin", params(MailsParams), responses((status = 200, description = "A page of mails.", body = Answer<MailsResult>)), security(("token" = [])))]
#[get("/api/admin/mails")]
pub(super) async fn mails(
    app: Data<App>,
    _: Admin,
    params: Query<MailsParams>,
) -> Result<Answer<MailsResult>, ApiError> {
    let (state, after, limit) = params.read()?;
    let page = app.db.read::<_, StoreError, _>(move |pg| pg.jobs(SEND_MAIL, state, after, limit)).await?;
    let next = page.next.map(|key| key.to_string());
    Ok(Answer::new(MailsResult { mails: page.items.into_iter().map(Into::into).collect(), next }))
}
