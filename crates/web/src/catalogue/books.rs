//! Books, categories and the front page; search suggestions.

use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use catalogue::{BOOKS_PAGE, CatalogueQueries};
use kernel::{Limit, StoreError, Timestamp};
use workflows::catalogue::{
    book_lists::{catalogue_page, front_page, list_books},
    suggestions::suggest,
};

use crate::{
    app::App,
    cached_responses::cached,
    catalogue::types::{
        directory::{SearchParams, SearchResult},
        list::{BookListResult, BooksParams, BooksResult, CategoriesResult, FrontResult},
    },
    extract::{Query, Viewer},
    http::{
        error::ApiError,
        openapi::{NotFound, Unchanged},
        wire::Answer,
    },
};

/// The catalogue: a page of books, the categories, and what is recommended to this viewer.
#[utoipa::path(
    tag = "catalogue", params(BooksParams), security((), ("token" = [])),
    responses((status = 200, description = "A page of the catalogue.", body = Answer<BooksResult>), NotFound, Unchanged)
)]
#[get("/api/books")]
pub(super) async fn books(
    app: Data<App>,
    viewer: Viewer,
    params: Query<BooksParams>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let query = params.read(BOOKS_PAGE)?;
    let reader = viewer.0.map(|claims| claims.user);
    let searched = query.counted_words();
    let response = cached(&app, viewer.0.as_ref(), &request, BooksParams::NAMES, async || {
        let frame = app.catalogue_frame().await?;
        let page = app.read_tx_from_replica(move |tx| catalogue_page(tx, Arc::clone(&frame), reader, &query)).await?;
        if let Some(words) = &searched {
            app.searches.set_result(words, page.list.has_result());
        }
        let mut result = BooksResult::from(&page);
        if let (Some(user), Some(claims)) = (&mut result.user, &viewer.0) {
            user.role = claims.role.into();
        }
        let right_until = result.user.as_ref().and_then(|user| user.end_paid_date).map(Timestamp::from_millis);
        Ok((result, right_until))
    })
    .await?;
    if let Some(words) = searched {
        app.searches.count(words);
    }
    Ok(response)
}

/// A page of books as a map by `subid`, with their order beside it.
#[utoipa::path(
    tag = "catalogue", params(BooksParams), security((), ("token" = [])),
    responses((status = 200, description = "A page of the list.", body = Answer<BookListResult>), NotFound, Unchanged)
)]
#[get("/api/books/list")]
pub(super) async fn list(
    app: Data<App>,
    viewer: Viewer,
    params: Query<BooksParams>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let query = params.read(Limit::MAX)?;
    let reader = viewer.0.map(|claims| claims.user);
    cached(&app, viewer.0.as_ref(), &request, BooksParams::NAMES, async || {
        let list = app.read_tx_from_replica(move |tx| list_books(tx, reader, &query)).await?;
        Ok((BookListResult::from(&list), list.right_until))
    })
    .await
}

/// All categories, in their order. The same for everybody.
#[utoipa::path(
    tag = "catalogue", security((), ("token" = [])),
    responses((status = 200, description = "The categories.", body = Answer<CategoriesResult>), Unchanged)
)]
#[get("/api/categories")]
pub(super) async fn categories(app: Data<App>, _: Viewer, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    cached(&app, None, &request, &[], async || {
        let categories = app.db.read::<_, ApiError, _>(|pg| Ok(pg.categories()?)).await?;
        Ok((CategoriesResult { categories: categories.iter().map(Into::into).collect() }, None))
    })
    .await
}

/// What the front page shows. The same for everybody.
#[utoipa::path(
    tag = "catalogue", security((), ("token" = [])),
    responses((status = 200, description = "The front page.", body = Answer<FrontResult>), Unchanged)
)]
#[get("/api/front")]
pub(super) async fn front(app: Data<App>, _: Viewer, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    cached(&app, None, &request, &[], async || {
        let page = app.read_tx::<_, StoreError, _>(front_page).await?;
        Ok((FrontResult::from(&page), None))
    })
    .await
}

/// Search as one types: books with the section and the passage (where this viewer may read it), authors, categories,
/// collections and tags. Accents and small slips are forgiven, and the last word may be unfinished.
#[utoipa::path(
    tag = "catalogue", params(SearchParams), security((), ("token" = [])),
    responses((status = 200, description = "The results; each list has the best matches first.", body = Answer<SearchResult>), Unchanged)
)]
#[get("/api/search")]
pub(super) async fn search(
    app: Data<App>,
    viewer: Viewer,
    params: Query<SearchParams>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let query = params.read()?;
    let reader = viewer.0.map(|claims| claims.user);
    cached(&app, viewer.0.as_ref(), &request, SearchParams::NAMES, async || {
        let found = app.read_tx_from_replica(move |tx| suggest(tx, reader, &query)).await?;
        Ok((SearchResult::from(&found), found.right_until))
    })
    .await
}
