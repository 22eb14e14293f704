//! Push messages: the browsers of a member, and the job that sends a message to one (`study.push-messages`).

use std::sync::Arc;

use identity::{Identity, IdentityError, SealError};
use jobs::{
    JobDefinition, JobKind, JobRequest, Jobs, LongJob, MAX_UNCERTAIN, Outcome, PayloadError, Queue, RetryPolicy,
};
use kernel::{Env, HOUR, PushSubscriptionId, SECOND, StoreError, Timestamp, UserId};
use push::{PushKey, PushMessage, PushOutcome, PushSender};
use serde::{Deserialize, Serialize};
use study::{NoticeCommands, NoticeQueries};

use crate::tx::{Transactions, Tx};

/// The job that sends a message to a browser. A reminder is of its day, so it is tried for some minutes.
const PUSH_MESSAGE: JobKind = JobKind {
    retry: RetryPolicy { max_attempts: 5, max_uncertain: MAX_UNCERTAIN, first_wait: 10 * SECOND, longest_wait: HOUR },
    ..JobKind::long("push_message").in_queue(Queue { name: "push", slots: 8 })
};

/// A message that is later than that is not sent.
const LATEST: i64 = 12 * HOUR;

/// The payload of the job. Nothing in it is personal.
#[derive(Debug, Serialize, Deserialize)]
pub struct QueuedPush {
    subscription: i64,
    /// When it was queued, in milliseconds since the Unix epoch.
    at: i64,
    message: PushMessage,
}

/// The key by which this server names itself to push services.
pub fn push_key(tx: &mut Tx<'_, '_>) -> Result<PushKey, IdentityError> {
    let bytes = tx.pg.push_key(tx.seal, tx.env)?;
    Ok(PushKey::new(&bytes).map_err(|_| SealError::Damaged)?)
}

/// Queues a message to all browsers of a member.
pub(super) fn queue_push(tx: &mut Tx<'_, '_>, member: UserId, message: &PushMessage) -> Result<(), StoreError> {
    let now = tx.now();
    for subscription in tx.pg.push_subscriptions_of(member, now)? {
        let queued = QueuedPush { subscription: subscription.id.get(), at: now.millis(), message: message.clone() };
        let payload = serde_json::to_vec(&queued).map_err(StoreError::new)?;
        tx.pg.queue_job(JobRequest { kind: PUSH_MESSAGE, about: "", recipient: None, payload: &payload }, now)?;
    }
    Ok(())
}

/// The job that sends a message to a browser.
#[derive(Clone)]
pub struct SendPush {
    pub transactions: Transactions,
    pub env: Arc<dyn Env>,
    pub sender: PushSender,
}

impl std::fmt::Debug for SendPush {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SendPush")
    }
}

impl JobDefinition for SendPush {
    const KIND: JobKind = PUSH_MESSAGE;
    type Payload = QueuedPush;

    fn decode(&self, payload: &[u8]) -> Result<QueuedPush, PayloadError> {
        serde_json::from_slice(payload).map_err(|_| PayloadError("It is no push message.".to_owned()))
    }
}

impl LongJob for SendPush {
    async fn run_long(&self, queued: &QueuedPush) -> Outcome {
        match self.send(queued).await {
            Ok(()) => Outcome::Done,
            Err(failure) => failure,
        }
    }
}

impl SendPush {
    async fn send(&self, queued: &QueuedPush) -> Result<(), Outcome> {
        // A message of a past day, as after a restore or a long outage, says what is not so any more.
        if self.env.now().since(Timestamp::from_millis(queued.at)) > LATEST {
            return Ok(());
        }
        let id = PushSubscriptionId::from_store(queued.subscription);
        let known = self.transactions.write::<_, IdentityError, _>(move |tx| {
            let now = tx.now();
            let subscription = tx.pg.push_subscription(id, now)?;
            Ok((subscription, push_key(tx)?))
        });
        let (subscription, key) = known.await.map_err(|error| retryable_failure(&error))?;
        // Its session has ended meanwhile.
        let Some(subscription) = subscription else { return Ok(()) };
        let sent = self.sender.send(&key, &subscription.target, &queued.message, self.env.now()).await;
        match sent {
            Ok(PushOutcome::Accepted) => Ok(()),
            Ok(PushOutcome::Gone) => {
                let removed = self.transactions.write::<_, StoreError, _>(move |tx| tx.pg.delete_push_subscription(id));
                removed.await.map_err(|error| retryable_failure(&error))
            }
            Err(error) => Err(Outcome::Failed { reason: error.to_string(), is_permanent: error.is_permanent() }),
        }
    }
}

/// A failure after which the job is tried again.
fn retryable_failure(error: &impl std::fmt::Display) -> Outcome {
    Outcome::Failed { reason: error.to_string(), is_permanent: false }
}
