//! `GET /api/goals`, `POST /api/user/ten-day-challenge`, `POST /api/user/ten-day-challenge-submit` (`challenge.plan-steps`), and the
//! saved plan as a calendar file.

use actix_web::{HttpResponse, get, http::header, post, web::Data};
use challenge::ChosenGoals;
use kernel::{BookId, GoalId};
use serde::Deserialize;
use utoipa::ToSchema;
use workflows::challenge::{
    plan_calendar::plan_calendar,
    ten_day_plan::{challenge_page, draw_up_plan, save_plan},
};

use crate::{
    app::App,
    challenge::types::{Goal, GoalsResult, PlanBook, TenDayPlanResult},
    extract::{Body, ClientAddress, Member, Viewer},
    http::{
        error::ApiError,
        openapi::{NotFound, TooManyTries},
        wire::{Answer, Nothing},
    },
};

/// The goals that can be chosen, and the member's saved plan.
#[utoipa::path(tag = "challenge", responses((status = 200, description = "The goals.", body = Answer<GoalsResult>)), security((), ("token" = [])))]
#[get("/api/goals")]
pub(super) async fn list_goals(app: Data<App>, viewer: Viewer) -> Result<Answer<GoalsResult>, ApiError> {
    let viewer = viewer.0.map(|claims| claims.user);
    let page = app.read_tx(move |tx| challenge_page(tx, viewer)).await?;
    Ok(Answer::new(GoalsResult {
        goals: page.goals.iter().map(Goal::from).collect(),
        user_goals: page.chosen.iter().map(Goal::from).collect(),
        user_book_recommendations: page.days.iter().map(PlanBook::from).collect(),
    }))
}

/// What a person wants to work on for ten days.
#[derive(Deserialize, ToSchema)]
pub(super) struct Challenge {
    /// Ids of one or two goals.
    #[serde(default)]
    #[schema(required, min_items = 1, max_items = 2)]
    goals: Vec<i64>,
    /// Where the plan is mailed. A member needs none.
    #[schema(max_length = 254)]
    email: Option<String>,
}

/// Draws up a plan of ten books (`challenge.visitor-plan`). A visitor's is mailed too.
#[utoipa::path(tag = "challenge", request_body = Challenge, responses((status = 200, description = "The plan, not saved.", body = Answer<TenDayPlanResult>), TooManyTries), security((), ("token" = [])))]
#[post("/api/user/ten-day-challenge")]
pub(super) async fn draw_up(
    app: Data<App>,
    viewer: Viewer,
    ClientAddress(address): ClientAddress,
    Body(form): Body<Challenge>,
) -> Result<Answer<TenDayPlanResult>, ApiError> {
    let (goals, viewer) = (chosen(&form.goals)?, viewer.0.map(|claims| claims.user));
    let email = form.email.unwrap_or_default();
    let plan = app.write_tx(move |tx| draw_up_plan(tx, viewer, address, &goals, &email)).await?;
    Ok(Answer::new((&plan).into()))
}

/// A plan to be saved.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Submission {
    /// Ids of one or two goals.
    #[serde(default)]
    #[schema(required, min_items = 1, max_items = 2)]
    goals: Vec<i64>,
    /// Ids of different books, in the order of the days.
    #[serde(default)]
    #[schema(required, min_items = 1, max_items = 10)]
    book_ids: Vec<i64>,
}

/// Saves a plan in the place of the one before. A day is done when its book is completed.
#[utoipa::path(tag = "challenge", request_body = Submission, responses((status = 200, description = "The plan is saved.", body = Answer<Nothing>)), security(("token" = [])))]
#[post("/api/user/ten-day-challenge-submit")]
pub(super) async fn submit(
    app: Data<App>,
    Member(claims): Member,
    Body(form): Body<Submission>,
) -> Result<Answer<Nothing>, ApiError> {
    let goals = chosen(&form.goals)?;
    let books: Vec<BookId> = form.book_ids.iter().map(|id| BookId::from_store(*id)).collect();
    app.write_tx(move |tx| save_plan(tx, claims.user, &goals, &books)).await?;
    Ok(Answer::new(Nothing {}))
}

/// The saved plan as a calendar file (RFC 5545): a whole day for each book, the first one the day on which the plan was saved, in
/// the member's time zone. `404` when no plan is saved.
#[utoipa::path(tag = "challenge", responses((status = 200, description = "The file.", content_type = "text/calendar", body = String), NotFound), security(("token" = [])))]
#[get("/api/user/ten-day-challenge/calendar")]
pub(super) async fn show_calendar(app: Data<App>, Member(claims): Member) -> Result<HttpResponse, ApiError> {
    let file = app.read_tx(move |tx| plan_calendar(tx, claims.user)).await?;
    let file = file.ok_or_else(|| ApiError::not_found("plan"))?;
    Ok(HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, "text/calendar; charset=utf-8"))
        .insert_header((header::CONTENT_DISPOSITION, "attachment; filename=\"ten-day-challenge.ics\""))
        .insert_header((header::CACHE_CONTROL, "private, no-store"))
        .body(file))
}

/// Validates the ids of the chosen goals. Whether the goals exist is checked later.
fn chosen(goals: &[i64]) -> Result<ChosenGoals, ApiError> {
    Ok(ChosenGoals::new(&goals.iter().map(|id| GoalId::from_store(*id)).collect::<Vec<_>>())?)
}
