//! `GET /api/quiz/{kind}`, its results, the picture of a result, and the report (`challenge.quiz-statements`).

use actix_web::{
    HttpRequest, HttpResponse, get,
    http::{StatusCode, header},
    post,
    web::Data,
};
use cache::{Cacheable, Encoded, Scope};
use challenge::{Answer as QuizAnswer, ChallengeQueries, QuizKind};
use identity::RateLimitBucket;
use kernel::QuestionId;
use media::disposition::attachment;
use serde::Deserialize;
use utoipa::ToSchema;
use workflows::delivery::book_files::{Format, result_picture};
use workflows::{
    challenge::quizzes::{quiz_report, quiz_results, shared_result, take_quiz},
    rate_limits,
};

use crate::{
    app::App,
    cached_responses::respond,
    challenge::types::{QuestionsResult, QuizOutcome, QuizReportResult, QuizResultsResult, ResultCounts},
    extract::{Body, Member, Path, Query, Viewer},
    http::{
        error::ApiError,
        openapi::{Forbidden, NotFound, TooManyTries, Unchanged},
        wire::Answer,
    },
};

/// The content type of a result's picture.
const PNG: &str = "image/png";
/// `Cache-Control` of a result's picture: the same counts give the same picture until the quiz is edited.
const ONE_DAY: &str = "public, max-age=86400";

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

/// A result as a picture that can be shared: a PNG of 1200 by 630, drawn from the counts alone. Who has them sees it.
#[utoipa::path(tag = "challenge", params(("kind" = String, Path, description = "`intelligence` or `personality`."), ResultCounts), responses((status = 200, description = "The picture.", content_type = "image/png", body = Vec<u8>), Unchanged, NotFound), security((), ("token" = [])))]
#[get("/api/quiz/{kind}/picture")]
pub(super) async fn show_picture(
    app: Data<App>,
    _: Viewer,
    kind: Path<String>,
    params: Query<ResultCounts>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let (kind, counts) = (kind_of(&kind)?, params.read()?);
    let key = format!("picture of a quiz {} {counts:?}", kind.as_str());
    let picture = app.responses.get_or_make(None, &key, app.env.now(), async || {
        let result = app.read_tx(move |tx| shared_result(tx, kind, &counts)).await?;
        let site = app.config.site.name.clone();
        let file = app.media.draw_unkept(move || result_picture(&result, &site)).await?;
        Ok::<_, ApiError>(Cacheable { encoded: Encoded::personal(file, PNG), valid_until: None, scope: Scope::Lists })
    });
    let picture = picture.await?;
    Ok(respond(&picture, &request, StatusCode::OK, ONE_DAY))
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

/// The detailed report as a PDF, for who may see it.
#[utoipa::path(tag = "challenge", params(("kind" = String, Path, description = "`intelligence` or `personality`.")), responses((status = 200, description = "The PDF.", content_type = "application/pdf", body = Vec<u8>), Forbidden, NotFound, TooManyTries), security(("token" = [])))]
#[get("/api/quiz/{kind}/report/pdf")]
pub(super) async fn download_report(
    app: Data<App>,
    Member(claims): Member,
    kind: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let kind = kind_of(&kind)?;
    rate_limits::count(&app.transactions, RateLimitBucket::Download, claims.user.to_string()).await?;
    let report = app.read_tx(move |tx| quiz_report(tx, claims.user, kind)).await?;
    let file = app.book_files.make_quiz_report(&report).await?;
    let name = attachment(&format!("Your {} report", kind.as_str()), kind.plan_id(), Format::Pdf.ending());
    Ok(HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, Format::Pdf.content_type()))
        .insert_header((header::CONTENT_DISPOSITION, name))
        .insert_header((header::CACHE_CONTROL, "private, no-store"))
        .body(file))
}
