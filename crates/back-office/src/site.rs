//! The banner, the pages and the quizzes: what editors read and change of them (`admin.site-content`).

use actix_web::{get, put, web::Data};
use challenge::QuizKind;
use http_core::{
    app::App,
    error::ApiError,
    extract::{Editor, LargeBody, Path},
    openapi::{Conflict, NotFound},
    wire::Answer,
};
use kernel::StoreError;
use workflows::editing::{EditError, site};

use super::{
    acting::ActingEditor,
    rows::run,
    site_types::{
        BannerForm, EditorBannerResult, EditorPageResult, EditorPagesResult, EditorQuizResult, PageForm, QuizForm,
    },
};

/// The banner, with its dates.
#[utoipa::path(tag = "admin", responses((status = 200, description = "The banner.", body = Answer<EditorBannerResult>)), security(("token" = [])))]
#[get("/api/admin/banner")]
pub(super) async fn show_banner(app: Data<App>, _: Editor) -> Result<Answer<EditorBannerResult>, ApiError> {
    let found = app.read_tx::<_, StoreError, _>(site::banner).await?;
    Ok(Answer::new(EditorBannerResult::at(found, app.env.now())))
}

/// Writes the banner, based on the version that the editor has read.
#[utoipa::path(
    tag = "admin",
    request_body = BannerForm,
    responses((status = 200, description = "The banner as it is now.", body = Answer<EditorBannerResult>), Conflict),
    security(("token" = []))
)]
#[put("/api/admin/banner")]
pub(super) async fn change_banner(
    app: Data<App>,
    acting: ActingEditor,
    LargeBody(form): LargeBody<BannerForm>,
) -> Result<Answer<EditorBannerResult>, ApiError> {
    let version = form.version;
    let edit = form.read()?;
    let edited = run(&app, acting, move |tx, trail| site::edit_banner(tx, trail, version, &edit)).await?;
    Ok(Answer::new(EditorBannerResult::at(edited, app.env.now())))
}

/// The pages of the site and of the products.
#[utoipa::path(tag = "admin", responses((status = 200, description = "The list.", body = Answer<EditorPagesResult>)), security(("token" = [])))]
#[get("/api/admin/pages")]
pub(super) async fn list_edited_pages(app: Data<App>, _: Editor) -> Result<Answer<EditorPagesResult>, ApiError> {
    Ok(Answer::new(app.read_tx::<_, StoreError, _>(site::pages).await?.into()))
}

/// A page with its texts, as they are written.
#[utoipa::path(
    tag = "admin",
    params(("id" = String, Path, description = "Its name, such as `about`.")),
    responses((status = 200, description = "The page.", body = Answer<EditorPageResult>), NotFound),
    security(("token" = []))
)]
#[get("/api/admin/pages/{id}")]
pub(super) async fn show_edited_page(
    app: Data<App>,
    _: Editor,
    id: Path<String>,
) -> Result<Answer<EditorPageResult>, ApiError> {
    let id = id.to_string();
    Ok(Answer::new(app.read_tx::<_, EditError, _>(move |tx| site::page(tx, &id)).await?.into()))
}

/// Changes a page, based on the version that the editor has read.
#[utoipa::path(
    tag = "admin",
    params(("id" = String, Path, description = "Its name, such as `about`.")),
    request_body = PageForm,
    responses((status = 200, description = "The page as it is now.", body = Answer<EditorPageResult>), Conflict, NotFound),
    security(("token" = []))
)]
#[put("/api/admin/pages/{id}")]
pub(super) async fn change_page(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
    LargeBody(form): LargeBody<PageForm>,
) -> Result<Answer<EditorPageResult>, ApiError> {
    let (id, version) = (id.to_string(), form.version);
    let edit = form.read()?;
    let edited = run(&app, acting, move |tx, trail| site::edit_page(tx, trail, (&id, version), edit)).await?;
    Ok(Answer::new(edited.into()))
}

/// The quiz that a path names.
fn quiz_kind(text: &str) -> Result<QuizKind, ApiError> {
    text.parse().map_err(|_| ApiError::not_found("quiz"))
}

/// A quiz with its statements.
#[utoipa::path(
    tag = "admin",
    params(("kind" = String, Path, description = "`intelligence` or `personality`.")),
    responses((status = 200, description = "The quiz.", body = Answer<EditorQuizResult>), NotFound),
    security(("token" = []))
)]
#[get("/api/admin/quiz/{kind}")]
pub(super) async fn show_edited_quiz(
    app: Data<App>,
    _: Editor,
    kind: Path<String>,
) -> Result<Answer<EditorQuizResult>, ApiError> {
    let kind = quiz_kind(&kind)?;
    let found = app.read_tx::<_, StoreError, _>(move |tx| site::quiz(tx, kind)).await?;
    Ok(Answer::new(EditorQuizResult::of(kind, found)))
}

/// Saves all statements of a quiz in their order, based on the version that the editor has read: changed, added, removed
/// and moved at once, for a quiz that lacks one is not fair to any type.
#[utoipa::path(
    tag = "admin",
    params(("kind" = String, Path, description = "`intelligence` or `personality`.")),
    request_body = QuizForm,
    responses((status = 200, description = "The quiz as it is now.", body = Answer<EditorQuizResult>), Conflict, NotFound),
    security(("token" = []))
)]
#[put("/api/admin/quiz/{kind}")]
pub(super) async fn change_quiz(
    app: Data<App>,
    acting: ActingEditor,
    kind: Path<String>,
    LargeBody(form): LargeBody<QuizForm>,
) -> Result<Answer<EditorQuizResult>, ApiError> {
    let based = (quiz_kind(&kind)?, form.version);
    let drafts = form.read()?;
    let edited = run(&app, acting, move |tx, trail| site::edit_quiz(tx, trail, based, &drafts)).await?;
    Ok(Answer::new(EditorQuizResult::of(based.0, edited)))
}
