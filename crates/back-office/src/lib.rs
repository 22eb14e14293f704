//! The back office.

pub mod types;

use actix_web::{get, post, put, web::Data};
use inbox::{Inbox as _, InboxError, InboxQueries as _};
use jobs::Jobs;
use kernel::{JobId, MessageId, StoreError};
use mail::SEND_MAIL;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;

use self::types::{MailsParams, MailsResult, MessageResult, MessagesParams, MessagesResult, Overview};
use http_core::{
    app::App,
    error::{ApiError, Code},
    extract::{Admin, Body, Path, Query},
    openapi::Conflict,
    wire::{Answer, Nothing},
};

/// The calls of this folder.
pub fn configure(config: &mut ServiceConfig) {
    config.service(overview).service(messages).service(set_message).service(mails).service(retry_mail);
}

/// What waits for a person in the back office.
#[utoipa::path(tag = "admin", responses((status = 200, description = "Counts.", body = Answer<Overview>)), security(("token" = [])))]
#[get("/api/admin/overview")]
async fn overview(app: Data<App>, _: Admin) -> Result<Answer<Overview>, ApiError> {
    let counted = app.db.read::<_, StoreError, _>(|pg| Ok((pg.count_unread_messages()?, pg.job_counts(&[SEND_MAIL])?)));
    let (unread, jobs) = counted.await?;
    Ok(Answer::new(Overview { unread, mails: jobs.as_slice().into() }))
}

/// A page of the inbox, latest first.
#[utoipa::path(tag = "admin", params(MessagesParams), responses((status = 200, description = "A page of messages.", body = Answer<MessagesResult>)), security(("token" = [])))]
#[get("/api/admin/messages")]
async fn messages(app: Data<App>, _: Admin, params: Query<MessagesParams>) -> Result<Answer<MessagesResult>, ApiError> {
    let (filter, after, limit) = params.read()?;
    let page = app.db.read::<_, StoreError, _>(move |pg| pg.inbox(&filter, after, limit)).await?;
    let next = page.next.map(|key| key.to_string());
    Ok(Answer::new(MessagesResult { messages: page.items.into_iter().map(Into::into).collect(), next }))
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
    responses((status = 200, description = "The message as it is now.", body = Answer<MessageResult>)),
    security(("token" = []))
)]
#[put("/api/admin/messages/{id}")]
async fn set_message(
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

/// A page of the mails that wait, were sent or could not be, latest first. What they say is not shown.
#[utoipa::path(tag = "admin", params(MailsParams), responses((status = 200, description = "A page of mails.", body = Answer<MailsResult>)), security(("token" = [])))]
#[get("/api/admin/mails")]
async fn mails(app: Data<App>, _: Admin, params: Query<MailsParams>) -> Result<Answer<MailsResult>, ApiError> {
    let (state, after, limit) = params.read()?;
    let page = app.db.read::<_, StoreError, _>(move |pg| pg.jobs(SEND_MAIL, state, after, limit)).await?;
    let next = page.next.map(|key| key.to_string());
    Ok(Answer::new(MailsResult { mails: page.items.into_iter().map(Into::into).collect(), next }))
}

/// Has a mail tried again that was set aside.
#[utoipa::path(
    tag = "admin",
    params(("id" = i64, Path, description = "The id of a mail.", minimum = 1)),
    responses((status = 200, description = "It waits to be sent.", body = Answer<Nothing>), Conflict),
    security(("token" = []))
)]
#[post("/api/admin/mails/{id}/retry")]
async fn retry_mail(app: Data<App>, _: Admin, id: Path<String>) -> Result<Answer<Nothing>, ApiError> {
    let unknown = || ApiError::not_found("mail");
    let (id, now): (JobId, _) = (id.parse().map_err(|_| unknown())?, app.env.now());
    let retried = app.db.write::<_, StoreError, _>(move |pg| pg.retry_job(SEND_MAIL, id, now)).await?;
    if retried.ok_or_else(unknown)? {
        Ok(Answer::new(Nothing {}))
    } else {
        Err(ApiError::new(Code::AlreadyThere, "Only a mail that was set aside can be tried again."))
    }
}
