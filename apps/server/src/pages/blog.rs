//! The blog: its lists, and a post.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use askama::Template;
use editorial::WHATS_NEW;
use kernel::{Slug, StoreError};
use pages::{
    self, Page, Query,
    structured::{breadcrumbs, graph, iso_day, publisher},
};
use serde_json::{Value, json};
use workflows::editorial_texts;

use super::{filters, found, nothing_here, render};
use crate::{
    app::App,
    cache::cache_key,
    error::ApiError,
    extract,
    routes::editorial::{
        PAGE,
        blog::read_blog,
        types::{BlogParams, BlogResult, Post, PostResult},
    },
};

#[derive(Template)]
#[template(path = "blog.html")]
struct Blog<'a> {
    title: &'a str,
    lead: &'a str,
    category: &'a str,
    result: &'a BlogResult,
    next: Option<String>,
}

#[derive(Template)]
#[template(path = "post.html")]
struct PostPage<'a> {
    result: &'a PostResult,
}

const LEAD: &str = "On reading, on old books and what they are good for, and on what is new here.";
const NEWS_LEAD: &str = "What we have added, and why.";

/// All posts, or those of a category.
#[get("/blog")]
pub(super) async fn blog_page(
    app: Data<App>,
    params: Result<extract::Query<BlogParams>, actix_web::Error>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let Ok(params) = params else { return nothing_here(&app, &request).await };
    list(&app, &request, &params).await
}

/// The posts that tell what is new (`decisions.md` 52).
#[get("/blog/whats-new")]
pub(super) async fn whats_new_page(
    app: Data<App>,
    params: Result<extract::Query<BlogParams>, actix_web::Error>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let Ok(params) = params else { return nothing_here(&app, &request).await };
    list(&app, &request, &BlogParams { category: Some(WHATS_NEW.to_owned()), ..params.into_inner() }).await
}

async fn list(app: &App, request: &HttpRequest, params: &BlogParams) -> Result<HttpResponse, ApiError> {
    let question = format!("page {}", cache_key(request, BlogParams::NAMES));
    found(app, request, &question, async |banner| {
        let (of, after, limit) = params.read(PAGE)?;
        let is_first = after.is_none();
        let result = read_blog(app, of.clone(), after, limit).await?;
        let category = of.as_ref().map(Slug::as_str);
        let named = result.categories.iter().find(|one| Some(one.slug.as_str()) == category);
        let (title, lead) = match (named, category) {
            (_, Some(WHATS_NEW)) => ("What's New", NEWS_LEAD),
            (Some(named), _) => (named.name.as_str(), LEAD),
            (None, _) => ("Blog", LEAD),
        };
        let path = match category {
            Some(WHATS_NEW) => "/blog/whats-new".to_owned(),
            Some(slug) => format!("/blog?category={slug}"),
            None => "/blog".to_owned(),
        };
        let joint = if path.contains('?') { '&' } else { '?' };
        let next = result.next.as_ref().map(|next| format!("{path}{joint}after={next}"));
        let category = category.unwrap_or_default();
        let main = Blog { title, lead, category, result: &result, next }.render().map_err(ApiError::internal)?;
        let page = Page {
            title,
            description: lead,
            // Pages further down, and a list without posts, are not for an index.
            canonical: (is_first && !result.posts.is_empty()).then(|| path.clone()),
            chunk: "blog",
            main,
            structured: Some(list_structured(app, title, &path, &result.posts)),
            queries: Query::of_first_page(is_first, json!(["visitor", "blog", category]), json!(result)),
            ..Page::default()
        };
        render(app, banner, &page)
    })
    .await
}

fn list_structured(app: &App, title: &str, path: &str, posts: &[Post]) -> Value {
    let listed: Vec<Value> = posts
        .iter()
        .map(|post| {
            json!({
                "@type": "BlogPosting",
                "headline": post.title,
                "url": app.link(&format!("/blog/{}", post.slug)),
                "datePublished": iso_day(post.create_date),
            })
        })
        .collect();
    graph(&[
        json!({ "@type": "Blog", "name": title, "url": app.link(path), "publisher": publisher(&app.config), "blogPost": listed }),
        breadcrumbs(&app.config, &[("Blog", "/blog")]),
    ])
}

/// A post.
#[get("/blog/{slug}")]
pub(super) async fn post_page(
    app: Data<App>,
    slug: extract::Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let Ok(name) = Slug::parse(&slug) else { return nothing_here(&app, &request).await };
    let question = format!("page post {name}");
    found(&app, &request, &question, async |banner| {
        let found = app.read_tx::<_, StoreError, _>(move |tx| editorial_texts::post(tx, &name)).await?;
        let result = PostResult::from(&found.ok_or_else(|| ApiError::not_found("post"))?);
        let post = &result.post.card;
        let path = format!("/blog/{}", post.slug);
        let page = Page {
            title: &post.title,
            description: &post.description,
            canonical: Some(path.clone()),
            chunk: "post",
            main: PostPage { result: &result }.render().map_err(ApiError::internal)?,
            structured: Some(post_structured(&app, &result, &path)),
            queries: vec![Query { key: json!(["visitor", "post", post.slug]), data: json!(result) }],
            ..Page::default()
        };
        render(&app, banner, &page)
    })
    .await
}

fn post_structured(app: &App, result: &PostResult, path: &str) -> Value {
    let post = &result.post.card;
    let about = result.book.as_ref().map(
        |book| json!({ "@type": "Book", "name": book.title, "author": { "@type": "Person", "name": book.author } }),
    );
    graph(&[
        json!({
            "@type": "BlogPosting",
            "headline": post.title,
            "description": post.description,
            "datePublished": iso_day(post.create_date),
            "dateModified": iso_day(result.post.update_date.max(post.create_date)),
            "author": { "@type": "Organization", "name": post.author },
            "publisher": publisher(&app.config),
            "mainEntityOfPage": app.link(path),
            "image": post.photo.as_ref().map(|photo| app.link(photo)),
            "articleSection": post.categories.iter().map(|category| category.name.as_str()).collect::<Vec<_>>(),
            "timeRequired": format!("PT{}M", post.minutes),
            "about": about,
        }),
        breadcrumbs(&app.config, &[("Blog", "/blog"), (&post.title, path)]),
    ])
}
