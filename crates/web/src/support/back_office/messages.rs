//! The inbox: its messages, and marking them as done (`support.message-list`).

use actix_web::{get, put, web::Data};
use admin::{AuditEvent, Subject, SubjectKind};
use kernel::{MessageId, StoreError};
use serde::Deserialize;
use support::{Support as _, SupportError, SupportQueries as _};
use utoipa::ToSchema;

use crate::{
    app::App,
    extract::{ActingAdmin, Admin, Body, Path, Query},
    http::{error::ApiError, wire::Answer},
    support::back_office::{
        answers::with_last_answers,
        types::{MessageResult, MessagesParams, MessagesResult},
    },
};

/// A page of the inbox, latest first.
#[utoipa::path(tag = "admin", params(MessagesParams), responses((status = 200, description = "A page of messages.", body = Answer<MessagesResult>)), security(("token" = [])))]
#[get("/api/admin/messages")]
pub(crate) async fn messages(
    app: Data<App>,
    _: Admin,
    params: Query<MessagesParams>,
) -> Result<Answer<MessagesResult>, ApiError> {
    let (filter, after, limit) = params.read()?;
    let found = app.db.read_from_replica::<_, StoreError, _>(move |pg| {
        let page = pg.inbox(&filter, after, limit)?;
        Ok((with_last_answers(pg, page.items)?, page.next))
    });
    let (messages, next) = found.await?;
    Ok(Answer::new(MessagesResult { messages, next: next.map(|key| key.to_string()) }))
}

/// What is to become of a message.
#[derive(Debug, Deserialize, ToSchema)]
struct SetMessage {
    /// Whether a person has seen to it.
    done: bool,
}

/// Marks a message as done or not.
#[utoipa::path(
    tag = "admin",
    params(("id" = i64, Path, description = "The id of a message.", minimum = 1)),
    request_body = SetMessage,
    responses((status = 200, description = "The updated message.", body = Answer<MessageResult>)),
    security(("token" = []))
)]
#[put("/api/admin/messages/{id}")]
pub(crate) async fn set_message(
    app: Data<App>,
    acting: ActingAdmin,
    id: Path<String>,
    Body(SetMessage { done }): Body<SetMessage>,
) -> Result<Answer<MessageResult>, ApiError> {
    let id: MessageId = id.parse().map_err(|_| SupportError::UnknownMessage)?;
    let marked = app.transactions.write_as::<_, SupportError, _>(acting.actor, move |tx, trail| {
        let now = tx.now();
        let message = tx.pg.mark_message(id, done, now)?;
        let action = if done { "message.done" } else { "message.reopen" };
        trail.record(AuditEvent::new(action, Subject::named(SubjectKind::Message, id.get(), message.kind.as_str())));
        let message = with_last_answers(tx.pg, vec![message])?.pop().ok_or(SupportError::UnknownMessage)?;
        Ok(message)
    });
    Ok(Answer::new(MessageResult { message: marked.await? }))
}
