//! The HTML that browsers and crawlers get.
//!
//! A public page carries its text and its first answers, as a visitor sees them: it can be read without scripts and
//! needs no second round trip. Nothing of a member ever stands in a page.

mod authors;
mod blog;
mod book;
mod booklist;
mod books;
mod category;
mod collections;
mod feeds;
mod front;
mod listing;
mod outbox;
mod payment;
mod podcasts;
mod product;
mod quizzes;
mod site_page;
mod sitemap;
mod video;
mod visuals;

use ::pages::{Banner, Page, screens, text};
use actix_web::{
    HttpRequest, HttpResponse, Responder, ResponseError,
    body::BoxBody,
    http::{Method, StatusCode, header},
    web::{self, Data},
};
use cache::{Cacheable, Encoded, Scope};
use editorial::EditorialQueries;
use kernel::{StoreError, Timestamp};

use crate::routes::ops::Document;
use http_core::{
    app::App,
    cache::{HTML, respond},
    error::{ApiError, Code},
};

/// Pages may be kept, but are asked for again each time: a changed one is seen at once, an unchanged one costs a `304`.
const REVALIDATE: &str = "no-cache";

/// The site's addresses.
pub fn configure(config: &mut web::ServiceConfig) {
    config
        .service(front::front_page)
        .service(books::books_page)
        .service(booklist::booklist_page)
        .service(category::category_page)
        .service(collections::collections_page)
        .service(collections::collection_page)
        .service(authors::authors_page)
        .service(authors::author_page)
        .service(visuals::visuals_page)
        .service(visuals::visuals_of_book_page)
        .service(visuals::infographics_page)
        .service(book::book_page)
        .service(book::book_detail_page)
        .service(video::video_page);
    config
        .service(feeds::blog_feed)
        .service(feeds::podcast_feed)
        .service(blog::blog_page)
        .service(blog::whats_new_page)
        .service(blog::post_page)
        .service(podcasts::podcasts_page)
        .service(podcasts::podcast_page)
        .service(quizzes::intelligence_quiz_page)
        .service(quizzes::personality_quiz_page)
        .service(payment::payment_page)
        .service(payment::payment_without_plan)
        .service(sitemap::robots)
        .service(sitemap::index)
        .service(sitemap::one_part);
    for slug in workflows::editorial_texts::SITE_PAGES {
        config.route(&format!("/{slug}"), web::get().to(move |app, request| site_page::show(app, request, slug)));
    }
    for (path, slug) in workflows::product_pages::routes() {
        config.route(path, web::get().to(move |app, request| product::show(app, request, slug)));
    }
    outbox::configure(config);
    for screen in screens::SCREENS {
        config.route(
            screen.path,
            web::get().to(move |app: Data<App>, request: HttpRequest| async move {
                plain(&app, &request, StatusCode::OK, screen.chunk, screen.title, None).await
            }),
        );
    }
}

/// A page whose text is the app's: until it has come, its shape is shown, or that it will not come without scripts.
async fn plain(
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
struct CacheablePage {
    page: Page,
    /// When a presigned URL in it expires.
    until: Option<Timestamp>,
    /// Which changes of the catalogue invalidate it.
    scope: Scope,
}

impl From<Page> for CacheablePage {
    fn from(page: Page) -> Self {
        Self { page, until: None, scope: Scope::Lists }
    }
}

/// Responds with a page from the cache, or makes it and caches it under this key.
async fn cached<P: Into<CacheablePage>>(
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
async fn found<P: Into<CacheablePage>>(
    app: &App,
    request: &HttpRequest,
    key: &str,
    make: impl AsyncFnOnce() -> Result<P, ApiError>,
) -> Result<HttpResponse, ApiError> {
    or_nothing(app, request, cached(app, request, StatusCode::OK, key, make).await).await
}

/// Answers in XML as [`found`] does in HTML.
async fn found_xml(
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

/// What answers where no route does: JSON under `/api`, a page elsewhere.
pub async fn not_found(
    app: Data<App>,
    document: Data<Document>,
    request: HttpRequest,
) -> Result<impl Responder, ApiError> {
    let path = request.path();
    if path == "/api" || path.starts_with("/api/") {
        return Err(document
            .methods_at(path)
            .map_or_else(|| ApiError::not_found("call"), |methods| ApiError::method_not_allowed(methods.to_owned())));
    }
    if request.method() != Method::GET {
        return Err(ApiError::method_not_allowed("GET, HEAD".to_owned()));
    }
    // An address with a slash too many is the one without it.
    let trimmed = path.trim_end_matches('/');
    // To a browser `//` and `/\` begin the address of another site.
    if trimmed.len() < path.len() && trimmed.starts_with('/') && !trimmed[1..].starts_with(['/', '\\']) {
        let query = request.query_string();
        let address = if query.is_empty() { trimmed.to_owned() } else { format!("{trimmed}?{query}") };
        return Ok(HttpResponse::PermanentRedirect().insert_header(("Location", address)).finish());
    }
    nothing_here(&app, &request).await
}

/// The page of an address at which there is nothing.
async fn nothing_here(app: &App, request: &HttpRequest) -> Result<HttpResponse, ApiError> {
    plain(
        app,
        request,
        StatusCode::NOT_FOUND,
        "not-found",
        "Page not found",
        Some("There is nothing at this address. It may have moved, or the link was wrong."),
    )
    .await
}

/// Writes a page into the frame.
fn render(app: &App, banner: Option<Banner>, page: &Page) -> Result<Vec<u8>, ApiError> {
    Ok(::pages::render(&app.config, &app.web_app.manifest, banner, page)?)
}
