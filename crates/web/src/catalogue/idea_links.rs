//! The idea map: links between key ideas, of a book and by topic (`catalogue.idea-map`).

use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use catalogue::{CatalogueQueries, Category, CategoryKey, IDEA_MAP_LINKS, IdeaLinkQueries};
use postgres::Pg;

use crate::{
    app::App,
    cached_responses::cached,
    catalogue::types::{
        book::CategoryRef,
        book_name,
        idea_links::{BookIdeaLinksResult, IdeaMapResult, IdeaMapTopic, IdeaMapTopicResult},
    },
    extract::{Path, Viewer},
    http::{
        error::ApiError,
        openapi::{Routes, Unchanged},
        wire::Answer,
    },
};

/// Registers the API routes of this module.
pub fn configure(config: &mut impl Routes) {
    config.service(book_idea_links).service(idea_map).service(idea_map_topic);
}

/// The links of a book's key ideas with those of other books. The same for everybody.
#[utoipa::path(
    tag = "catalogue", params(("id" = String, Path, description = "The id or the `subid` of a book.")),
    security((), ("token" = [])),
    responses((status = 200, description = "The links.", body = Answer<BookIdeaLinksResult>), Unchanged)
)]
#[get("/api/books/{id}/idea-links")]
async fn book_idea_links(
    app: Data<App>,
    _: Viewer,
    id: Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let book = book_name::in_path(&id)?;
    cached(&app, None, &request, &[], async || {
        let links = app
            .db
            .read::<_, ApiError, _>(move |pg| {
                let book = pg.book(&book)?.ok_or_else(|| ApiError::not_found("book"))?;
                Ok(pg.links_of_book(book.card.id)?)
            })
            .await?;
        Ok((BookIdeaLinksResult { links: links.into_iter().map(Into::into).collect() }, None))
    })
    .await
}

/// The topics of the idea map. The same for everybody.
#[utoipa::path(
    tag = "catalogue", security((), ("token" = [])),
    responses((status = 200, description = "The topics.", body = Answer<IdeaMapResult>), Unchanged)
)]
#[get("/api/idea-map")]
async fn idea_map(app: Data<App>, _: Viewer, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    cached(&app, None, &request, &[], async || Ok((read_idea_map(&app).await?, None))).await
}

/// The idea map of a topic. The same for everybody.
#[utoipa::path(
    tag = "catalogue", params(("category" = String, Path, description = "The id or the `subid` of a category.")),
    security((), ("token" = [])),
    responses((status = 200, description = "The links.", body = Answer<IdeaMapTopicResult>), Unchanged)
)]
#[get("/api/idea-map/{category}")]
async fn idea_map_topic(
    app: Data<App>,
    _: Viewer,
    category: Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    cached(&app, None, &request, &[], async || Ok((read_idea_map_topic(&app, &category).await?, None))).await
}

fn topics<A>(pg: &mut Pg<'_, A>, categories: &[Category]) -> Result<Vec<IdeaMapTopic>, ApiError> {
    let counts = pg.count_links_by_category()?;
    let topics = categories.iter().filter_map(|category| {
        let (_, links) = counts.iter().find(|(id, _)| *id == category.id)?;
        Some(IdeaMapTopic { category: category_ref(category), links: *links })
    });
    Ok(topics.collect())
}

fn category_ref(category: &Category) -> CategoryRef {
    let Category { id, draft, .. } = category;
    CategoryRef { id: id.get(), subid: draft.subid.to_string(), name: draft.name.clone(), hue: draft.hue }
}

/// Reads the topics of the idea map.
pub(crate) async fn read_idea_map(app: &App) -> Result<IdeaMapResult, ApiError> {
    app.db
        .read::<_, ApiError, _>(|pg| {
            let categories = pg.categories()?;
            Ok(IdeaMapResult { topics: topics(pg, &categories)? })
        })
        .await
}

/// Reads the idea map of a category; `404` if there is no such category.
pub(crate) async fn read_idea_map_topic(app: &App, category: &str) -> Result<IdeaMapTopicResult, ApiError> {
    let missing = || ApiError::not_found("category");
    let key = CategoryKey::parse(category).ok_or_else(missing)?;
    app.db
        .read::<_, ApiError, _>(move |pg| {
            let categories = pg.categories()?;
            let category = categories.iter().find(|category| key.names(category)).ok_or_else(missing)?;
            let links = pg.links_of_category(category.id, IDEA_MAP_LINKS)?;
            Ok(IdeaMapTopicResult {
                category: category_ref(category),
                links: links.into_iter().map(Into::into).collect(),
                topics: topics(pg, &categories)?,
            })
        })
        .await
}
