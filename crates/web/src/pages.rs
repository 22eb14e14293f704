//! HTML pages for browsers and crawlers. The content comes from each feature's `pages` module.
//!
//! A public page contains its text and the initial query data, as for a visitor: it is readable without scripts and needs no
//! second round trip. A page never contains a member's data.

use ::pages::{Banner, Page, text};
use actix_web::{
    HttpRequest, HttpResponse, ResponseError,
    body::BoxBody,
    http::{StatusCode, header},
};
use cache::{Cacheable, Encoded, Scope};
use editorial::EditorialQueries;
use kernel::{HOUR, StoreError, Timestamp};

use crate::{
    app::App,
    cached_responses::{HTML, respond},
    http::error::{ApiError, Code},
};

/// `Cache-Control` of pages: browsers may store them, but revalidate each time. An unchanged one costs a `304`.
const REVALIDATE: &str = "no-cache";

/// How long a response of XML is kept, in milliseconds.
const XML_KEPT: i64 = HOUR;

/// Responds with a page that the web app renders (`text` is `None`), or with a page of one sentence.
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

/// A page, and how long it may be cached. Convert a plain [`Page`] when it has no presigned URLs.
#[derive(Debug)]
pub(crate) struct CacheablePage {
    pub(crate) page: Page,
    /// When the first presigned URL in the page expires; `None` without one.
    pub(crate) until: Option<Timestamp>,
    /// Which changes to the catalogue invalidate the page.
    pub(crate) scope: Scope,
}

impl From<Page> for CacheablePage {
    fn from(page: Page) -> Self {
        Self { page, until: None, scope: Scope::Lists }
    }
}

/// Responds with a page from the cache, or calls `make` and caches the page under `key`.
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

/// [`cached`] for a path that may not exist: responds with the 404 page when `make` returns "not found" or "invalid".
pub(crate) async fn found<P: Into<CacheablePage>>(
    app: &App,
    request: &HttpRequest,
    key: &str,
    make: impl AsyncFnOnce() -> Result<P, ApiError>,
) -> Result<HttpResponse, ApiError> {
    or_nothing(app, request, cached(app, request, StatusCode::OK, key, make).await).await
}

/// [`found`] for a page that changes without an invalidation of caches, as with a member's records: it is made for each request.
pub(crate) async fn found_fresh(
    app: &App,
    request: &HttpRequest,
    make: impl AsyncFnOnce() -> Result<Page, ApiError>,
) -> Result<HttpResponse, ApiError> {
    let html = async {
        let page = make().await?;
        let (banner, _) = banner(app).await?;
        render(app, banner, &page)
    };
    let answer = match html.await {
        Ok(html) => Ok(respond(&Encoded::public(html, HTML), request, StatusCode::OK, REVALIDATE)),
        Err(error) => failed(app, error),
    };
    or_nothing(app, request, answer).await
}

/// [`found`] for XML. It is made again within [`XML_KEPT`]: the sitemap has what members share, which invalidates no cache.
pub(crate) async fn found_xml(
    app: &App,
    request: &HttpRequest,
    key: &str,
    content_type: &'static str,
    make: impl AsyncFnOnce() -> Result<String, ApiError>,
) -> Result<HttpResponse, ApiError> {
    let answer = app.responses.get_or_make(None, key, app.env.now(), async || {
        let encoded = Encoded::public(make().await?.into_bytes(), content_type);
        Ok(Cacheable { encoded, valid_until: Some(app.env.now().plus(XML_KEPT)), scope: Scope::Lists })
    });
    match answer.await {
        Ok(text) => Ok(respond(&text, request, StatusCode::OK, REVALIDATE)),
        Err(error) => or_nothing(app, request, failed(app, error)).await,
    }
}

/// Replaces a "not found" or "invalid" error by the 404 page.
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

/// Responds to a server error with an error page that is not cached. Other errors are passed on.
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

/// The banner, if one is shown now, and when it next appears or disappears.
async fn banner(app: &App) -> Result<(Option<Banner>, Option<Timestamp>), ApiError> {
    let now = app.env.now();
    let Some(written) = app.db.read::<_, StoreError, _>(|pg| pg.banner()).await? else { return Ok((None, None)) };
    let changes = written.next_change(now);
    let is_shown = written.is_shown_at(now);
    let editorial::Banner { text, link_text, href, .. } = written;
    Ok((is_shown.then_some(Banner { text, link_text, href }), changes))
}

/// Responds with the 404 page.
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

/// Renders a page with the shell.
pub(crate) fn render(app: &App, banner: Option<Banner>, page: &Page) -> Result<Vec<u8>, ApiError> {
    Ok(::pages::render(&app.config, &app.web_app.manifest, banner, page)?)
}
