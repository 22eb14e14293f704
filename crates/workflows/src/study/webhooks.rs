//! The webhook of a member: changing it, and the job that posts a new highlight to it (`study.highlight-webhook`).

use std::sync::Arc;

use identity::{Identity, IdentityError, RateLimitBucket};
use jobs::{Job, JobDefinition, JobKind, LongJob, Outcome, PayloadError, State};
use kernel::{Env, HighlightId, StoreError, Timestamp, UserId};
use page_fetch::{FetchError, Header, Poster};
use postgres::Pg;
use serde_json::{Value, json};
use study::{
    NoticeCommands, NoticeQueries, StudyQueries, WEBHOOK_SALT_BYTES, Webhook, WebhookAttempt, WebhookSecret,
    WebhookUrl, timestamp,
};
use worker::RecordEnd;

use crate::{
    rate_limits::count_attempt,
    study::{
        exports::source_of,
        highlights::shown_to,
        shown::ShownHighlight,
        webhook_queue::{HIGHLIGHT_WEBHOOK, QueuedHighlight},
    },
    tx::{Transactions, Tx},
};

/// Stores a member's webhook in place of one before. Returns it with its new secret, which is shown once.
pub fn save_webhook(
    tx: &mut Tx<'_, '_>,
    member: UserId,
    url: WebhookUrl,
) -> Result<(Webhook, WebhookSecret), IdentityError> {
    count_attempt(tx, RateLimitBucket::StudyWebhook, &member.to_string())?;
    let mut salt = vec![0; WEBHOOK_SALT_BYTES];
    tx.env.fill_random(&mut salt);
    let webhook = Webhook { url, salt, created_at: tx.now(), is_on: true, last: None };
    let secret = secret_of(tx, member, &webhook)?;
    tx.pg.put_webhook(member, &webhook)?;
    Ok((webhook, secret))
}

fn secret_of(tx: &mut Tx<'_, '_>, member: UserId, webhook: &Webhook) -> Result<WebhookSecret, IdentityError> {
    Ok(WebhookSecret::derive(&tx.pg.webhook_key(tx.seal, tx.env)?, member, &webhook.salt))
}

/// A message to a webhook.
struct WebhookMessage {
    webhook: Webhook,
    secret: WebhookSecret,
    /// The same on every attempt, so that a receiver can drop a duplicate.
    id: String,
    body: Vec<u8>,
}

impl WebhookMessage {
    /// Posts it; returns the attempt.
    async fn post(&self, poster: &Poster, now: Timestamp) -> WebhookAttempt {
        let answered = poster.post(self.webhook.url.as_str(), &self.headers(now), self.body.clone()).await;
        match answered {
            Ok(status @ 200..=299) => WebhookAttempt { at: now, status: Some(status), error: String::new() },
            Ok(status) => {
                WebhookAttempt { at: now, status: Some(status), error: format!("It answered with {status}.") }
            }
            Err(error) => WebhookAttempt { at: now, status: None, error: reason(&error).to_owned() },
        }
    }

    /// The headers by which the receiver verifies it.
    fn headers(&self, now: Timestamp) -> Vec<Header> {
        vec![
            ("content-type", "application/json".to_owned()),
            ("webhook-id", self.id.clone()),
            ("webhook-timestamp", timestamp(now).to_string()),
            ("webhook-signature", self.secret.signature(&self.id, now, &self.body)),
        ]
    }
}

/// Why there was no response, for the member.
const fn reason(error: &FetchError) -> &'static str {
    match error {
        FetchError::AddressNotPublic => "Its address is not on the public web.",
        FetchError::HostNotFound => "Its host was not found.",
        FetchError::TimedOut(_) => "It did not answer within 10 seconds.",
        _ => "It can’t be reached.",
    }
}

/// Posts a test message to the member's webhook; returns it with the attempt. `None`: there is none.
pub async fn test_webhook(
    transactions: &Transactions,
    (poster, env): (&Poster, &dyn Env),
    member: UserId,
) -> Result<Option<Webhook>, IdentityError> {
    let message = transactions.write::<_, IdentityError, _>(move |tx| {
        count_attempt(tx, RateLimitBucket::StudyWebhook, &member.to_string())?;
        let Some(webhook) = tx.pg.webhook_of(member)? else { return Ok(None) };
        let (secret, now) = (secret_of(tx, member, &webhook)?, tx.now());
        let mut random = [0; 8];
        tx.env.fill_random(&mut random);
        let body = event_body("test", now, &json!({}))?;
        Ok(Some(WebhookMessage { webhook, secret, id: format!("test_{}", hex::encode(random)), body }))
    });
    let Some(message) = message.await? else { return Ok(None) };
    let attempt = message.post(poster, env.now()).await;
    // A webhook that answers again goes on.
    let is_on = attempt.error.is_empty().then_some(true);
    let webhook =
        Webhook { is_on: is_on.unwrap_or(message.webhook.is_on), last: Some(attempt.clone()), ..message.webhook };
    let salt = webhook.salt.clone();
    let record = move |tx: &mut Tx<'_, '_>| tx.pg.record_webhook_attempt(member, &salt, &attempt, is_on);
    transactions.write::<_, StoreError, _>(record).await?;
    Ok(Some(webhook))
}

/// The body of a message.
fn event_body(kind: &str, at: Timestamp, data: &Value) -> Result<Vec<u8>, StoreError> {
    let body = json!({ "type": kind, "timestamp": study::utc_text(at), "data": data });
    serde_json::to_vec(&body).map_err(StoreError::new)
}

/// A new highlight as a webhook gets it.
fn highlight_data(tx: &Tx<'_, '_>, shown: &ShownHighlight) -> Value {
    let (highlight, source) = (&shown.stored.highlight, source_of(tx, shown));
    let state = &highlight.state;
    let tags: Vec<&str> = state.shown_tags().into_iter().map(study::Tag::as_str).collect();
    json!({
        "id": highlight.id.get(),
        "words": state.anchor.exact,
        "note": state.note.value.as_str(),
        "tags": tags,
        "color": state.color.value.as_str(),
        "title": source.title,
        "author": source.author,
        "url": source.url,
        "createdAt": study::utc_text(state.created_at),
    })
}

/// The job that posts a new highlight to a member's webhook.
#[derive(Clone)]
pub struct PostHighlight {
    pub transactions: Transactions,
    pub env: Arc<dyn Env>,
    pub poster: Poster,
}

impl std::fmt::Debug for PostHighlight {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("PostHighlight")
    }
}

impl JobDefinition for PostHighlight {
    const KIND: JobKind = HIGHLIGHT_WEBHOOK;
    type Payload = QueuedHighlight;

    fn decode(&self, payload: &[u8]) -> Result<QueuedHighlight, PayloadError> {
        serde_json::from_slice(payload).map_err(|_| PayloadError("It names no highlight.".to_owned()))
    }
}

impl LongJob for PostHighlight {
    async fn run_long(&self, queued: &QueuedHighlight) -> Outcome {
        match self.post(queued).await {
            Ok(outcome) => outcome,
            Err(error) => Outcome::Failed { reason: error.to_string(), is_permanent: false },
        }
    }
}

impl PostHighlight {
    async fn post(&self, queued: &QueuedHighlight) -> Result<Outcome, IdentityError> {
        let (member, id) = (queued.member(), queued.highlight());
        let message = self.transactions.write::<_, IdentityError, _>(move |tx| message_of(tx, member, id));
        let Some(message) = message.await?.filter(|message| queued.is_for(&message.webhook)) else {
            return Ok(Outcome::Done);
        };
        let attempt = message.post(&self.poster, self.env.now()).await;
        // The receiver has said that it is gone.
        let is_gone = attempt.status == Some(410);
        let outcome = if attempt.error.is_empty() || is_gone {
            Outcome::Done
        } else {
            Outcome::Failed { reason: attempt.error.clone(), is_permanent: false }
        };
        let salt = message.webhook.salt;
        // Another delivery may have switched it off meanwhile.
        let is_on = is_gone.then_some(false);
        let record = move |tx: &mut Tx<'_, '_>| tx.pg.record_webhook_attempt(member, &salt, &attempt, is_on);
        self.transactions.write::<_, StoreError, _>(record).await?;
        Ok(outcome)
    }
}

/// The message of a highlight; `None`: it was deleted, or there is no webhook any more.
fn message_of(tx: &mut Tx<'_, '_>, member: UserId, id: HighlightId) -> Result<Option<WebhookMessage>, IdentityError> {
    let stored = tx.pg.find_highlight(member, id)?.filter(|stored| stored.highlight.state.is_shown());
    let (Some(stored), Some(webhook)) = (stored, tx.pg.webhook_of(member)?) else { return Ok(None) };
    let Some(shown) = shown_to(tx, member, vec![stored])?.pop() else { return Ok(None) };
    let at = shown.stored.highlight.state.created_at;
    let body = event_body("highlight.created", at, &highlight_data(tx, &shown))?;
    let secret = secret_of(tx, member, &webhook)?;
    // Ids of highlights are unique within a member only.
    let salt = hex::encode(webhook.salt.get(..4).unwrap_or_default());
    Ok(Some(WebhookMessage { webhook, secret, id: format!("{salt}_{id}"), body }))
}

impl RecordEnd for PostHighlight {
    /// Switches off a webhook to which a highlight could not be posted for a day.
    fn record_end(&self, pg: &mut Pg<'_>, job: &Job, queued: &QueuedHighlight) -> Result<(), StoreError> {
        if job.state != State::SetAside {
            return Ok(());
        }
        let webhook = pg.webhook_of(queued.member())?.filter(|webhook| queued.is_for(webhook));
        let Some((webhook, last)) = webhook.and_then(|webhook| webhook.last.clone().map(|last| (webhook, last))) else {
            return Ok(());
        };
        pg.record_webhook_attempt(queued.member(), &webhook.salt, &last, Some(false))
    }
}
