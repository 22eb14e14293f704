//! `/api/study/push`: the browsers that show a member's reminders (`study.push-messages`).

use actix_web::{delete, get, put, web::Data};
use kernel::StoreError;
use serde::{Deserialize, Serialize};
use study::{NoticeCommands, NoticeQueries, PushTarget};
use utoipa::ToSchema;
use workflows::study::push::push_key;

use crate::{
    app::App,
    extract::{Body, Member},
    http::{
        error::ApiError,
        wire::{Answer, Nothing},
    },
};

/// What a browser needs to subscribe.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PushResult {
    /// The `applicationServerKey`: the public key of this server, in base64url.
    key: String,
    /// Whether the browser of this session shows messages.
    is_subscribed: bool,
    /// How many browsers of the member do.
    browsers: usize,
}

/// The keys of a browser, in base64url.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub(super) struct PushKeys {
    p256dh: String,
    auth: String,
}

/// A push subscription as browsers tell it (`PushSubscription.toJSON()`).
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub(super) struct PushBody {
    /// The URL of the browser's push service.
    #[schema(min_length = 1)]
    endpoint: String,
    keys: PushKeys,
}

/// The key by which a browser subscribes, and which of the member's do.
#[utoipa::path(
    tag = "study",
    responses((status = 200, description = "The key.", body = Answer<PushResult>)),
    security(("token" = []))
)]
#[get("/api/study/push")]
pub(super) async fn study_push(app: Data<App>, Member(claims): Member) -> Result<Answer<PushResult>, ApiError> {
    let result = app.write_tx::<_, ApiError, _>(move |tx| {
        let now = tx.now();
        let browsers = tx.pg.push_subscriptions_of(claims.user, now)?;
        let is_subscribed = browsers.iter().any(|browser| browser.session == claims.session);
        Ok(PushResult { key: push_key(tx)?.public().to_owned(), is_subscribed, browsers: browsers.len() })
    });
    Ok(Answer::new(result.await?))
}

/// Lets the browser of this session show messages, until its session ends.
#[utoipa::path(
    tag = "study",
    request_body = PushBody,
    responses((status = 200, description = "It will show messages.", body = Answer<Nothing>)),
    security(("token" = []))
)]
#[put("/api/study/push")]
pub(super) async fn save_study_push(
    app: Data<App>,
    Member(claims): Member,
    Body(body): Body<PushBody>,
) -> Result<Answer<Nothing>, ApiError> {
    let target = PushTarget::parse(&body.endpoint, &body.keys.p256dh, &body.keys.auth, app.config.private_webhooks)?;
    app.write_tx::<_, StoreError, _>(move |tx| {
        let now = tx.now();
        tx.pg.put_push_subscription(claims.session, &target, now)
    })
    .await?;
    Ok(Answer::new(Nothing {}))
}

/// Ends the messages in the browser of this session.
#[utoipa::path(
    tag = "study",
    responses((status = 200, description = "It shows no more.", body = Answer<Nothing>)),
    security(("token" = []))
)]
#[delete("/api/study/push")]
pub(super) async fn delete_study_push(app: Data<App>, Member(claims): Member) -> Result<Answer<Nothing>, ApiError> {
    app.db.write::<_, StoreError, _>(move |pg| pg.delete_push_subscription_of(claims.session)).await?;
    Ok(Answer::new(Nothing {}))
}
