//! What notices, the webhook and push messages need from storage.

use kernel::{HighlightId, Limit, PushSubscriptionId, SessionId, StoreError, Timestamp, UserId};

use crate::{DueNotice, Notice, PushSubscription, PushTarget, StoredHighlight, Webhook, WebhookAttempt};

/// Reads, callable with any connection.
pub trait NoticeQueries {
    /// Notices that are due by this moment, by member and kind, after `after`: up to the limit.
    fn notices_due(
        &mut self,
        by: Timestamp,
        after: Option<DueNotice>,
        limit: Limit,
    ) -> Result<Vec<DueNotice>, StoreError>;

    /// The member's shown highlights with words, by id, after `after`: up to `limit` of them.
    fn highlights_by_id(
        &mut self,
        member: UserId,
        after: Option<HighlightId>,
        limit: usize,
    ) -> Result<Vec<StoredHighlight>, StoreError>;

    /// The member's webhook.
    fn webhook_of(&mut self, member: UserId) -> Result<Option<Webhook>, StoreError>;

    /// The browsers that show the member's push messages, those whose session lives, by id.
    fn push_subscriptions_of(&mut self, member: UserId, now: Timestamp) -> Result<Vec<PushSubscription>, StoreError>;

    /// The browser with this id, if its session lives.
    fn push_subscription(
        &mut self,
        id: PushSubscriptionId,
        now: Timestamp,
    ) -> Result<Option<PushSubscription>, StoreError>;

    /// The highlights of the next digest: `count` at most, those after the one that was mailed last, then those at the beginning.
    /// Ids are random, so this is a random order in which each has its turn.
    fn digest_highlights(
        &mut self,
        member: UserId,
        last: Option<HighlightId>,
        count: usize,
    ) -> Result<Vec<StoredHighlight>, StoreError> {
        let mut next = self.highlights_by_id(member, last, count)?;
        if let Some(last) = last.filter(|_| next.len() < count) {
            let first = self.highlights_by_id(member, None, count - next.len())?;
            next.extend(first.into_iter().filter(|stored| stored.highlight.id <= last));
        }
        Ok(next)
    }
}

/// Writes, callable in any transaction.
pub trait NoticeCommands: NoticeQueries {
    /// Locks the member's notice of a kind, if it is due by this moment. No other transaction sends it meanwhile.
    fn lock_due_notice(&mut self, due: DueNotice, by: Timestamp) -> Result<Option<Notice>, StoreError>;

    /// Locks the member's notices, by kind.
    fn lock_notices(&mut self, member: UserId) -> Result<Vec<Notice>, StoreError>;

    /// Stores a notice of the member, in place of the one of its kind.
    fn put_notice(&mut self, member: UserId, notice: Notice) -> Result<(), StoreError>;

    /// Stores the member's webhook, in place of one before.
    fn put_webhook(&mut self, member: UserId, webhook: &Webhook) -> Result<(), StoreError>;

    /// Deletes the member's webhook; `false` if there is none.
    fn delete_webhook(&mut self, member: UserId) -> Result<bool, StoreError>;

    /// Stores the latest attempt of the webhook with this salt, and whether it goes on; `None`: that stays as it is. A webhook that
    /// was replaced meanwhile stays.
    fn record_webhook_attempt(
        &mut self,
        member: UserId,
        salt: &[u8],
        attempt: &WebhookAttempt,
        is_on: Option<bool>,
    ) -> Result<(), StoreError>;

    /// Stores the browser of a session, in place of an earlier one of the session or with the same endpoint.
    fn put_push_subscription(
        &mut self,
        session: SessionId,
        target: &PushTarget,
        now: Timestamp,
    ) -> Result<(), StoreError>;

    /// Deletes the browser of a session.
    fn delete_push_subscription_of(&mut self, session: SessionId) -> Result<(), StoreError>;

    /// Deletes a browser, which its push service does not know any more.
    fn delete_push_subscription(&mut self, id: PushSubscriptionId) -> Result<(), StoreError>;
}
