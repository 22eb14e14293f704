//! `GET /api/books/download-pdf/{id}`, `GET /api/books/download-epub/{id}`, and `GET /api/books/{id}/file`, which tells
//! whether a download would succeed.

use actix_web::{HttpMessage, HttpRequest, HttpResponse, get, http::header, web::Data};
use catalogue::Book;
use identity::RateLimitBucket;
use kernel::UserId;
use media::disposition::attachment;
use workflows::delivery::book_files::Format;
use workflows::{
    delivery::{
        download::{download_book, view_file},
        reader_sync::remember_epub,
    },
    rate_limits,
};

use crate::{
    app::App,
    catalogue::types::{book::FileResult, book_name},
    extract::{Member, Path, Viewer},
    http::{
        error::ApiError,
        openapi::{Forbidden, Routes, TooManyTries},
        wire::Answer,
    },
    middleware::IsHead,
};

/// Registers the API routes of this module.
pub fn configure(config: &mut impl Routes) {
    config.service(download_pdf).service(download_epub).service(about_file);
}

/// The summary as a PDF. For paid members, and for free members within their allowance: it takes what opening the book
/// takes, and nothing when the book was opened before. `HEAD` takes nothing.
#[utoipa::path(
    tag = "reading", params(("id" = String, Path, description = "The id or the `subid` of a book.")),
    security(("token" = [])),
    responses((status = 200, description = "The PDF.", content_type = "application/pdf", body = Vec<u8>), Forbidden, TooManyTries)
)]
#[get("/api/books/download-pdf/{id}")]
async fn download_pdf(
    app: Data<App>,
    Member(claims): Member,
    id: Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    answer(&app, claims.user, &id, Format::Pdf, &request).await
}

/// The summary as an EPUB, with the rights of the PDF.
#[utoipa::path(
    tag = "reading", params(("id" = String, Path, description = "The id or the `subid` of a book.")),
    security(("token" = [])),
    responses((status = 200, description = "The EPUB.", content_type = "application/epub+zip", body = Vec<u8>), Forbidden, TooManyTries)
)]
#[get("/api/books/download-epub/{id}")]
async fn download_epub(
    app: Data<App>,
    Member(claims): Member,
    id: Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    answer(&app, claims.user, &id, Format::Epub, &request).await
}

/// The book as lists show it, whether this viewer may have it as a file, and whether that takes one from the allowance.
/// It opens nothing and takes nothing. A visitor is told of a free book that its file may be had; it comes to members.
#[utoipa::path(
    tag = "reading", params(("id" = String, Path, description = "The id or the `subid` of a book.")),
    security((), ("token" = [])),
    responses((status = 200, description = "The book and its file.", body = Answer<FileResult>))
)]
#[get("/api/books/{id}/file")]
async fn about_file(app: Data<App>, viewer: Viewer, id: Path<String>) -> Result<Answer<FileResult>, ApiError> {
    let reader = viewer.0.map(|claims| claims.user);
    let book = book_name::in_path(&id)?;
    let view = app.read_tx(move |tx| view_file(tx, reader, &book)).await?;
    Ok(Answer::new((&view).into()))
}

pub(super) async fn answer(
    app: &Data<App>,
    reader: UserId,
    id: &str,
    format: Format,
    request: &HttpRequest,
) -> Result<HttpResponse, ApiError> {
    rate_limits::count(&app.transactions, RateLimitBucket::Download, reader.to_string()).await?;
    let book = book_name::in_path(id)?;
    let takes = !request.extensions().contains::<IsHead>();
    let make = async |book: &Book| Ok::<_, ApiError>(app.book_files.get_or_make(book, format).await?);
    let (book, file) = download_book(&app.transactions, reader, book, takes, make).await?;
    if format == Format::Epub {
        remember_epub(&app.transactions, book.card.id, &file).await?;
    }
    let name = attachment(&book.card.title, book.card.subid.as_str(), format.ending());
    Ok(HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, format.content_type()))
        .insert_header((header::CONTENT_DISPOSITION, name))
        .insert_header((header::CACHE_CONTROL, "private, no-store"))
        .body(file))
}
