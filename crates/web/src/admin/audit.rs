//! `GET /api/admin/audit`: the audit log.

use actix_web::{get, web::Data};
use admin::AuditQueries;
use kernel::StoreError;

use crate::{
    admin::audit_types::{AuditParams, AuditResult},
    app::App,
    extract::{Admin, Query},
    http::{error::ApiError, wire::Answer},
};

/// A page of the log of who changed what, latest first. No entry is ever changed.
#[utoipa::path(tag = "admin", params(AuditParams), responses((status = 200, description = "A page of the audit log.", body = Answer<AuditResult>)), security(("token" = [])))]
#[get("/api/admin/audit")]
pub(crate) async fn audit_log(
    app: Data<App>,
    _: Admin,
    params: Query<AuditParams>,
) -> Result<Answer<AuditResult>, ApiError> {
    let (filter, after, limit) = params.into_inner().read()?;
    let page = app.db.read_from_replica::<_, StoreError, _>(move |pg| pg.audit_entries(&filter, after, limit)).await?;
    let next = page.next.map(|key| key.to_string());
    Ok(Answer::new(AuditResult { entries: page.items.into_iter().map(Into::into).collect(), next }))
}
