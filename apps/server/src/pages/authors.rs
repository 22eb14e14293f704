//! The directory of authors, and an author with books.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use askama::Template;
use kernel::Slug;
use pages::{
    self, Page, Query,
    structured::{breadcrumbs, collection, graph},
};
use serde_json::json;

use super::{
    found,
    listing::{Listing, summaries, with_parameter},
    nothing_here, render,
};
use crate::{
    app::App,
    cache::cache_key,
    error::ApiError,
    extract,
    routes::{
        catalogue::{
            authors::{read_author, read_authors},
            types::{
                directory::{Author, AuthorRef, AuthorResult, AuthorsParams},
                list::BooksParams,
            },
        },
        media::cards,
    },
};

/// The authors of one letter.
struct Group<'a> {
    letter: String,
    authors: Vec<&'a AuthorRef>,
}

#[derive(Template)]
#[template(path = "authors.html")]
struct Authors<'a> {
    /// A letter as it is shown, and where it leads.
    letters: Vec<(String, String, bool)>,
    groups: Vec<Group<'a>>,
    next_address: Option<String>,
}

#[derive(Template)]
#[template(path = "author.html")]
struct OneAuthor<'a> {
    author: &'a Author,
    list: &'a Listing,
}

/// A letter as people read it.
fn shown(letter: &str) -> String {
    if letter == "other" { "#".to_owned() } else { letter.to_uppercase() }
}

/// Authors from A to Z.
#[get("/authors")]
pub(super) async fn authors_page(
    app: Data<App>,
    params: Result<extract::Query<AuthorsParams>, actix_web::Error>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let Ok(params) = params else { return nothing_here(&app, &request).await };
    let question = format!("page {}", cache_key(&request, AuthorsParams::NAMES));
    found(&app, &request, &question, async |banner| {
        let query = params.read()?;
        let chosen = query.letter.map(|letter| letter.to_string());
        let is_first = query.after.is_none();
        let result = read_authors(&app, query).await?;
        let groups = result
            .authors
            .chunk_by(|one, other| one.letter == other.letter)
            .map(|authors| Group { letter: shown(&authors[0].letter), authors: authors.iter().collect() });
        // Where all stand on one page, a letter is a place on it.
        let is_whole = result.next.is_none() && is_first && chosen.is_none();
        let letters = result.letters.iter().map(|letter| {
            let address = if is_whole { format!("#letter-{letter}") } else { format!("/authors?letter={letter}") };
            (shown(letter), address, chosen.as_ref() == Some(letter))
        });
        let main = Authors {
            letters: letters.collect(),
            groups: groups.collect(),
            next_address: result
                .next
                .as_ref()
                .map(|next| with_parameter(&request, AuthorsParams::NAMES, "after", next)),
        };
        let (title, description) = ("Book Authors", "Everybody whose books are summarised here, from A to Z.");
        let page = Page {
            title,
            description,
            canonical: is_first.then(|| {
                chosen.as_ref().map_or_else(|| "/authors".to_owned(), |letter| format!("/authors?letter={letter}"))
            }),
            chunk: "authors",
            main: main.render().map_err(ApiError::internal)?,
            structured: Some(collection(&app.config, title, description, &[(title, "/authors")])),
            queries: Query::of_first_page(
                is_first,
                json!(["visitor", "authors", chosen.clone().unwrap_or_default()]),
                json!({ "pages": [result], "pageParams": [null] }),
            ),
            ..Page::default()
        };
        render(&app, banner, &page)
    })
    .await
}

/// An author, with text and books.
#[get("/authors/{slug}")]
pub(super) async fn author_page(
    app: Data<App>,
    slug: extract::Path<String>,
    params: Result<extract::Query<BooksParams>, actix_web::Error>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let (Ok(slug), Ok(params)) = (Slug::parse(&slug), params) else { return nothing_here(&app, &request).await };
    let params = BooksParams { q: None, author: Some(slug.to_string()), ..params.into_inner() };
    let question = format!("page {}", cache_key(&request, BooksParams::NAMES));
    found(&app, &request, &question, async |banner| {
        let author = read_author(&app, slug.clone()).await?;
        let author = author.ok_or_else(|| ApiError::not_found("author"))?;
        let list = Listing::read(&app, &request, &params).await?;
        let path = format!("/authors/{slug}");
        let main = OneAuthor { author: &author, list: &list };
        let description = format!("{} of {}, and who that was.", summaries(author.book_count), author.name);
        let page = Page {
            title: &author.name,
            description: if author.description.is_empty() { &description } else { &author.description },
            canonical: params.after.is_none().then(|| path.clone()),
            image: list.result.books.first().map(|book| cards::url_of_book(&book.subid)),
            chunk: "author",
            main: main.render().map_err(ApiError::internal)?,
            structured: Some(graph(&[
                json!({
                    "@type": "Person",
                    "name": author.name,
                    "description": author.description,
                    "url": app.link(&path),
                }),
                breadcrumbs(&app.config, &[("Book Authors", "/authors"), (&author.name, &path)]),
            ])),
            queries: [Query {
                key: json!(["visitor", "author", slug.as_str()]),
                data: json!(AuthorResult { author: author.clone() }),
            }]
            .into_iter()
            .chain(list.query())
            .collect(),
            ..Page::default()
        };
        render(&app, banner, &page)
    })
    .await
}
