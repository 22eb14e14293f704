//! The pages of the author directory and of an author.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use askama::Template;
use kernel::Slug;
use pages::{
    Page, Query,
    cards::url_of_book,
    lists::{letter_links, shown_letter, summaries},
    structured,
};
use serde_json::json;

use crate::{
    app::App,
    cached_responses::{cache_key, with_parameter},
    catalogue::{
        authors::{read_author, read_authors},
        pages::listing::{ListParams, Listing},
        types::{
            directory::{Author, AuthorRef, AuthorResult, AuthorsParams, AuthorsResult},
            list::BooksParams,
        },
    },
    extract,
    http::error::ApiError,
    pages::{found, nothing_here},
};

const TITLE: &str = "Book Authors";
const DESCRIPTION: &str = "Everyone whose books are summarized here, from A to Z.";

/// The authors under one letter.
struct Group<'a> {
    letter: String,
    authors: Vec<&'a AuthorRef>,
}

#[derive(Template)]
#[template(path = "authors.html")]
struct Authors<'a> {
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

/// The author directory.
#[get("/authors")]
pub(super) async fn authors_page(
    app: Data<App>,
    params: Result<extract::Query<AuthorsParams>, actix_web::Error>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let Ok(params) = params else { return nothing_here(&app, &request).await };
    let key = format!("page {}", cache_key(&request, AuthorsParams::NAMES));
    found(&app, &request, &key, async || {
        let query = params.read()?;
        let chosen = query.letter.map(|letter| letter.to_string());
        let is_first = query.after.is_none();
        let result = read_authors(&app, query).await?;
        directory_page(&app, &request, &result, (chosen.as_deref(), is_first))
    })
    .await
}

fn directory_page(
    app: &App,
    request: &HttpRequest,
    result: &AuthorsResult,
    (chosen, is_first): (Option<&str>, bool),
) -> Result<Page, ApiError> {
    let groups = result
        .authors
        .chunk_by(|one, other| one.letter == other.letter)
        .map(|authors| Group { letter: shown_letter(&authors[0].letter), authors: authors.iter().collect() });
    let main = Authors {
        letters: letter_links(&result.letters, chosen, result.next.is_none() && is_first && chosen.is_none()),
        groups: groups.collect(),
        next_address: result.next.as_ref().map(|next| with_parameter(request, AuthorsParams::NAMES, "after", next)),
    };
    let address = || chosen.map_or_else(|| "/authors".to_owned(), |letter| format!("/authors?letter={letter}"));
    Ok(Page {
        title: TITLE.to_owned(),
        description: DESCRIPTION.to_owned(),
        canonical: is_first.then(address),
        chunk: "authors",
        main: main.render()?,
        structured: Some(structured::collection(&app.config, TITLE, DESCRIPTION, &[(TITLE, "/authors")])),
        queries: Query::of_first_page(
            is_first,
            json!(["visitor", "authors", chosen.unwrap_or_default()]),
            json!({ "pages": [result], "pageParams": [null] }),
        ),
        ..Page::default()
    })
}

/// An author's page: description and books.
#[get("/authors/{slug}")]
pub(super) async fn author_page(
    app: Data<App>,
    slug: extract::Path<String>,
    params: ListParams,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let (Ok(slug), Ok(params)) = (Slug::parse(&slug), params) else { return nothing_here(&app, &request).await };
    let params = BooksParams { q: None, author: Some(slug.to_string()), ..params.into_inner() };
    let key = format!("page {}", cache_key(&request, BooksParams::NAMES));
    found(&app, &request, &key, async || {
        let author = read_author(&app, slug).await?;
        let author = author.ok_or_else(|| ApiError::not_found("author"))?;
        let list = Listing::read(&app, &request, &params).await?;
        page_of(&app, &author, &list)
    })
    .await
}

fn page_of(app: &App, found: &catalogue::Author, list: &Listing) -> Result<Page, ApiError> {
    let author = Author::from(found);
    let description = match author.description.as_str() {
        "" if author.book_count == 0 => {
            format!("Coming soon: summaries of books by {}, and who the author was.", author.name)
        }
        "" => format!("{} of books by {}, and who the author was.", summaries(author.book_count), author.name),
        text => text.to_owned(),
    };
    let main = OneAuthor { author: &author, list }.render()?;
    let key = json!(["visitor", "author", author.slug]);
    Ok(Page {
        title: author.name.clone(),
        description,
        canonical: list.is_first.then(|| format!("/authors/{}", author.slug)),
        image: list.result.books.first().map(|book| url_of_book(&book.subid)),
        chunk: "author",
        main,
        structured: Some(structured::author(&app.config, found)),
        queries: [Query { key, data: json!(AuthorResult { author }) }].into_iter().chain(list.query()).collect(),
        ..Page::default()
    })
}
