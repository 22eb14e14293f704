//! Notices, webhooks and push subscriptions, in Postgres.

use chrono::{DateTime, NaiveDate, Utc};
use diesel::{
    BoolExpressionMethods, ExpressionMethods, JoinOnDsl, OptionalExtension, QueryDsl, RunQueryDsl, SelectableHelper,
    delete, insert_into, update,
};
use kernel::{HighlightId, Limit, PushSubscriptionId, SessionId, StoreError, Timestamp, UserId};
use study::{
    DueNotice, Notice, NoticeCommands, NoticeQueries, PushSubscription, PushTarget, StoredHighlight, Webhook,
    WebhookAttempt, WebhookUrl,
};

use crate::{
    Pg,
    schema::{highlights, push_subscriptions, sessions, study_notices, study_webhooks},
    study::Row,
    time::{day_from_db, day_to_db, from_db, to_db},
};

/// The columns of a notice.
type NoticeColumns = (String, Option<DateTime<Utc>>, Option<NaiveDate>, Option<i64>);

fn notice_from((kind, due_at, last_on, last_highlight): NoticeColumns) -> Result<Notice, StoreError> {
    Ok(Notice {
        kind: kind.parse().map_err(StoreError::new)?,
        due_at: due_at.map(from_db),
        last_on: last_on.map(day_from_db),
        last_highlight: last_highlight.map(HighlightId::from_store),
    })
}

const NOTICE_COLUMNS: (
    study_notices::kind,
    study_notices::due_at,
    study_notices::last_on,
    study_notices::last_highlight,
) = (study_notices::kind, study_notices::due_at, study_notices::last_on, study_notices::last_highlight);

/// The columns of a webhook: URL, salt, creation, whether it is on; moment, status and error of the latest attempt.
type WebhookColumns = (String, Vec<u8>, DateTime<Utc>, bool, Option<DateTime<Utc>>, Option<i16>, String);

fn webhook_from((url, salt, created_at, is_on, last_at, status, error): WebhookColumns) -> Webhook {
    let status = status.map(i16::unsigned_abs);
    let last = last_at.map(|at| WebhookAttempt { at: from_db(at), status, error });
    Webhook { url: WebhookUrl::from_store(url), salt, created_at: from_db(created_at), is_on, last }
}

/// The columns of a push subscription: id, session, endpoint, public key and secret.
type PushColumns = (i64, i64, String, Vec<u8>, Vec<u8>);

fn push_from((id, session, endpoint, p256dh, auth): PushColumns) -> PushSubscription {
    let target = PushTarget { endpoint, p256dh, auth };
    PushSubscription { id: PushSubscriptionId::from_store(id), session: SessionId::from_store(session), target }
}

const PUSH_COLUMNS: (
    push_subscriptions::id,
    push_subscriptions::session_id,
    push_subscriptions::endpoint,
    push_subscriptions::p256dh,
    push_subscriptions::auth,
) = (
    push_subscriptions::id,
    push_subscriptions::session_id,
    push_subscriptions::endpoint,
    push_subscriptions::p256dh,
    push_subscriptions::auth,
);

/// The push subscriptions whose session lives at this moment.
macro_rules! live_subscriptions {
    ($now:expr) => {
        push_subscriptions::table
            .inner_join(sessions::table.on(sessions::id.eq(push_subscriptions::session_id)))
            .filter(sessions::revoked_at.is_null().and(sessions::expires_at.gt(to_db($now))))
            .select(PUSH_COLUMNS)
    };
}

impl<A> NoticeQueries for Pg<'_, A> {
    fn notices_due(
        &mut self,
        by: Timestamp,
        after: Option<DueNotice>,
        limit: Limit,
    ) -> Result<Vec<DueNotice>, StoreError> {
        let (user, kind) = after.map_or((i64::MIN, ""), |after| (after.member.get(), after.kind.as_str()));
        let is_after =
            study_notices::user_id.gt(user).or(study_notices::user_id.eq(user).and(study_notices::kind.gt(kind)));
        let rows: Vec<(i64, String)> = self.run(|conn| {
            study_notices::table
                .filter(study_notices::due_at.le(to_db(by)).and(is_after))
                .order((study_notices::user_id, study_notices::kind))
                .limit(i64::try_from(limit.get()).unwrap_or(i64::MAX))
                .select((study_notices::user_id, study_notices::kind))
                .load(conn)
        })?;
        rows.into_iter()
            .map(|(member, kind)| {
                let kind = kind.parse().map_err(StoreError::new)?;
                Ok(DueNotice { member: UserId::from_store(member), kind })
            })
            .collect()
    }

    fn highlights_by_id(
        &mut self,
        member: UserId,
        after: Option<HighlightId>,
        limit: usize,
    ) -> Result<Vec<StoredHighlight>, StoreError> {
        let is_next = highlights::id.gt(after.map_or(0, HighlightId::get));
        let rows: Vec<Row> = self.run(|conn| {
            highlights::table
                .filter(highlights::user_id.eq(member.get()).and(is_next))
                .filter(highlights::is_shown.and(highlights::exact.ne("")))
                .order(highlights::id)
                .limit(i64::try_from(limit).unwrap_or(i64::MAX))
                .select(Row::as_select())
                .load(conn)
        })?;
        self.highlights_with_tags(member, rows)
    }

    fn webhook_of(&mut self, member: UserId) -> Result<Option<Webhook>, StoreError> {
        let found: Option<WebhookColumns> = self.run(|conn| {
            study_webhooks::table
                .find(member.get())
                .select((
                    study_webhooks::url,
                    study_webhooks::salt,
                    study_webhooks::created_at,
                    study_webhooks::is_on,
                    study_webhooks::last_at,
                    study_webhooks::last_status,
                    study_webhooks::last_error,
                ))
                .first(conn)
                .optional()
        })?;
        Ok(found.map(webhook_from))
    }

    fn push_subscriptions_of(&mut self, member: UserId, now: Timestamp) -> Result<Vec<PushSubscription>, StoreError> {
        let rows: Vec<PushColumns> = self.run(|conn| {
            live_subscriptions!(now).filter(sessions::user_id.eq(member.get())).order(push_subscriptions::id).load(conn)
        })?;
        Ok(rows.into_iter().map(push_from).collect())
    }

    fn push_subscription(
        &mut self,
        id: PushSubscriptionId,
        now: Timestamp,
    ) -> Result<Option<PushSubscription>, StoreError> {
        let found: Option<PushColumns> = self
            .run(|conn| live_subscriptions!(now).filter(push_subscriptions::id.eq(id.get())).first(conn).optional())?;
        Ok(found.map(push_from))
    }
}

impl NoticeCommands for Pg<'_> {
    fn lock_due_notice(&mut self, due: DueNotice, by: Timestamp) -> Result<Option<Notice>, StoreError> {
        let found: Option<NoticeColumns> = self.run(|conn| {
            study_notices::table
                .find((due.member.get(), due.kind.as_str()))
                .filter(study_notices::due_at.le(to_db(by)))
                .select(NOTICE_COLUMNS)
                .for_update()
                .first(conn)
                .optional()
        })?;
        found.map(notice_from).transpose()
    }

    fn put_notice(&mut self, member: UserId, notice: Notice) -> Result<(), StoreError> {
        let set = (
            study_notices::due_at.eq(notice.due_at.map(to_db)),
            study_notices::last_on.eq(notice.last_on.map(day_to_db)),
            study_notices::last_highlight.eq(notice.last_highlight.map(HighlightId::get)),
        );
        self.run(|conn| {
            insert_into(study_notices::table)
                .values((study_notices::user_id.eq(member.get()), study_notices::kind.eq(notice.kind.as_str()), set))
                .on_conflict((study_notices::user_id, study_notices::kind))
                .do_update()
                .set(set)
                .execute(conn)
                .map(|_| ())
        })
    }

    fn lock_notices(&mut self, member: UserId) -> Result<Vec<Notice>, StoreError> {
        let rows: Vec<NoticeColumns> = self.run(|conn| {
            study_notices::table
                .filter(study_notices::user_id.eq(member.get()))
                // As the kinds are ordered.
                .order(study_notices::kind.desc())
                .select(NOTICE_COLUMNS)
                .for_update()
                .load(conn)
        })?;
        rows.into_iter().map(notice_from).collect()
    }

    fn put_webhook(&mut self, member: UserId, webhook: &Webhook) -> Result<(), StoreError> {
        let last = webhook.last.as_ref();
        let set = (
            study_webhooks::url.eq(webhook.url.as_str()),
            study_webhooks::salt.eq(&webhook.salt),
            study_webhooks::created_at.eq(to_db(webhook.created_at)),
            study_webhooks::is_on.eq(webhook.is_on),
            study_webhooks::last_at.eq(last.map(|last| to_db(last.at))),
            study_webhooks::last_status.eq(last.and_then(status_column)),
            study_webhooks::last_error.eq(last.map_or("", |last| &last.error)),
        );
        self.run(|conn| {
            insert_into(study_webhooks::table)
                .values((study_webhooks::user_id.eq(member.get()), set))
                .on_conflict(study_webhooks::user_id)
                .do_update()
                .set(set)
                .execute(conn)
                .map(|_| ())
        })
    }

    fn delete_webhook(&mut self, member: UserId) -> Result<bool, StoreError> {
        self.run(|conn| delete(study_webhooks::table.find(member.get())).execute(conn)).map(|deleted| deleted > 0)
    }

    fn record_webhook_attempt(
        &mut self,
        member: UserId,
        salt: &[u8],
        attempt: &WebhookAttempt,
        is_on: Option<bool>,
    ) -> Result<(), StoreError> {
        let set = (
            is_on.map(|is_on| study_webhooks::is_on.eq(is_on)),
            study_webhooks::last_at.eq(to_db(attempt.at)),
            study_webhooks::last_status.eq(status_column(attempt)),
            study_webhooks::last_error.eq(&attempt.error),
        );
        self.run(|conn| {
            update(study_webhooks::table.find(member.get()).filter(study_webhooks::salt.eq(salt)))
                .set(set)
                .execute(conn)
                .map(|_| ())
        })
    }

    fn put_push_subscription(
        &mut self,
        session: SessionId,
        target: &PushTarget,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let same =
            push_subscriptions::session_id.eq(session.get()).or(push_subscriptions::endpoint.eq(&target.endpoint));
        let row = (
            push_subscriptions::session_id.eq(session.get()),
            push_subscriptions::endpoint.eq(&target.endpoint),
            push_subscriptions::p256dh.eq(&target.p256dh),
            push_subscriptions::auth.eq(&target.auth),
            push_subscriptions::created_at.eq(to_db(now)),
        );
        self.run(|conn| {
            delete(push_subscriptions::table.filter(same)).execute(conn)?;
            // Of two calls at once one is stored.
            insert_into(push_subscriptions::table).values(row).on_conflict_do_nothing().execute(conn).map(|_| ())
        })
    }

    fn delete_push_subscription_of(&mut self, session: SessionId) -> Result<(), StoreError> {
        let of_session = push_subscriptions::table.filter(push_subscriptions::session_id.eq(session.get()));
        self.run(|conn| delete(of_session).execute(conn)).map(|_| ())
    }

    fn delete_push_subscription(&mut self, id: PushSubscriptionId) -> Result<(), StoreError> {
        self.run(|conn| delete(push_subscriptions::table.find(id.get())).execute(conn)).map(|_| ())
    }
}

/// The status of an attempt's response as a column.
fn status_column(attempt: &WebhookAttempt) -> Option<i16> {
    attempt.status.and_then(|status| i16::try_from(status).ok())
}
