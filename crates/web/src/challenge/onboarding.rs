//! `GET /api/onboarding`, the recommended books, and saving the choices in the account (`challenge.onboarding-result`).

use actix_web::{HttpRequest, HttpResponse, get, put, web::Data};
use challenge::Choices;
use kernel::{CategoryId, GoalId, HOUR, StoreError};
use serde::Deserialize;
use utoipa::ToSchema;
use workflows::challenge::onboarding::{carry_choices, fitting_books, onboarding_page};

use crate::{
    app::App,
    cached_responses::cached,
    challenge::types::{ChoiceParams, FittingBooksResult, OnboardingResult},
    extract::{Body, Member, Query, Viewer},
    http::{
        error::ApiError,
        openapi::Unchanged,
        wire::{Answer, Nothing},
    },
};

/// What the steps of getting started show. Figures are counted by this instance, at most an hour old.
#[utoipa::path(tag = "challenge", responses((status = 200, description = "Goals, categories, books and figures.", body = Answer<OnboardingResult>), Unchanged), security((), ("token" = [])))]
#[get("/api/onboarding")]
pub(super) async fn show_page(app: Data<App>, _: Viewer, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    let until = app.env.now().plus(HOUR);
    cached(&app, None, &request, &[], async || {
        let page = app.read_tx::<_, StoreError, _>(onboarding_page).await?;
        Ok((OnboardingResult::from(&page), Some(until)))
    })
    .await
}

/// Five books that fit what was chosen; popular ones when nothing was.
#[utoipa::path(tag = "challenge", params(ChoiceParams), responses((status = 200, description = "The books.", body = Answer<FittingBooksResult>)), security((), ("token" = [])))]
#[get("/api/onboarding/books")]
pub(super) async fn list_books(
    app: Data<App>,
    viewer: Viewer,
    params: Query<ChoiceParams>,
) -> Result<Answer<FittingBooksResult>, ApiError> {
    let choices = params.read()?;
    let viewer = viewer.0.map(|claims| claims.user);
    let books = app.read_tx(move |tx| fitting_books(tx, viewer, &choices)).await?;
    Ok(Answer::new(FittingBooksResult { books: books.iter().map(Into::into).collect() }))
}

/// What a person has chosen before they signed up.
#[derive(Deserialize, ToSchema)]
pub(super) struct ChosenBefore {
    /// Ids of goals. With none, those of the account stay.
    #[serde(default)]
    #[schema(max_items = 50)]
    goals: Vec<i64>,
    /// Ids of categories. With none, those of the account stay.
    #[serde(default)]
    #[schema(max_items = 50)]
    categories: Vec<i64>,
}

/// Carries what was chosen into the account, whichever way the person has signed up.
#[utoipa::path(tag = "challenge", request_body = ChosenBefore, responses((status = 200, description = "The account has them.", body = Answer<Nothing>)), security(("token" = [])))]
#[put("/api/onboarding/choices")]
pub(super) async fn carry(
    app: Data<App>,
    Member(claims): Member,
    Body(form): Body<ChosenBefore>,
) -> Result<Answer<Nothing>, ApiError> {
    let goals: Vec<GoalId> = form.goals.iter().map(|id| GoalId::from_store(*id)).collect();
    let categories: Vec<CategoryId> = form.categories.iter().map(|id| CategoryId::from_store(*id)).collect();
    let choices = Choices::new(&goals, &categories)?;
    app.write_tx(move |tx| carry_choices(tx, claims.user, &choices)).await?;
    Ok(Answer::new(Nothing {}))
}
