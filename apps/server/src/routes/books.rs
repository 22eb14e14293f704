//! `GET /api/books/{id}`: a book for its reader.

use actix_web::{HttpMessage, HttpRequest, HttpResponse, get, http::StatusCode, web::Data};
use cache::{Cacheable, Encoded, Scope};
use catalogue::BookRef;
use utoipa_actix_web::service_config::ServiceConfig;
use workflows::{
    recordings::RecordingUrls,
    view_book::{open_book, view_book},
};

use crate::{
    app::App,
    cache::{JSON, json_bytes, respond},
    error::ApiError,
    extract::{Path, Viewer},
    middleware::IsHead,
    routes::catalogue::types::book,
    wire::Answer,
};

/// Opening takes from an allowance: nobody may keep the answer or ask for it ahead of time.
const NO_STORE: &str = "private, no-store";

/// The calls of this file.
pub fn configure(config: &mut ServiceConfig) {
    config.service(open);
}

/// Opens a book: the full text where the viewer may read it, otherwise the preview. Takes from a free member's
/// allowance when the full text is opened for the first time; `HEAD` takes nothing.
#[utoipa::path(
    tag = "reading", params(("id" = String, Path, description = "The id or the `subid` of a book.")),
    security((), ("token" = [])),
    responses((status = 200, description = "The book.", body = Answer<book::BookResult>))
)]
#[get("/api/books/{id}")]
async fn open(
    app: Data<App>,
    viewer: Viewer,
    id: Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let reader = viewer.0.map(|claims| claims.user);
    let now = app.env.now();
    // Two sessions of a person may have different roles, and the answer tells.
    let question = viewer.0.map_or_else(|| format!("book {id}"), |claims| format!("{} book {id}", claims.role));
    if let Some(answer) = app.responses.get(reader, &question, now) {
        return Ok(respond(&answer, &request, StatusCode::OK, NO_STORE));
    }
    let begun = app.responses.begin(reader, now);
    let key = BookRef::parse(&id).ok_or_else(|| ApiError::not_found("book"))?;
    let mut view = app.read_tx(move |tx| view_book(tx, reader, &key)).await?;
    let records = view.wants_recording() && !request.extensions().contains::<IsHead>();
    if records {
        view = app.write_tx(move |tx| open_book(tx, view)).await?;
    }
    let opened = view.rights.read.is_ok();
    if opened && reader.is_some() {
        app.views.count(view.book.card.id);
    }
    let recordings = RecordingUrls::sign(&view, &app.signer().await?, reader, now);
    let until = [view.rights.until, recordings.until()].into_iter().flatten().min();
    // What recorded something, or was refused because the allowance is used up, is decided again each time.
    let stays = reader.is_none() || (opened && !records && !view.wants_recording());
    let book = book::Book::of_view(&view, recordings);
    let account = view.account.zip(viewer.0).map(|(account, claims)| account.seen_by(&claims));
    let result = book::BookResult { user: account.as_ref().map(Into::into), book };
    let bytes = json_bytes(&Answer::new(result))?;
    let encoded = if reader.is_some() { Encoded::personal(bytes, JSON) } else { Encoded::public(bytes, JSON) };
    if stays {
        let answer = Cacheable { encoded, valid_until: until, scope: Scope::Book(view.book.card.id) };
        return Ok(respond(&app.responses.put(reader, &question, begun, answer), &request, StatusCode::OK, NO_STORE));
    }
    Ok(respond(&encoded, &request, StatusCode::OK, NO_STORE))
}
