//! The pages of the idea map: its topics, and the links of one (`catalogue.idea-map`).

use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use askama::Template;
use pages::{Page, Query, filters, structured};
use serde_json::json;

use crate::{
    app::App,
    catalogue::{
        idea_links::{read_idea_map, read_idea_map_topic},
        types::idea_links::{IdeaMapResult, IdeaMapTopicResult},
    },
    extract,
    http::error::ApiError,
    pages::found,
};

const TITLE: &str = "Idea map";
const LEAD: &str = "How the key ideas of different books agree, contradict each other, and build on each other.";

#[derive(Template)]
#[template(path = "ideas.html")]
struct Ideas<'a> {
    lead: &'static str,
    result: &'a IdeaMapResult,
}

#[derive(Template)]
#[template(path = "ideas_of_topic.html")]
struct IdeasOfTopic<'a> {
    title: &'a str,
    lead: &'a str,
    result: &'a IdeaMapTopicResult,
}

/// The topics of the idea map.
#[get("/ideas")]
pub(super) async fn ideas_page(app: Data<App>, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    found(&app, &request, "page /ideas", async || {
        let result = read_idea_map(&app).await?;
        Ok(Page {
            title: TITLE.to_owned(),
            description: LEAD.to_owned(),
            canonical: Some("/ideas".to_owned()),
            chunk: "ideas",
            main: Ideas { lead: LEAD, result: &result }.render()?,
            structured: Some(structured::collection(&app.config, TITLE, LEAD, &[(TITLE, "/ideas")])),
            queries: vec![Query { key: json!(["visitor", "idea-map"]), data: json!(result) }],
            ..Page::default()
        })
    })
    .await
}

/// The links of the books of a category.
#[get("/ideas/{category}")]
pub(super) async fn ideas_of_topic_page(
    app: Data<App>,
    category: extract::Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    found(&app, &request, &format!("page /ideas/{}", *category), async || {
        let result = read_idea_map_topic(&app, &category).await?;
        let name = &result.category.name;
        let title = format!("Ideas in {name}");
        let lead = format!("How key ideas of books in {name} agree, contradict and build on those of other books.");
        let path = format!("/ideas/{}", result.category.subid);
        Ok(Page {
            main: IdeasOfTopic { title: &title, lead: &lead, result: &result }.render()?,
            structured: Some(structured::collection(&app.config, &title, &lead, &[(TITLE, "/ideas"), (name, &path)])),
            queries: vec![Query { key: json!(["visitor", "idea-map", result.category.subid]), data: json!(result) }],
            title,
            description: lead,
            // A topic without links says nothing.
            canonical: (!result.links.is_empty()).then_some(path),
            chunk: "ideas-of-topic",
            ..Page::default()
        })
    })
    .await
}
