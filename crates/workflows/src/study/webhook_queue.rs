//! Queues new highlights for webhooks.

use identity::IdentityQueries;
use jobs::{JobKind, JobRequest, Jobs, Queue};
use kernel::{HighlightId, StoreError, UserId};
use serde::{Deserialize, Serialize};
use study::{NoticeQueries, Webhook};

use crate::tx::Tx;

/// The job that posts a new highlight. A slow receiver holds up none but webhooks.
pub(super) const HIGHLIGHT_WEBHOOK: JobKind =
    JobKind::long("highlight_webhook").in_queue(Queue { name: "webhooks", slots: 4 });

/// The payload of the job.
#[derive(Debug, Serialize, Deserialize)]
pub struct QueuedHighlight {
    member: i64,
    highlight: i64,
    /// The salt of the webhook: one that was replaced meanwhile gets nothing of before.
    salt: String,
}

impl QueuedHighlight {
    /// Whether it is still to be posted to this webhook.
    pub(super) fn is_for(&self, webhook: &Webhook) -> bool {
        webhook.is_on && hex::encode(&webhook.salt) == self.salt
    }

    pub(super) const fn member(&self) -> UserId {
        UserId::from_store(self.member)
    }

    pub(super) const fn highlight(&self) -> HighlightId {
        HighlightId::from_store(self.highlight)
    }
}

/// Queues a new highlight for the member's webhook, if there is one.
pub(super) fn queue_highlight(tx: &mut Tx<'_, '_>, member: UserId, highlight: HighlightId) -> Result<(), StoreError> {
    let Some(webhook) = tx.pg.webhook_of(member)?.filter(|webhook| webhook.is_on) else { return Ok(()) };
    let queued = QueuedHighlight { member: member.get(), highlight: highlight.get(), salt: hex::encode(webhook.salt) };
    let payload = serde_json::to_vec(&queued).map_err(StoreError::new)?;
    let now = tx.now();
    // It is deleted with the account.
    let owner = tx.pg.user(member)?.map(|user| user.email);
    let work = JobRequest { kind: HIGHLIGHT_WEBHOOK, about: "", recipient: owner.as_ref(), payload: &payload };
    tx.pg.queue_job(work, now).map(|_| ())
}
