//! `GET /api/user/allowance`.

use actix_web::{get, web::Data};
use workflows::reading;

use crate::{
    app::App, error::ApiError, extract::Member, routes::catalogue::types::book::AllowanceResult, wire::Answer,
};

/// What the member may still open without a plan (`decisions.md` 23).
#[utoipa::path(
    tag = "reading",
    responses((status = 200, description = "The free summaries.", body = Answer<AllowanceResult>)),
    security(("token" = []))
)]
#[get("/api/user/allowance")]
pub(super) async fn allowance(app: Data<App>, Member(claims): Member) -> Result<Answer<AllowanceResult>, ApiError> {
    let allowance = app.read_tx(move |tx| reading::reader_allowance(tx, claims.user)).await?;
    Ok(Answer::new(allowance.into()))
}
