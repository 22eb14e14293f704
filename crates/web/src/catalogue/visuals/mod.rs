//! Illustrated key ideas, and infographics made from them.

pub(crate) mod types;

use actix_web::{HttpRequest, HttpResponse, get, http::header, web::Data};
use cache::Scope;
use workflows::catalogue::{
    infographics::{downloadable_infographics, infographics_file, open_infographics_link, poster_pixels},
    visuals,
};
use workflows::delivery::book_files::Paper;

use crate::{
    app::App,
    cached_responses::{cached, cached_within},
    catalogue::{
        types::book_name,
        visuals::types::{
            BookVisualsResult, DownloadAllParams, DownloadParams, DownloadResult, InfographicFormat,
            InfographicsResult, VisualsParams, VisualsResult,
        },
    },
    extract::{Member, Path, Query, Viewer},
    http::{
        error::ApiError,
        openapi::{Forbidden, NotFound, Routes, Unchanged},
        wire::Answer,
    },
};

/// Registers the API routes of this module.
pub fn configure(config: &mut impl Routes) {
    config.service(visuals_list).service(book_visuals).service(infographics);
    config.service(download_infographics).service(download_infographic);
}

/// The books whose key ideas are illustrated, each once. The same for everybody.
#[utoipa::path(
    tag = "catalogue",
    params(VisualsParams),
    responses(
        (status = 200, description = "A page of the list.", body = Answer<VisualsResult>),
        Unchanged),
    security((), ("token" = []))
)]
#[get("/api/visuals")]
async fn visuals_list(
    app: Data<App>,
    _: Viewer,
    params: Query<VisualsParams>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let wanted = params.read()?;
    cached(&app, None, &request, VisualsParams::NAMES, async || {
        let listed = app.read_tx_from_replica(move |tx| visuals::list_visual_books(tx, None, wanted)).await?;
        Ok((VisualsResult::from(listed), None))
    })
    .await
}

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
async fn book_visuals(
    app: Data<App>,
    viewer: Viewer,
    id: Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let (reader, now) = (viewer.0.map(|claims| claims.user), app.env.now());
    let book = book_name::in_path(&id)?;
    cached_within(&app, viewer.0.as_ref(), &request, &[], async || {
        let seen = app.read_tx(move |tx| visuals::book_visuals(tx, reader, &book)).await?;
        let (result, until) = BookVisualsResult::signed(&seen, &app.signer().await?, reader, now);
        Ok((result, [until, seen.until].into_iter().flatten().min(), Scope::Book(seen.book.card.id)))
    })
    .await
}

/// The gallery of infographics: thumbnails for everybody, and whether this viewer may download them.
#[utoipa::path(
    tag = "catalogue",
    params(VisualsParams),
    responses(
        (status = 200, description = "A page of the gallery.", body = Answer<InfographicsResult>),
        Unchanged),
    security((), ("token" = []))
)]
#[get("/api/infographics")]
async fn infographics(
    app: Data<App>,
    viewer: Viewer,
    params: Query<VisualsParams>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let wanted = params.read()?;
    let reader = viewer.0.map(|claims| claims.user);
    cached(&app, viewer.0.as_ref(), &request, VisualsParams::NAMES, async || {
        let listed = app.read_tx_from_replica(move |tx| visuals::list_visual_books(tx, reader, wanted)).await?;
        let until = listed.until;
        Ok((InfographicsResult::from(listed), until))
    })
    .await
}

/// The infographics of an add-on, or the newest of today for a member with a plan, as one zip. A link of an answer to a
/// purchase (`infographicsUrl`) needs no access token.
#[utoipa::path(
    tag = "reading", params(DownloadAllParams),
    responses((status = 303, description = "To the zip.", headers(("Location" = String, description = "A presigned URL."))), Forbidden, NotFound),
    security((), ("token" = []))
)]
#[get("/api/infographics/download")]
async fn download_infographics(
    app: Data<App>,
    viewer: Viewer,
    params: Query<DownloadAllParams>,
) -> Result<HttpResponse, ApiError> {
    let (reader, link) = (viewer.0.map(|claims| claims.user), params.into_inner().link);
    if reader.is_none() && link.is_none() {
        return Err(ApiError::unauthenticated());
    }
    let books = app.read_tx(move |tx| {
        let payer = link.as_deref().and_then(|link| open_infographics_link(tx, link));
        downloadable_infographics(tx, reader, payer)
    });
    let books = books.await?;
    if books.is_empty() {
        return Err(ApiError::not_found("infographic"));
    }
    let key = infographics_file(&app.media, &books).await?;
    let signed = app.signer().await?.presign(&key, reader, app.env.now());
    Ok(HttpResponse::SeeOther()
        .insert_header((header::LOCATION, format!("{}&download=infographics", signed.url)))
        .insert_header((header::CACHE_CONTROL, "private, no-store"))
        .finish())
}

/// Where a paid member finds an infographic to keep.
#[utoipa::path(
    tag = "reading",
    params(("id" = String, Path, description = "The id or the `subid` of a book."), DownloadParams),
    responses((status = 200, description = "Its address.", body = Answer<DownloadResult>), Forbidden),
    security(("token" = []))
)]
#[get("/api/infographics/{id}/download")]
async fn download_infographic(
    app: Data<App>,
    Member(claims): Member,
    id: Path<String>,
    params: Query<DownloadParams>,
) -> Result<Answer<DownloadResult>, ApiError> {
    let (reader, now) = (claims.user, app.env.now());
    let book = book_name::in_path(&id)?;
    let found = app.read_tx(move |tx| visuals::download_infographic(tx, reader, &book)).await?;
    let mut name = format!("{}-infographic", found.book.card.subid);
    let key = match params.format.unwrap_or_default() {
        // An uploaded infographic has no SVG.
        InfographicFormat::Svg => Some(found.poster),
        InfographicFormat::Png => poster_pixels(&app.media, &found.poster).await?,
        InfographicFormat::Pdf => {
            let paper = Paper::from(params.paper.unwrap_or_default());
            name = format!("{name}-{}", paper.as_str());
            Some(app.book_files.sheet_key(&found.book, &found.ideas, paper).await?)
        }
    };
    let key = key.ok_or_else(|| ApiError::not_found("infographic"))?;
    let signed = app.signer().await?.presign(&key, Some(reader), now);
    Ok(Answer::new(DownloadResult {
        url: format!("{}&download={name}", signed.url),
        until: signed.expires_at.millis(),
    }))
}
