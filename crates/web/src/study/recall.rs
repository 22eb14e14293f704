//! `GET /api/study/recall`.

use actix_web::{get, web::Data};
use study::RECALL_FROM;
use workflows::study::cards::recall_figures;

use crate::{
    app::App,
    extract::StudyReader,
    http::{error::ApiError, wire::Answer},
    study::card_types::RecallResult,
};

/// How many of the member's answers of the last 90 days were right, for each category: of those that came a day or more after the
/// answer before.
#[utoipa::path(
    tag = "study",
    responses((status = 200, description = "The figures.", body = Answer<RecallResult>)),
    security(("token" = []), ("apiToken" = []))
)]
#[get("/api/study/recall")]
pub(super) async fn study_recall(
    app: Data<App>,
    StudyReader(member): StudyReader,
) -> Result<Answer<RecallResult>, ApiError> {
    let figures = app.read_tx(move |tx| recall_figures(tx, member)).await?;
    let categories = figures.iter().map(Into::into).collect();
    Ok(Answer::new(RecallResult { categories, needed: RECALL_FROM }))
}
