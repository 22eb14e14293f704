//! `GET /api/books/{id}`: a book as its viewer may see it.

use actix_web::{HttpMessage, HttpRequest, HttpResponse, get, web::Data};
use cache::Scope;
use workflows::catalogue::{recordings::RecordingUrls, view_book::read_book};

use crate::{
    app::App,
    cached_responses::cached_unstored,
    catalogue::types::{
        book::{self, ReadParams},
        book_name,
    },
    extract::{Path, Query, Viewer},
    http::{error::ApiError, openapi::Routes, wire::Answer},
    middleware::IsHead,
};

/// Registers the API routes of this module.
pub fn configure(config: &mut impl Routes) {
    config.service(open);
}

/// Opens a book: the full text where the viewer may read it, otherwise the preview. Takes from a free member's
/// allowance when the full text is opened for the first time. `HEAD` takes nothing, and `?preview=true` neither.
#[utoipa::path(
    tag = "reading", params(("id" = String, Path, description = "The id or the `subid` of a book."), ReadParams),
    security((), ("token" = [])),
    responses((status = 200, description = "The book.", body = Answer<book::BookResult>))
)]
#[get("/api/books/{id}")]
async fn open(
    app: Data<App>,
    viewer: Viewer,
    id: Path<String>,
    params: Query<ReadParams>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let (reader, now) = (viewer.0.map(|claims| claims.user), app.env.now());
    let id = book_name::in_path(&id)?;
    cached_unstored(&app, viewer.0.as_ref(), &request, ReadParams::NAMES, async || {
        let may_record = !request.extensions().contains::<IsHead>();
        let read = read_book(&app.transactions, reader, id, params.text(), may_record).await?;
        let view = read.view;
        if reader.is_some() && view.rights.read.is_ok() {
            app.views.count(view.book.card.id);
        }
        let recordings = RecordingUrls::sign(&view, &app.signer().await?, reader, now);
        let until = [view.rights.until, recordings.until()].into_iter().flatten().min();
        let book = book::Book::of_view(&view, recordings);
        let account = view.account.zip(viewer.0).map(|(account, claims)| account.seen_by(&claims));
        let result = book::BookResult { user: account.as_ref().map(Into::into), book };
        Ok((result, if read.is_final { until } else { Some(now) }, Scope::Book(view.book.card.id)))
    })
    .await
}
