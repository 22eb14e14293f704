//! Jobs of every kind, and retrying dead letters.

use crate::{
    admin::jobs_types::{JOBS_PAGE, JobKinds, JobsParams, JobsResult},
    app::App,
    extract::{ActingAdmin, Admin, Path, Query},
    http::{
        error::{ApiError, Code},
        openapi::Conflict,
        wire::{
            Answer, Nothing,
            page::{after, limit},
        },
    },
};
use ::jobs::{JobKind, Jobs};
use actix_web::{get, post, web::Data};
use admin::{AuditEvent, Subject, SubjectKind};
use jobs::JobQueries;
use kernel::{JobId, Limit, StoreError};

/// A page of the jobs that wait, run, are done or were set aside, latest first. Those that are done or set aside stay for
/// 30 days.
#[utoipa::path(tag = "admin", params(JobsParams), responses((status = 200, description = "A page of jobs.", body = Answer<JobsResult>)), security(("token" = [])))]
#[get("/api/admin/jobs")]
pub(crate) async fn list_jobs(
    app: Data<App>,
    all: Data<JobKinds>,
    _: Admin,
    params: Query<JobsParams>,
) -> Result<Answer<JobsResult>, ApiError> {
    let (state, kinds) = (params.state.map(Into::into), params.kinds(&all));
    let (after, limit) = (after(params.after.as_deref())?, limit(params.limit, JOBS_PAGE, Limit::MAX)?);
    let page = app.db.read_from_replica::<_, StoreError, _>(move |pg| pg.jobs(&kinds, state, after, limit)).await?;
    let next = page.next.map(|key| key.to_string());
    let mut kinds: Vec<String> = all.0.iter().map(|kind| kind.name.to_owned()).collect();
    kinds.sort();
    Ok(Answer::new(JobsResult { jobs: page.items.into_iter().map(Into::into).collect(), kinds, next }))
}

/// Has a job tried again that was set aside.
#[utoipa::path(
    tag = "admin",
    params(("id" = i64, Path, description = "The id of a job.", minimum = 1)),
    responses((status = 200, description = "Queued for another attempt.", body = Answer<Nothing>), Conflict),
    security(("token" = []))
)]
#[post("/api/admin/jobs/{id}/retry")]
pub(crate) async fn retry_set_aside_job(
    app: Data<App>,
    all: Data<JobKinds>,
    acting: ActingAdmin,
    id: Path<String>,
) -> Result<Answer<Nothing>, ApiError> {
    retry(&app, acting, (all.0.clone(), &id), SubjectKind::Job, "job.retry", "job").await
}

/// Queues a dead letter of one of these kinds again, and records that in the audit log.
pub(crate) async fn retry(
    app: &App,
    acting: ActingAdmin,
    (kinds, id): (Vec<JobKind>, &str),
    subject: SubjectKind,
    action: &'static str,
    name: &'static str,
) -> Result<Answer<Nothing>, ApiError> {
    let unknown = || ApiError::not_found(name);
    let id: JobId = id.parse().map_err(|_| unknown())?;
    let retried = app.transactions.write_as::<_, StoreError, _>(acting.actor, move |tx, trail| {
        let now = tx.now();
        let retried = tx.pg.retry_job(&kinds, id, now)?;
        if retried == Some(true) {
            let subject = Subject { id: Some(id.get()), ..Subject::whole(subject) };
            trail.record(AuditEvent::new(action, subject));
        }
        Ok(retried)
    });
    if retried.await?.ok_or_else(unknown)? {
        Ok(Answer::new(Nothing {}))
    } else {
        Err(ApiError::new(Code::AlreadyThere, format!("Only a failed {name} can be tried again.")))
    }
}
