//! The frame of the HTML that browsers and crawlers get; each feature's `pages` fills it.
//!
//! A public page carries its text and its first answers, as a visitor sees them: it can be read without scripts and
//! needs no second round trip. Nothing of a member ever stands in a page.

use ::pages::{Banner, Page, text};
use actix_web::{
    HttpRequest, HttpResponse, ResponseError,
    body::BoxBody,
    http::{StatusCode, header},
};
use cache::{Cacheable, Encoded, Scope};
use editorial::EditorialQueries;
use kernel::{StoreError, Timestamp};

use crate::{
    app::App,
    cached_responses::{HTML, respond},
    http::error::{ApiError, Code},
};

/// Pages may be kept, but are asked for again each time: a changed one is seen at once, an unchanged one costs a `304`.
const REVALIDATE: &str = "no-cache";

/// A page whose text is the app's: until it has come, its shape is shown, or that it will not come without scripts.
pub(crate) async fn plain(
    app: &App,
    request: &HttpRequest,
    status: StatusCode,
    chunk: &'static str,
    title: &str,
    text: Option<&str>,
) -> Result<HttpResponse, ApiError> {
    cached(app, request, status, &format!("page {chunk} {title} {status}"), async || {
        let description = text.unwrap_or(title).to_owned();
        let (title, main) = (title.to_owned(), text::plain(title, text)?);
        Ok(Page { title, description, chunk, main, waits_for_app: text.is_none(), ..Page::default() })
    })
    .await
}

/// A page, and how long it is valid. One without presigned URLs is valid until something changes: a [`Page`] will do for it.
#[derive(Debug)]
pub(crate) struct CacheablePage {
    pub(crate) page: Page,
    /// When a presigned URL in it expires.
    pub(crate) until: Option<Timestamp>,
    /// Which changes of the catalogue invalidate it.
    pub(crate) scope: Scope,
}

impl From<Page> for CacheablePage {
    fn from(page: Page) -> Self {
        Self { page, until: None, scope: Scope::Lists }
    }
}

/// Responds with a page from the cache, or makes it and caches it under this key.
pub(crate) async fn cached<P: Into<CacheablePage>>(
    app: &App,
    request: &HttpRequest,
    status: StatusCode,
    key: &str,
    make: impl AsyncFnOnce() -> Result<P, ApiError>,
) -> Result<HttpResponse, ApiError> {
    let page = app.responses.get_or_make(None, key, app.env.now(), async || {
        let CacheablePage { page, until, scope } = make().await?.into();
        let (banner, changes) = banner(app).await?;
        let html = render(app, banner, &page)?;
        let valid_until = until.into_iter().chain(changes).min();
        Ok(Cacheable { encoded: Encoded::public(html, HTML), valid_until, scope })
    });
    match page.await {
        Ok(page) => Ok(respond(&page, request, status, REVALIDATE)),
        Err(error) => failed(app, error),
    }
}

/// Answers as [`cached`] does at an address of the site, which may name nothing: when `make` finds nothing, or can't
/// read what it was asked for, with the page that says so.
pub(crate) async fn found<P: Into<CacheablePage>>(
    app: &App,
    request: &HttpRequest,
    key: &str,
    make: impl AsyncFnOnce() -> Result<P, ApiError>,
) -> Result<HttpResponse, ApiError> {
    or_nothing(app, request, cached(app, request, StatusCode::OK, key, make).await).await
}

/// Answers in XML as [`found`] does in HTML.
pub(crate) async fn found_xml(
    app: &App,
    request: &HttpRequest,
    key: &str,
    content_type: &'static str,
    make: impl AsyncFnOnce() -> Result<String, ApiError>,
) -> Result<HttpResponse, ApiError> {
    let answer = app.responses.get_or_make(None, key, app.env.now(), async || {
        let encoded = Encoded::public(make().await?.into_bytes(), content_type);
        Ok(Cacheable { encoded, valid_until: None, scope: Scope::Lists })
    });
    match answer.await {
        Ok(text) => Ok(respond(&text, request, StatusCode::OK, REVALIDATE)),
        Err(error) => or_nothing(app, request, failed(app, error)).await,
    }
}

/// The answer, or the page that says that there is nothing, when that is the error.
async fn or_nothing(
    app: &App,
    request: &HttpRequest,
    answer: Result<HttpResponse, ApiError>,
) -> Result<HttpResponse, ApiError> {
    match answer {
        Err(error) if matches!(error.code(), Code::NotFound | Code::ValidationFailed) => {
            nothing_here(app, request).await
        }
        answer => answer,
    }
}

/// What a person gets who asked for a page that can't be written now: a page that says so, and nothing that is kept.
fn failed(app: &App, error: ApiError) -> Result<HttpResponse, ApiError> {
    if !error.code().status().is_server_error() {
        return Err(error);
    }
    let (title, text) = ("Please try again", error.to_string());
    let main = text::plain(title, Some(&text))?;
    let page = Page { title: title.to_owned(), description: text, main, ..Page::default() };
    let html = render(app, None, &page)?;
    let mut response = error.error_response().set_body(BoxBody::new(html));
    response.headers_mut().insert(header::CONTENT_TYPE, header::HeaderValue::from_static(HTML));
    Ok(response)
}

/// The offer above every page, when there is one now; and when it appears or goes next.
async fn banner(app: &App) -> Result<(Option<Banner>, Option<Timestamp>), ApiError> {
    let now = app.env.now();
    let Some(written) = app.db.read::<_, StoreError, _>(|pg| pg.banner()).await? else { return Ok((None, None)) };
    let changes = written.next_change(now);
    let is_shown = written.is_shown_at(now);
    let editorial::Banner { text, link_text, href, .. } = written;
    Ok((is_shown.then_some(Banner { text, link_text, href }), changes))
}

/// The page of an address at which there is nothing.
pub(crate) async fn nothing_here(app: &App, request: &HttpRequest) -> Result<HttpResponse, ApiError> {
    plain(
        app,
        request,
        StatusCode::NOT_FOUND,
        "not-found",
        "Page not found",
        Some("There is nothing at this address. The page may have moved, or the link may be wrong."),
    )
    .await
}

/// Writes a page into the frame.
pub(crate) fn render(app: &App, banner: Option<Banner>, page: &Page) -> Result<Vec<u8>, ApiError> {
    Ok(::pages::render(&app.config, &app.web_app.manifest, banner, page)?)
}
