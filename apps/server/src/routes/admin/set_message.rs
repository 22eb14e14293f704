//! `PUT /api/admin/messages/{id}`.

use actix_web::{put, web::Data};
use inbox::{Inbox as _, InboxError};
use kernel::MessageId;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    app::App,
    error::ApiError,
    extract::{Admin, Body, Path},
    routes::admin::types::MessageResult,
    wire::Answer,
};

/// What is to become of a message.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct SetMessage {
    /// Whether a person has seen to it.
    done: bool,
}

/// Marks a message as done or not.
#[utoipa::path(
    tag = "admin",
    params(("id" = i64, Path, description = "The id of a message.", minimum = 1)),
    request_body = SetMessage,
    responses((status = 200, description = "The message as it is now.", body = Answer<MessageResult>)),
    security(("token" = []))
)]
#[put("/api/admin/messages/{id}")]
pub(super) async fn set_message(
    app: Data<App>,
    _: Admin,
    id: Path<String>,
    Body(SetMessage { done }): Body<SetMessage>,
) -> Result<Answer<MessageResult>, ApiError> {
    let id: MessageId = id.parse().map_err(|_| InboxError::UnknownMessage)?;
    let now = app.env.now();
    let message = app.db.write(move |pg| pg.mark_message(id, done, now)).await?;
    Ok(Answer::new(MessageResult { message: message.into() }))
}
