//! `GET /api/admin/messages`.

use actix_web::{get, web::Data};
use inbox::InboxQueries as _;
use kernel::StoreError;

use crate::{
    app::App,
    error::ApiError,
    extract::{Admin, Query},
    routes::admin::types::{MessagesParams, MessagesResult},
    wire::Answer,
};

/// A page of the inbox, latest first.
#[utoipa::path(tag = "admin", params(MessagesParams), responses((status = 200, description = "A page of messages.", body = Answer<MessagesResult>)), security(("token" = [])))]
#[get("/api/admin/messages")]
pub(super) async fn messages(
    app: Data<App>,
    _: Admin,
    params: Query<MessagesParams>,
) -> Result<Answer<MessagesResult>, ApiError> {
    let (filter, after, limit) = params.read()?;
    let page = app.db.read::<_, StoreError, _>(move |pg| pg.inbox(&filter, after, limit)).await?;
    let next = page.next.map(|key| key.to_string());
    Ok(Answer::new(MessagesResult { messages: page.items.into_iter().map(Into::into).collect(), next }))
}
