//! `GET /api/study/today`.

use actix_web::{get, web::Data};
use kernel::{ReviewCardId, StoreError};
use serde::Serialize;
use utoipa::ToSchema;
use workflows::study::review::{review_minutes, review_today};

use crate::{
    app::App,
    extract::StudyReader,
    http::{error::ApiError, wire::Answer},
};

/// The review of a day.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct TodayResult {
    /// The ids of the cards to ask, in order.
    due: Vec<i64>,
    /// About how long they take, in minutes.
    minutes: usize,
    /// How many different cards were answered today.
    done: u32,
    /// How many more are due than the day asks.
    later: u32,
}

/// The review cards that are due today in the member's calendar, at most as many as they chose (`study.daily-maximum`).
#[utoipa::path(
    tag = "study",
    responses((status = 200, description = "The review of the day.", body = Answer<TodayResult>)),
    security(("token" = []), ("apiToken" = []))
)]
#[get("/api/study/today")]
pub(super) async fn study_today(
    app: Data<App>,
    StudyReader(member): StudyReader,
) -> Result<Answer<TodayResult>, ApiError> {
    let review = app.read_tx::<_, StoreError, _>(move |tx| review_today(tx, member)).await?;
    let minutes = review_minutes(review.due.len());
    let due = review.due.into_iter().map(ReviewCardId::get).collect();
    Ok(Answer::new(TodayResult { due, minutes, done: review.done, later: review.later }))
}
