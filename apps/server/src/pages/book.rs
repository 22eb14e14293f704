//! A book's page, as a visitor sees it.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use askama::Template;
use cache::Scope;
use catalogue::BookRef;
use pages::{
    self, Page, Query,
    structured::{breadcrumbs, graph, publisher},
};
use serde_json::{Value, json};
use workflows::{
    recordings::RecordingUrls,
    view_book::{BookView, view_book},
};

use super::{Made, Section, filters, found, nothing_here, render, sections};
use crate::{
    app::App,
    error::ApiError,
    extract,
    routes::{catalogue::types::book, media::cards},
};

#[derive(Template)]
#[template(path = "book.html")]
struct BookPage<'a> {
    book: &'a book::Book,
    hue: u16,
    here: String,
    sections: Vec<Section>,
}

/// A book, with header and footer.
#[get("/books/{id}")]
pub(super) async fn book_page(
    app: Data<App>,
    id: extract::Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    show(&app, &id, &request, true).await
}

/// A book that has the screen to itself (`member.md §2`).
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
    let question = format!("page book {framed} {id}");
    let now = app.env.now();
    found(app, request, &question, async |banner| {
        let view = app.read_tx(move |tx| view_book(tx, None, &key)).await?;
        let recordings = RecordingUrls::sign(&view, &app.signer().await?, None, now);
        let until = recordings.until();
        let page = written(app, id, &view, recordings, framed)?;
        Ok(Made { html: render(app, banner, &page.as_page())?, until, scope: Scope::Book(view.book.card.id) })
    })
    .await
}

/// A page with the texts that it borrows.
struct BookPageText {
    title: String,
    description: String,
    canonical: String,
    image: Option<String>,
    framed: bool,
    main: String,
    structured: Value,
    key: Value,
    data: Value,
}

impl BookPageText {
    fn as_page(&self) -> Page<'_> {
        Page {
            title: &self.title,
            description: &self.description,
            canonical: Some(self.canonical.clone()),
            image: self.image.clone(),
            chunk: "reader",
            framed: self.framed,
            main: self.main.clone(),
            structured: Some(self.structured.clone()),
            queries: vec![Query { key: self.key.clone(), data: self.data.clone() }],
            ..Page::default()
        }
    }
}

fn written(app: &App, id: &str, view: &BookView, urls: RecordingUrls, framed: bool) -> Result<BookPageText, ApiError> {
    let book = book::Book::of_view(view, urls);
    let sections = sections(book.body.as_deref().unwrap_or_default())
        .map(|section| Section {
            html: section.html.replace("<h4>", "<h3>").replace("</h4>", "</h3>"),
            title: section.title,
        })
        .collect();
    let subid = book.card.subid.clone();
    let template = BookPage {
        book: &book,
        hue: book.card.categories.first().map_or(45, |category| category.hue),
        here: format!("%2F{}%2F{id}", if framed { "books" } else { "book-detail" }),
        sections,
    };
    let main = template.render().map_err(ApiError::internal)?;
    let base = &app.config.public_url;
    let article = json!({
        "@type": "Article",
        "headline": format!("{} by {}: summary", book.card.title, book.card.author),
        "description": book.card.description,
        "image": format!("{base}{}", cards::url_of_book(&subid)),
        "url": format!("{base}/books/{subid}"),
        "isAccessibleForFree": book.card.free,
        "timeRequired": format!("PT{}M", book.card.minutes),
        "about": { "@type": "Book", "name": book.card.title, "author": { "@type": "Person", "name": book.card.author } },
        "publisher": publisher(&app.config),
    });
    let path = format!("/books/{subid}");
    let structured =
        graph(&[article, breadcrumbs(&app.config, &[("Book Summaries", "/books"), (&book.card.title, &path)])]);
    Ok(BookPageText {
        title: format!("{} by {}", book.card.title, book.card.author),
        description: book.card.description.clone(),
        canonical: format!("/books/{subid}"),
        image: Some(cards::url_of_book(&subid)),
        framed,
        main,
        structured,
        key: json!(["visitor", "book", id]),
        data: json!(book::BookResult { user: None, book }),
    })
}
