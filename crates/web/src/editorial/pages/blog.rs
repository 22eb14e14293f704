//! The pages of the blog: lists, and one post.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use askama::Template;
use editorial::WHATS_NEW;
use kernel::{Slug, StoreError};
use pages::{Page, Query, blog::BlogHead, filters, structured};
use serde_json::json;
use workflows::editorial::texts::{self, BlogPage, PostWithBook};

use crate::{
    app::App,
    cached_responses::cache_key,
    editorial::{
        PAGE,
        blog::read_blog,
        types::{BlogParams, BlogResult, PostResult},
    },
    extract,
    http::error::ApiError,
    pages::{found, nothing_here},
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

/// The list of all posts, or of a category's.
#[get("/blog")]
pub(super) async fn blog_page(
    app: Data<App>,
    params: Result<extract::Query<BlogParams>, actix_web::Error>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let Ok(params) = params else { return nothing_here(&app, &request).await };
    list(&app, &request, &params).await
}

/// The posts of the category "What's New" (`editorial.blog-addresses`).
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
    let key = format!("page {}", cache_key(request, BlogParams::NAMES));
    found(app, request, &key, async || {
        let (category, after, limit) = params.read(PAGE)?;
        let is_first = after.is_none();
        let blog = read_blog(app, category.clone(), after, limit).await?;
        list_page(app, category.as_ref(), &blog, is_first)
    })
    .await
}

fn list_page(app: &App, category: Option<&Slug>, blog: &BlogPage, is_first: bool) -> Result<Page, ApiError> {
    let head = BlogHead::of(category, &blog.categories);
    let BlogHead { title, lead, path } = &head;
    let structured = structured::blog(&app.config, title, path, &blog.posts.items);
    let result = BlogResult::from(blog);
    let next = result.next.as_ref().map(|next| head.next_address(next));
    let category = category.map_or("", Slug::as_str);
    Ok(Page {
        title: title.clone(),
        description: (*lead).to_owned(),
        // Later pages and empty lists must not be indexed.
        canonical: (is_first && !result.posts.is_empty()).then(|| path.clone()),
        chunk: "blog",
        main: Blog { title, lead, category, result: &result, next }.render()?,
        structured: Some(structured),
        queries: Query::of_first_page(is_first, json!(["visitor", "blog", category]), json!(result)),
        ..Page::default()
    })
}

/// A post's page.
#[get("/blog/{slug}")]
pub(super) async fn post_page(
    app: Data<App>,
    slug: extract::Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let Ok(name) = Slug::parse(&slug) else { return nothing_here(&app, &request).await };
    found(&app, &request, &format!("page post {name}"), async || {
        let found = app.read_tx::<_, StoreError, _>(move |tx| texts::post(tx, &name)).await?;
        page_of_post(&app, &found.ok_or_else(|| ApiError::not_found("post"))?)
    })
    .await
}

fn page_of_post(app: &App, found: &PostWithBook) -> Result<Page, ApiError> {
    let result = PostResult::from(found);
    let post = &result.post.card;
    Ok(Page {
        title: post.title.clone(),
        description: post.description.clone(),
        canonical: Some(format!("/blog/{}", post.slug)),
        chunk: "post",
        main: PostPage { result: &result }.render()?,
        structured: Some(structured::post(&app.config, found)),
        queries: vec![Query { key: json!(["visitor", "post", post.slug]), data: json!(result) }],
        ..Page::default()
    })
}
