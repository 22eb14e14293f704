//! A book's page, rendered for visitors.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use askama::Template;
use cache::Scope;
use catalogue::BookRef;
use pages::{
    Page, Query,
    cards::url_of_book,
    filters, structured,
    text::{Section, sections_of_page},
};
use serde_json::json;
use workflows::catalogue::{
    recordings::RecordingUrls,
    view_book::{BookView, view_book},
};

use crate::{
    app::App,
    catalogue::types::book,
    extract,
    http::error::ApiError,
    pages::{CacheablePage, found, nothing_here},
};

#[derive(Template)]
#[template(path = "book.html")]
struct BookPage<'a> {
    book: &'a book::Book,
    hue: u16,
    here: String,
    sections: Vec<Section>,
}

/// A book's page with header and footer.
#[get("/books/{id}")]
pub(super) async fn book_page(
    app: Data<App>,
    id: extract::Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    show(&app, &id, &request, true).await
}

/// A book's page without header and footer (`site.page-frame`).
#[get("/book-detail/{id}")]
pub(super) async fn book_detail_page(
    app: Data<App>,
    id: extract::Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    show(&app, &id, &request, false).await
}

async fn show(app: &App, id: &str, request: &HttpRequest, framed: bool) -> Result<HttpResponse, ApiError> {
    let Some(key) = BookRef::parse(id) else { return nothing_here(app, request).await };
    let now = app.env.now();
    found(app, request, &format!("page book {framed} {id}"), async || {
        let view = app.read_tx(move |tx| view_book(tx, None, &key)).await?;
        let recordings = RecordingUrls::sign(&view, &app.signer().await?, None, now);
        let until = recordings.until();
        let page = page_of(app, id, &view, recordings, framed)?;
        Ok(CacheablePage { page, until, scope: Scope::Book(view.book.card.id) })
    })
    .await
}

fn page_of(app: &App, id: &str, view: &BookView, urls: RecordingUrls, framed: bool) -> Result<Page, ApiError> {
    let book = book::Book::of_view(view, urls);
    let card = &book.card;
    let main = BookPage {
        book: &book,
        hue: card.categories.first().map_or(45, |category| category.hue),
        here: format!("%2F{}%2F{id}", if framed { "books" } else { "book-detail" }),
        sections: sections_of_page(book.body.as_deref().unwrap_or_default()),
    };
    Ok(Page {
        title: format!("{} by {}", card.title, card.author),
        description: card.description.clone(),
        canonical: Some(format!("/books/{}", card.subid)),
        image: Some(url_of_book(&card.subid)),
        chunk: "reader",
        framed,
        main: main.render()?,
        structured: Some(structured::book(&app.config, &view.book.card)),
        queries: vec![Query {
            key: json!(["visitor", "book", id]),
            data: json!(book::BookResult { user: None, book }),
        }],
        ..Page::default()
    })
}
