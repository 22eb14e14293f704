//! `/api/ai/summaries`: a member's own summaries.

use crate::{
    app::App,
    extract::{Body, Member, Path, Query},
    http::{
        error::ApiError,
        openapi::Conflict,
        wire::{Answer, Nothing},
    },
    summaries::types::{ShownSummary, SummariesParams, SummariesResult, SummaryResult, TitleBody},
};
use actix_web::{delete, get, post, put, web::Data};
use kernel::{StoreError, SummaryId};
use summaries::{MemberSummaries, MemberSummaryCommands, MemberSummaryError, MemberSummaryQueries};

/// A page of the member's summaries, the newest first.
#[utoipa::path(tag = "summariser", params(SummariesParams), responses((status = 200, description = "A page of summaries.", body = Answer<SummariesResult>)), security(("token" = [])))]
#[get("/api/ai/summaries")]
pub(super) async fn list_summaries(
    app: Data<App>,
    Member(claims): Member,
    params: Query<SummariesParams>,
) -> Result<Answer<SummariesResult>, ApiError> {
    let (search, after, limit) = params.read()?;
    let found =
        app.db.read_from_replica::<_, StoreError, _>(move |pg| pg.search_summaries(claims.user, &search, after, limit));
    let (page, total) = found.await?;
    let next = page.next.map(|id| id.to_string());
    Ok(Answer::new(SummariesResult { summaries: page.items.iter().map(Into::into).collect(), next, total }))
}

/// One of the member's summaries. Once it is made: its key ideas, with the passages that each comes from, and the source's text.
#[utoipa::path(tag = "summariser", params(("id" = i64, Path, description = "The id of a summary.", minimum = 1)), responses((status = 200, description = "The summary, finished or in progress.", body = Answer<ShownSummary>)), security(("token" = [])))]
#[get("/api/ai/summaries/{id}")]
pub(super) async fn show_summary(
    app: Data<App>,
    Member(claims): Member,
    id: Path<String>,
) -> Result<Answer<ShownSummary>, ApiError> {
    let (id, member) = (read_id(&id)?, claims.user);
    let found = app.db.read::<_, StoreError, _>(move |pg| {
        let Some(summary) = pg.member_summary(member, id)? else { return Ok(None) };
        let text = pg.member_summary_text(member, id)?;
        Ok(Some((summary, text)))
    });
    let (summary, text) = found.await?.ok_or(MemberSummaryError::UnknownSummary)?;
    Ok(Answer::new(ShownSummary::new(&summary, text.as_ref())))
}

/// Gives a summary another title.
#[utoipa::path(tag = "summariser", params(("id" = i64, Path, description = "The id of a summary.", minimum = 1)), request_body = TitleBody, responses((status = 200, description = "The summary under its new title.", body = Answer<SummaryResult>)), security(("token" = [])))]
#[put("/api/ai/summaries/{id}")]
pub(super) async fn rename_summary(
    app: Data<App>,
    Member(claims): Member,
    id: Path<String>,
    Body(TitleBody { title }): Body<TitleBody>,
) -> Result<Answer<SummaryResult>, ApiError> {
    let (id, member) = (read_id(&id)?, claims.user);
    let summary = app.db.write(move |pg| {
        pg.rename_summary(member, id, &title)?;
        pg.member_summary(member, id)?.ok_or(MemberSummaryError::UnknownSummary)
    });
    Ok(Answer::new(SummaryResult { summary: (&summary.await?).into() }))
}

/// Deletes a summary and the text that it was made of.
#[utoipa::path(tag = "summariser", params(("id" = i64, Path, description = "The id of a summary.", minimum = 1)), responses((status = 200, description = "It is gone.", body = Answer<Nothing>)), security(("token" = [])))]
#[delete("/api/ai/summaries/{id}")]
pub(super) async fn delete_summary(
    app: Data<App>,
    Member(claims): Member,
    id: Path<String>,
) -> Result<Answer<Nothing>, ApiError> {
    let (id, member) = (read_id(&id)?, claims.user);
    let deleted = app.db.write::<_, StoreError, _>(move |pg| pg.delete_member_summary(member, id)).await?;
    if deleted { Ok(Answer::new(Nothing {})) } else { Err(MemberSummaryError::UnknownSummary.into()) }
}

/// Gives up a summary that is under way.
#[utoipa::path(tag = "summariser", params(("id" = i64, Path, description = "The id of a summary.", minimum = 1)), responses((status = 200, description = "It is gone.", body = Answer<Nothing>), Conflict), security(("token" = [])))]
#[post("/api/ai/summaries/{id}/cancel")]
pub(super) async fn cancel_summary(
    app: Data<App>,
    Member(claims): Member,
    id: Path<String>,
) -> Result<Answer<Nothing>, ApiError> {
    let (id, member) = (read_id(&id)?, claims.user);
    app.db.write(move |pg| pg.cancel_summary(member, id)).await?;
    Ok(Answer::new(Nothing {}))
}

/// Parses the summary's id in a path.
pub(super) fn read_id(text: &str) -> Result<SummaryId, ApiError> {
    text.parse().map_err(|_| MemberSummaryError::UnknownSummary.into())
}
