//! `GET /api/quiz/{kind}`, its results and the report (`decisions.md` 48).

use actix_web::{get, post, web::Data};
use challenge::{Answer as QuizAnswer, ChallengeQueries, QuizKind};
use kernel::QuestionId;
use serde::Deserialize;
use utoipa::ToSchema;
use workflows::quizzes::{quiz_report, quiz_results, take_quiz};

use super::types::{QuestionsResult, QuizOutcome, QuizReportResult, QuizResultsResult};
use http_core::{
    app::App,
    error::ApiError,
    extract::{Body, Member, Path, Viewer},
    openapi::{Forbidden, NotFound},
    wire::Answer,
};

fn kind_of(path: &str) -> Result<QuizKind, ApiError> {
    path.parse().map_err(|_| ApiError::not_found("quiz"))
}

/// The statements of a quiz, in their order.
#[utoipa::path(tag = "challenge", params(("kind" = String, Path, description = "`intelligence` or `personality`.")), responses((status = 200, description = "The statements.", body = Answer<QuestionsResult>), NotFound), security((), ("token" = [])))]
#[get("/api/quiz/{kind}")]
pub(super) async fn list_questions(
    app: Data<App>,
    _: Viewer,
    kind: Path<String>,
) -> Result<Answer<QuestionsResult>, ApiError> {
    let kind = kind_of(&kind)?;
    let questions = app.db.read(move |pg| pg.questions(kind)).await?;
    Ok(Answer::new(QuestionsResult { questions: questions.iter().map(Into::into).collect() }))
}

/// What a person says of each statement.
#[derive(Deserialize, ToSchema)]
pub(super) struct Answers {
    /// One for each statement of the quiz.
    #[serde(default)]
    #[schema(required)]
    answers: Vec<GivenAnswer>,
}

/// What a person says of a statement.
#[derive(Deserialize, ToSchema)]
pub(super) struct GivenAnswer {
    /// The id of the statement.
    id: i64,
    /// True, or False.
    answer: bool,
}

/// Counts the answers to a quiz. A member's result is saved.
#[utoipa::path(tag = "challenge", params(("kind" = String, Path, description = "`intelligence` or `personality`.")), request_body = Answers, responses((status = 200, description = "The result.", body = Answer<QuizOutcome>), NotFound), security((), ("token" = [])))]
#[post("/api/quiz/{kind}/results")]
pub(super) async fn take(
    app: Data<App>,
    viewer: Viewer,
    kind: Path<String>,
    Body(form): Body<Answers>,
) -> Result<Answer<QuizOutcome>, ApiError> {
    let (kind, viewer) = (kind_of(&kind)?, viewer.0.map(|claims| claims.user));
    let given = form.answers.iter();
    let answers = given.map(|one| QuizAnswer { question: QuestionId::from_store(one.id), is_true: one.answer });
    let answers: Vec<QuizAnswer> = answers.collect();
    let result = app.write_tx(move |tx| take_quiz(tx, viewer, kind, &answers)).await?;
    Ok(Answer::new((&result).into()))
}

/// The member's results of a quiz, the latest first.
#[utoipa::path(tag = "challenge", params(("kind" = String, Path, description = "`intelligence` or `personality`.")), responses((status = 200, description = "The results.", body = Answer<QuizResultsResult>), NotFound), security(("token" = [])))]
#[get("/api/quiz/{kind}/results")]
pub(super) async fn list_results(
    app: Data<App>,
    Member(claims): Member,
    kind: Path<String>,
) -> Result<Answer<QuizResultsResult>, ApiError> {
    let kind = kind_of(&kind)?;
    let results = app.read_tx(move |tx| quiz_results(tx, claims.user, kind)).await?;
    Ok(Answer::new(QuizResultsResult {
        results: results.results.iter().map(Into::into).collect(),
        has_report: results.has_report,
    }))
}

/// The detailed report on the member's latest result, for owners of its plan or a subscription.
#[utoipa::path(tag = "challenge", params(("kind" = String, Path, description = "`intelligence` or `personality`.")), responses((status = 200, description = "The report.", body = Answer<QuizReportResult>), Forbidden, NotFound), security(("token" = [])))]
#[get("/api/quiz/{kind}/report")]
pub(super) async fn show_report(
    app: Data<App>,
    Member(claims): Member,
    kind: Path<String>,
) -> Result<Answer<QuizReportResult>, ApiError> {
    let kind = kind_of(&kind)?;
    let report = app.read_tx(move |tx| quiz_report(tx, claims.user, kind)).await?;
    Ok(Answer::new((&report).into()))
}
