//! The outbox of the demo profile (`site.demo-profile`): shows outgoing mails as the recipients would get them.
//!
//! These paths are `404` in other profiles. A mail's HTML is shown in a sandboxed iframe without scripts.

use actix_web::{
    HttpRequest, HttpResponse, get,
    http::{StatusCode, header},
    web::{self, Data, Path, Query},
};
use config::Profile;
use jobs::{Job, JobQueries, State};
use kernel::{Limit, StoreError};
use mail::{Outbox, OutboxMail, SEND_MAIL};
use pages::{Page, outbox as views};
use serde::Deserialize;

use crate::{
    app::App,
    cached_responses::HTML,
    http::error::ApiError,
    pages::{nothing_here, render},
};

/// The maximum number of listed mails.
const SHOWN: usize = 100;
const STYLE: &str = "/outbox/style.css";
/// The policy of the outbox page: allows iframes of its own origin.
const PAGE_CSP: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; \
                        frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
/// The policy of a mail's HTML: inline styles, no scripts, requests or forms; links open in a new tab.
const MAIL_CSP: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; \
                        frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox";

/// Registers the routes of the outbox.
pub(super) fn configure(config: &mut web::ServiceConfig) {
    config.service(list_page).service(style).service(mail_page).service(html).service(raw);
}

/// The filter of the list, by recipient.
#[derive(Debug, Deserialize)]
struct Filter {
    #[serde(default)]
    to: String,
}

#[get("/outbox")]
async fn list_page(app: Data<App>, request: HttpRequest, filter: Query<Filter>) -> Result<HttpResponse, ApiError> {
    let Some(outbox) = outbox(&app) else { return nothing_here(&app, &request).await };
    let waiting = app.db.read::<_, StoreError, _>(waiting).await?;
    let mails =
        web::block(move || outbox.newest(SHOWN)).await.map_err(ApiError::internal)?.map_err(ApiError::internal)?;
    page(&app, views::list(&mails, &waiting, filter.to.trim(), app.config.mail.smtp.is_none())?)
}

#[get("/outbox/style.css")]
async fn style(app: Data<App>, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    if outbox(&app).is_none() {
        return nothing_here(&app, &request).await;
    }
    Ok(HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, "text/css; charset=utf-8"))
        .insert_header((header::CACHE_CONTROL, "no-cache"))
        .body(views::STYLESHEET))
}

#[get("/outbox/{name}")]
async fn mail_page(app: Data<App>, request: HttpRequest, name: Path<String>) -> Result<HttpResponse, ApiError> {
    let Some(mail) = find(&app, &name).await? else { return nothing_here(&app, &request).await };
    page(&app, views::mail(&mail)?)
}

#[get("/outbox/{name}/html")]
async fn html(app: Data<App>, request: HttpRequest, name: Path<String>) -> Result<HttpResponse, ApiError> {
    let Some(mail) = find(&app, &name).await? else { return nothing_here(&app, &request).await };
    Ok(HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, HTML))
        .insert_header((header::CONTENT_SECURITY_POLICY, MAIL_CSP))
        .insert_header((header::X_FRAME_OPTIONS, "SAMEORIGIN"))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .body(views::html(&mail)))
}

#[get("/outbox/{name}/raw")]
async fn raw(app: Data<App>, request: HttpRequest, name: Path<String>) -> Result<HttpResponse, ApiError> {
    let Some(mail) = find(&app, &name).await? else { return nothing_here(&app, &request).await };
    Ok(HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, "text/plain; charset=utf-8"))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .body(mail.bytes))
}

/// The outbox; `None` outside the demo profile, because mails contain sign-in links.
fn outbox(app: &App) -> Option<Outbox> {
    (app.config.profile == Profile::Demo).then(|| Outbox::in_home(&app.config.home))
}

async fn find(app: &App, name: &str) -> Result<Option<OutboxMail>, ApiError> {
    let Some(outbox) = outbox(app) else { return Ok(None) };
    let name = name.to_owned();
    web::block(move || outbox.find(&name)).await.map_err(ApiError::internal)?.map_err(ApiError::internal)
}

/// Mail jobs that are not done, newest first within each state: running, queued, dead letters.
fn waiting<A>(pg: &mut postgres::Pg<'_, A>) -> Result<Vec<Job>, StoreError> {
    let mut all = Vec::new();
    for state in [State::Running, State::Queued, State::SetAside] {
        all.extend(pg.jobs(&[SEND_MAIL], Some(state), None, Limit::clamped(20))?.items);
    }
    Ok(all)
}

fn page(app: &App, main: String) -> Result<HttpResponse, ApiError> {
    let page = Page {
        title: "Outgoing emails".to_owned(),
        description: "What this demo would have sent.".to_owned(),
        main,
        own_style: Some(STYLE),
        ..Page::default()
    };
    Ok(HttpResponse::build(StatusCode::OK)
        .insert_header((header::CONTENT_TYPE, HTML))
        .insert_header((header::CONTENT_SECURITY_POLICY, PAGE_CSP))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .body(render(app, None, &page)?))
}
