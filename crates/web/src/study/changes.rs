//! `GET /api/study/changes`.

use actix_web::{get, web::Data};
use workflows::study::changes::record_changes;

use crate::{
    app::App,
    extract::{Member, Query},
    http::{error::ApiError, wire::Answer},
    study::types::{ChangesParams, ChangesResult},
};

/// What has changed among the member's highlights and review cards since a version, deleted ones included, each list in the order of
/// versions. What has changed several times comes once, as it is now. The limit is that of both lists together. The device goes on from `next`; when that is null it has everything.
#[utoipa::path(
    tag = "study",
    params(ChangesParams),
    responses((status = 200, description = "The changes.", body = Answer<ChangesResult>)),
    security(("token" = []))
)]
#[get("/api/study/changes")]
pub(super) async fn study_changes(
    app: Data<App>,
    Member(claims): Member,
    params: Query<ChangesParams>,
) -> Result<Answer<ChangesResult>, ApiError> {
    let (after, limit) = params.read()?;
    let found = app.read_tx(move |tx| record_changes(tx, claims.user, after, limit)).await?;
    Ok(Answer::new(found.into()))
}
