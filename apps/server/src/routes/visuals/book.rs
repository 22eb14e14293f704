//! `GET /api/visuals/book/{id}`.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use cache::Scope;
use catalogue::BookRef;
use workflows::visuals;

use crate::{
    app::App,
    cache::cached_within,
    error::ApiError,
    extract::{Path, Viewer},
    openapi::Unchanged,
    routes::visuals::types::{BookVisualsResult, Visual},
    wire::Answer,
};

/// A book's illustrated key ideas, for paid members, and for everybody if the book is free: others get an empty list.
#[utoipa::path(
    tag = "reading",
    params(("id" = String, Path, description = "The id or the `subid` of a book.")),
    responses(
        (status = 200, description = "The key ideas.", body = Answer<BookVisualsResult>),
        Unchanged),
    security((), ("token" = []))
)]
#[get("/api/visuals/book/{id}")]
pub(super) async fn book_visuals(
    app: Data<App>,
    viewer: Viewer,
    id: Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let (reader, now) = (viewer.0.map(|claims| claims.user), app.env.now());
    let book = BookRef::parse(&id).ok_or_else(|| ApiError::not_found("book"))?;
    cached_within(&app, viewer.0.as_ref(), &request, &[], async {
        let seen = app.read_tx(move |tx| visuals::book_visuals(tx, reader, &book)).await?;
        let (signer, reader) = (app.signer().await?, reader.filter(|_| !seen.book.card.free));
        let addresses: Vec<_> = seen.visuals.iter().map(|one| signer.presign(&one.draft.image, reader, now)).collect();
        let until = addresses.iter().map(|signed| signed.expires_at).min();
        let visuals = seen.visuals.iter().zip(addresses).map(|(one, signed)| Visual::new(one, signed)).collect();
        let result = BookVisualsResult {
            book: (&seen.book.card).into(),
            is_paid: seen.allowed,
            visuals,
            until: until.map(kernel::Timestamp::millis),
        };
        Ok((result, [until, seen.until].into_iter().flatten().min(), Scope::Book(seen.book.card.id)))
    })
    .await
}
