//! `/api/study/webhook`: the URL to which a member's new highlights are posted (`study.highlight-webhook`).

use actix_web::{delete, get, post, put, web::Data};
use identity::IdentityError;
use kernel::StoreError;
use serde::{Deserialize, Serialize};
use study::{NoticeCommands, NoticeQueries, Webhook, WebhookAttempt, WebhookUrl};
use utoipa::ToSchema;
use workflows::study::webhooks::{save_webhook, test_webhook};

use crate::{
    app::App,
    extract::{Body, Member},
    http::{
        error::ApiError,
        openapi::{NotFound, TooManyTries},
        wire::{Answer, Nothing},
    },
};

/// An attempt to post to a webhook.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct WebhookAttemptItem {
    /// In milliseconds since the Unix epoch.
    at: i64,
    /// The status of the response; null without one.
    status: Option<u16>,
    /// Why it failed; empty after a success.
    error: String,
}

impl From<WebhookAttempt> for WebhookAttemptItem {
    fn from(WebhookAttempt { at, status, error }: WebhookAttempt) -> Self {
        Self { at: at.millis(), status, error }
    }
}

/// The webhook of a member.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct WebhookItem {
    url: String,
    /// In milliseconds since the Unix epoch.
    created_at: i64,
    /// Whether highlights are posted. It is switched off when a highlight could not be posted for a day, or the URL is gone.
    is_on: bool,
    /// The latest attempt; null before the first.
    last: Option<WebhookAttemptItem>,
}

impl From<Webhook> for WebhookItem {
    fn from(webhook: Webhook) -> Self {
        Self {
            url: webhook.url.as_str().to_owned(),
            created_at: webhook.created_at.millis(),
            is_on: webhook.is_on,
            last: webhook.last.map(Into::into),
        }
    }
}

/// The webhook of a member, if there is one.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct WebhookResult {
    webhook: Option<WebhookItem>,
}

/// A webhook that was saved.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct SavedWebhook {
    webhook: WebhookItem,
    /// By it the receiver verifies what is posted, as Standard Webhooks says. It is shown this once.
    secret: String,
}

/// Where to post.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub(super) struct WebhookBody {
    /// An `https` URL of the public web, of up to 2,000 bytes.
    #[schema(min_length = 1)]
    url: String,
}

/// The URL to which the member's new highlights are posted.
#[utoipa::path(
    tag = "study",
    responses((status = 200, description = "The webhook.", body = Answer<WebhookResult>)),
    security(("token" = []))
)]
#[get("/api/study/webhook")]
pub(super) async fn study_webhook(app: Data<App>, Member(claims): Member) -> Result<Answer<WebhookResult>, ApiError> {
    let webhook = app.db.read::<_, StoreError, _>(move |pg| pg.webhook_of(claims.user)).await?;
    Ok(Answer::new(WebhookResult { webhook: webhook.map(Into::into) }))
}

/// Saves the URL, in place of one before, with a new secret. Each new highlight is posted to it as JSON, signed as Standard Webhooks
/// says: `type` (`highlight.created`), `timestamp`, `data` (`id`, `words`, `note`, `tags`, `color`, `title`, `author`, `url`,
/// `createdAt`).
#[utoipa::path(
    tag = "study",
    request_body = WebhookBody,
    responses((status = 200, description = "It is saved.", body = Answer<SavedWebhook>), TooManyTries),
    security(("token" = []))
)]
#[put("/api/study/webhook")]
pub(super) async fn save_study_webhook(
    app: Data<App>,
    Member(claims): Member,
    Body(body): Body<WebhookBody>,
) -> Result<Answer<SavedWebhook>, ApiError> {
    let url = WebhookUrl::parse(&body.url, app.config.private_webhooks)?;
    let (webhook, secret) = app.write_tx::<_, IdentityError, _>(move |tx| save_webhook(tx, claims.user, url)).await?;
    Ok(Answer::new(SavedWebhook { webhook: webhook.into(), secret: secret.text() }))
}

/// Removes the URL. Nothing more is posted to it.
#[utoipa::path(
    tag = "study",
    responses((status = 200, description = "There is none now.", body = Answer<Nothing>)),
    security(("token" = []))
)]
#[delete("/api/study/webhook")]
pub(super) async fn delete_study_webhook(app: Data<App>, Member(claims): Member) -> Result<Answer<Nothing>, ApiError> {
    app.db.write::<_, StoreError, _>(move |pg| pg.delete_webhook(claims.user)).await?;
    Ok(Answer::new(Nothing {}))
}

/// Posts a message of the type `test`, and says what came of it. A webhook that was switched off and answers goes on.
#[utoipa::path(
    tag = "study",
    responses((status = 200, description = "With the attempt.", body = Answer<WebhookResult>), NotFound, TooManyTries),
    security(("token" = []))
)]
#[post("/api/study/webhook/test")]
pub(super) async fn test_study_webhook(
    app: Data<App>,
    Member(claims): Member,
) -> Result<Answer<WebhookResult>, ApiError> {
    let webhook = test_webhook(&app.transactions, (&app.poster, &*app.env), claims.user).await?;
    let webhook = webhook.ok_or_else(|| ApiError::not_found("webhook"))?;
    Ok(Answer::new(WebhookResult { webhook: Some(webhook.into()) }))
}
