//! `GET /api/user/allowance`.

use actix_web::{get, web::Data};
use reading_progress::{ProgressError, ReadingProgress};

use crate::{
    app::App,
    error::ApiError,
    extract::Member,
    wire::{
        Answer, Failures,
        book::{Allowance, AllowanceResult},
    },
};

/// What the member may still open without a plan (`decisions.md` 23).
#[utoipa::path(
    tag = "reading",
    responses((status = 200, description = "The free summaries.", body = Answer<AllowanceResult>), Failures),
    security(("token" = []))
)]
#[get("/api/user/allowance")]
pub(super) async fn allowance(app: Data<App>, Member(claims): Member) -> Result<Answer<AllowanceResult>, ApiError> {
    let now = app.env.now();
    let left = app.db.read::<_, ProgressError, _>(move |pg| pg.free_summaries_of(claims.user, now)).await?;
    Ok(Answer::new(AllowanceResult { allowance: left.map(Allowance::from) }))
}
