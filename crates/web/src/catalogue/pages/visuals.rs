//! The lists of visual summaries and of infographics, and the page of a book's key ideas.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use askama::Template;
use cache::Scope;
use catalogue::{BookRef, VISUALS_READ_MINUTES};
use pages::{Page, Query, structured::collection_of, text};
use serde_json::{Value, json};
use workflows::catalogue::{view_book::view_book, visuals};

use crate::{
    app::App,
    cached_responses::normalised_query,
    catalogue::visuals::types::{InfographicsResult, VisualsParams, VisualsResult},
    extract,
    http::error::ApiError,
    pages::{CacheablePage, found, nothing_here},
};

#[derive(Template)]
#[template(path = "visuals.html")]
struct Visuals<'a> {
    result: &'a VisualsResult,
    minutes: u32,
}

#[derive(Template)]
#[template(path = "infographics.html")]
struct Infographics<'a> {
    result: &'a InfographicsResult,
}

type VisualsQuery = Result<extract::Query<VisualsParams>, actix_web::Error>;

/// The list of visual summaries.
#[get("/visuals")]
pub(super) async fn visuals_page(
    app: Data<App>,
    params: VisualsQuery,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let list = List {
        path: "/visuals",
        name: "visuals",
        title: "Visual Book Summaries",
        description: "The key ideas of great books, one picture each: see what a book says in five minutes.",
    };
    list.answer(&app, params, &request, |listed| {
        let result = VisualsResult::from(listed);
        Ok((Visuals { result: &result, minutes: VISUALS_READ_MINUTES }.render()?, json!(result)))
    })
    .await
}

/// A book's key ideas. The server renders only the title; the web app shows the rest to members with a plan.
#[get("/visuals/{id}")]
pub(super) async fn visuals_of_book_page(
    app: Data<App>,
    id: extract::Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let Some(key) = BookRef::parse(&id) else { return nothing_here(&app, &request).await };
    found(&app, &request, &format!("page visuals {}", *id), async || {
        let book = app.read_tx(move |tx| view_book(tx, None, &key)).await?.book;
        let title = format!("{}: key ideas", book.card.title);
        let main = text::plain(&title, None)?;
        let description = title.clone();
        let page = Page { title, description, chunk: "visual-viewer", main, waits_for_app: true, ..Page::default() };
        Ok(CacheablePage { page, until: None, scope: Scope::Book(book.card.id) })
    })
    .await
}

/// The gallery of infographics.
#[get("/infographics")]
pub(super) async fn infographics_page(
    app: Data<App>,
    params: VisualsQuery,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let list = List {
        path: "/infographics",
        name: "infographics",
        title: "Infographics",
        description: "A whole book on one sheet: every key idea with its picture, to print or to keep.",
    };
    list.answer(&app, params, &request, |listed| {
        let result = InfographicsResult::from(listed);
        Ok((Infographics { result: &result }.render()?, json!(result)))
    })
    .await
}

/// The texts and names of one of the two list pages.
struct List {
    path: &'static str,
    /// The name of its chunk and of its initial query.
    name: &'static str,
    title: &'static str,
    description: &'static str,
}

/// The public HTML, and the data of the initial query.
type PageContent = (String, Value);

impl List {
    async fn answer(
        &self,
        app: &App,
        params: VisualsQuery,
        request: &HttpRequest,
        write: impl FnOnce(visuals::VisualBooks) -> Result<PageContent, ApiError>,
    ) -> Result<HttpResponse, ApiError> {
        let Ok(params) = params else { return nothing_here(app, request).await };
        let key = format!("page {} {}", self.name, normalised_query(request, VisualsParams::NAMES));
        found(app, request, &key, async || {
            let wanted = params.read()?;
            let listed = app.read_tx_from_replica(move |tx| visuals::list_visual_books(tx, None, wanted)).await?;
            let things: Vec<_> =
                listed.page.items.iter().map(|one| (None, format!("/visuals/{}", one.card.subid))).collect();
            let (title, description) = (self.title, self.description);
            let (content, first) = (write(listed)?, wanted.0.is_none());
            let structured = collection_of(&app.config, title, description, &[(title, self.path)], things);
            Ok(self.page_of(content, structured, first))
        })
        .await
    }

    fn page_of(&self, (main, data): PageContent, structured: Value, is_first: bool) -> Page {
        Page {
            title: self.title.to_owned(),
            description: self.description.to_owned(),
            canonical: is_first.then(|| self.path.to_owned()),
            chunk: self.name,
            main,
            structured: Some(structured),
            queries: Query::of_first_page(is_first, json!(["visitor", self.name]), data),
            ..Page::default()
        }
    }
}
