//! `GET /api/study/changes`.

use actix_web::{get, web::Data};
use workflows::study::changes::record_changes;

use crate::{
    app::App,
    extract::{Query, StudyReader},
    http::{error::ApiError, wire::Answer},
    study::types::{ChangesParams, ChangesResult},
};

/// What has changed among the member's highlights, review cards, commitments and lists since a version, deleted ones included, each list in the
/// order of versions. What has changed several times comes once, as it is now. The limit is that of all lists together. The device goes on from `next`; when that is null it has everything.
#[utoipa::path(
    tag = "study",
    params(ChangesParams),
    responses((status = 200, description = "The changes.", body = Answer<ChangesResult>)),
    security(("token" = []), ("apiToken" = []))
)]
#[get("/api/study/changes")]
pub(super) async fn study_changes(
    app: Data<App>,
    StudyReader(member): StudyReader,
    params: Query<ChangesParams>,
) -> Result<Answer<ChangesResult>, ApiError> {
    let (after, limit) = params.read()?;
    let found = app.read_tx(move |tx| record_changes(tx, member, after, limit)).await?;
    Ok(Answer::new(found.into()))
}
