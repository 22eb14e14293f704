//! The lists of visual summaries and of infographics.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use askama::Template;
use pages::{Page, Query, structured::collection_of};
use serde_json::{Value, json};
use workflows::visuals;

use super::{found, nothing_here, render};
use crate::{
    app::App,
    cache::normalised_query,
    error::ApiError,
    extract,
    routes::visuals::types::{InfographicsResult, VisualsParams, VisualsResult},
};

#[derive(Template)]
#[template(path = "visuals.html")]
struct Visuals<'a> {
    result: &'a VisualsResult,
}

#[derive(Template)]
#[template(path = "infographics.html")]
struct Infographics<'a> {
    result: &'a InfographicsResult,
}

type VisualsQuery = Result<extract::Query<VisualsParams>, actix_web::Error>;

/// Visual summaries.
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
        Ok((Visuals { result: &result }.render().map_err(ApiError::internal)?, json!(result)))
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
        Ok((Infographics { result: &result }.render().map_err(ApiError::internal)?, json!(result)))
    })
    .await
}

/// What one of the two pages says of itself.
struct List {
    path: &'static str,
    /// Of its chunk, and of its first query.
    name: &'static str,
    title: &'static str,
    description: &'static str,
}

/// The public text, and the first query's data.
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
        let question = format!("page {} {}", self.name, normalised_query(request, VisualsParams::NAMES));
        found(app, request, &question, async |banner| {
            let wanted = params.read()?;
            let listed = app.read_tx(move |tx| visuals::list_visual_books(tx, None, wanted)).await?;
            let things: Vec<(Option<&str>, String)> =
                listed.page.items.iter().map(|one| (None, format!("/visuals/{}", one.card.subid))).collect();
            let (main, data) = write(listed)?;
            let first = wanted.0.is_none();
            let page = Page {
                title: self.title,
                description: self.description,
                canonical: first.then(|| self.path.to_owned()),
                chunk: self.name,
                main,
                structured: Some(collection_of(
                    &app.config,
                    self.title,
                    self.description,
                    &[(self.title, self.path)],
                    things,
                )),
                queries: Query::of_first_page(first, json!(["visitor", self.name]), data),
                ..Page::default()
            };
            render(app, banner, &page)
        })
        .await
    }
}
