//! The back office's overview of open tasks, and the mails.

use actix_web::{get, post, web::Data};
use admin::{AuditEvent, FieldChange, Subject, SubjectKind};
use jobs::{JobQueries, Jobs};
use kernel::StoreError;
use mail::SEND_MAIL;
use support::SupportQueries as _;

use crate::{
    admin::{
        jobs::retry,
        mails_types::{MailsParams, MailsResult, MailsRetried, Overview},
    },
    app::App,
    extract::{ActingAdmin, Admin, Path, Query},
    http::{
        error::ApiError,
        openapi::Conflict,
        wire::{Answer, Nothing},
    },
};

/// What waits for a person in the back office.
#[utoipa::path(tag = "admin", responses((status = 200, description = "Counts.", body = Answer<Overview>)), security(("token" = [])))]
#[get("/api/admin/overview")]
pub(crate) async fn overview(app: Data<App>, _: Admin) -> Result<Answer<Overview>, ApiError> {
    let counted = app.db.read::<_, StoreError, _>(|pg| Ok((pg.count_unread_messages()?, pg.job_counts(&[SEND_MAIL])?)));
    let (unread, jobs) = counted.await?;
    Ok(Answer::new(Overview { unread, mails: jobs.as_slice().into() }))
}

/// A page of the mails that wait, were sent or could not be, latest first. What they say is not shown.
#[utoipa::path(tag = "admin", params(MailsParams), responses((status = 200, description = "A page of mails.", body = Answer<MailsResult>)), security(("token" = [])))]
#[get("/api/admin/mails")]
pub(crate) async fn mails(
    app: Data<App>,
    _: Admin,
    params: Query<MailsParams>,
) -> Result<Answer<MailsResult>, ApiError> {
    let (state, after, limit) = params.read()?;
    let page =
        app.db.read_from_replica::<_, StoreError, _>(move |pg| pg.jobs(&[SEND_MAIL], state, after, limit)).await?;
    let next = page.next.map(|key| key.to_string());
    Ok(Answer::new(MailsResult { mails: page.items.into_iter().map(Into::into).collect(), next }))
}

/// Has a mail tried again that was set aside.
#[utoipa::path(
    tag = "admin",
    params(("id" = i64, Path, description = "The id of a mail.", minimum = 1)),
    responses((status = 200, description = "Queued for delivery.", body = Answer<Nothing>), Conflict),
    security(("token" = []))
)]
#[post("/api/admin/mails/{id}/retry")]
pub(crate) async fn retry_mail(
    app: Data<App>,
    acting: ActingAdmin,
    id: Path<String>,
) -> Result<Answer<Nothing>, ApiError> {
    retry(&app, acting, (vec![SEND_MAIL], &id), SubjectKind::Mail, "mail.retry", "email").await
}

/// The most mails that one call has tried again.
const MOST_RETRIED: usize = 1_000;

/// Has the mails tried again that certainly were not sent, as many as 1,000, newest first (`admin.retry-all`). Those that may have arrived
/// are left: they are tried again one by one.
#[utoipa::path(
    tag = "admin",
    responses((status = 200, description = "Queued for delivery.", body = Answer<MailsRetried>)),
    security(("token" = []))
)]
#[post("/api/admin/mails/retry")]
pub(crate) async fn retry_mails(app: Data<App>, acting: ActingAdmin) -> Result<Answer<MailsRetried>, ApiError> {
    let retried = app.transactions.write_as::<_, StoreError, _>(acting.actor, |tx, trail| {
        let now = tx.now();
        let (retried, left) = tx.pg.retry_failed_jobs(SEND_MAIL, MOST_RETRIED, now)?;
        if retried > 0 {
            let change = FieldChange::between("count", None, Some(&retried.to_string()));
            trail.record(AuditEvent::new("mail.retry_all", Subject::whole(SubjectKind::Mail)).with([change]));
        }
        Ok(MailsRetried { retried, left })
    });
    Ok(Answer::new(retried.await?))
}
