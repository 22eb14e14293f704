//! The pages of the quizzes. A shared link with the counts of a result has a preview picture of that result.

use actix_web::{
    HttpRequest, HttpResponse, get,
    http::StatusCode,
    web::{Data, ServiceConfig},
};
use challenge::QuizKind;
use pages::{Page, text};
use url::form_urlencoded;
use workflows::challenge::quizzes::shared_result;

use crate::{app::App, challenge::types::read_counts, http::error::ApiError, pages::cached};

/// Registers the page routes of this module.
pub(crate) fn configure(config: &mut ServiceConfig) {
    config.service(intelligence_quiz_page).service(personality_quiz_page);
}

#[get("/quiz")]
pub(super) async fn intelligence_quiz_page(app: Data<App>, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    show(&app, QuizKind::Intelligence, ("quiz", "Intelligence Quiz"), &request).await
}

#[get("/personality-quiz")]
pub(super) async fn personality_quiz_page(app: Data<App>, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    show(&app, QuizKind::Personality, ("personality-quiz", "Personality Quiz"), &request).await
}

/// The quiz's page. Invalid counts are ignored.
async fn show(
    app: &App,
    kind: QuizKind,
    (chunk, title): (&'static str, &'static str),
    request: &HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let mut pairs = form_urlencoded::parse(request.query_string().as_bytes());
    let counts = pairs.find(|(name, _)| name == "result").and_then(|(_, text)| read_counts(&text).ok());
    let key = format!("page {chunk} {counts:?}");
    cached(app, request, StatusCode::OK, &key, async || {
        let main = text::plain(title, None)?;
        let (title, description) = (title.to_owned(), title.to_owned());
        let page = Page { title, description, chunk, main, waits_for_app: true, ..Page::default() };
        let Some(counts) = counts.clone() else { return Ok(page) };
        let list = counts.iter().map(u16::to_string).collect::<Vec<_>>().join(",");
        let Ok(result) = app.read_tx(move |tx| shared_result(tx, kind, &counts)).await else { return Ok(page) };
        let (label, headline) = result.headline();
        Ok(Page {
            description: format!("{label} {headline}. And you?").trim_start().to_owned(),
            canonical: Some(format!("/{chunk}?result={list}")),
            unindexed: true,
            image: Some(format!("/api/quiz/{}/picture?counts={list}", kind.as_str())),
            ..page
        })
    })
    .await
}
