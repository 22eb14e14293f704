//! The member's catalog for e-reader programs: OPDS 1.2 at `/opds`, OPDS 2.0 at `/opds/2` (`delivery.opds-catalog`).
//!
//! Programs sign in by HTTP Basic, with an API token as the password, or send the token as a bearer token.

use std::{future::Future, pin::Pin};

use actix_web::{
    FromRequest, HttpRequest, HttpResponse,
    dev::Payload,
    get,
    http::{StatusCode, header},
    web::{Data, ServiceConfig},
};
use base64::{Engine, engine::general_purpose::STANDARD};
use catalogue::Category;
use identity::ApiScope;
use kernel::{StoreError, UserId};
use pages::opds::{
    OPDS_AUTHENTICATION, OPEN_SEARCH, OpdsContent, OpdsEntry, OpdsFeed, OpdsVersion, authentication, feed, open_search,
};
use serde::Deserialize;
use url::form_urlencoded;
use workflows::{
    delivery::{
        book_files::Format,
        opds::{OpdsError, OpdsList, OpdsPage, opds_categories, opds_page},
    },
    identity::api_tokens::member_of_api_token,
};

use crate::{
    app::App,
    delivery::{
        downloads,
        refusal::{self, RefusalForm, member_of},
    },
    extract::{Path, Query, bearer},
    http::{error::ApiError, wire::page::no_such_page},
};

/// Registers the feeds.
pub(super) fn configure(config: &mut ServiceConfig) {
    config.service(atom_root).service(json_root).service(sign_in).service(search_description).service(book_file);
    config.service(json_list).service(json_category).service(atom_category).service(atom_list);
}

/// A refusal, with what programs need to sign in.
#[derive(Debug)]
struct OpdsForm;

impl RefusalForm for OpdsForm {
    fn write(_: &ApiError, mut response: HttpResponse) -> HttpResponse {
        if response.status() == StatusCode::UNAUTHORIZED {
            let headers = response.headers_mut();
            headers.insert(header::WWW_AUTHENTICATE, BASIC);
            headers.insert(header::LINK, AUTHENTICATION_LINK);
        }
        response
    }
}

type Refused = refusal::Refused<OpdsForm>;

const BASIC: header::HeaderValue =
    header::HeaderValue::from_static("Basic realm=\"Your e-mail address and an API token\", charset=\"UTF-8\"");
const AUTHENTICATION_LINK: header::HeaderValue = header::HeaderValue::from_static(
    "</opds/authentication.json>; rel=\"http://opds-spec.org/auth/document\"; type=\"application/opds-authentication+json\"",
);

/// A member whose program has a token of the scope `catalog:read`.
struct CatalogReader(UserId);

impl FromRequest for CatalogReader {
    type Error = Refused;
    type Future = Pin<Box<dyn Future<Output = Result<Self, Refused>>>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let token = basic_password(request).or_else(|| bearer(request.headers()).map(str::to_owned));
        let find =
            async |app: &App, token: &str| member_of_api_token(&app.transactions, token, ApiScope::CatalogRead).await;
        let member = member_of(request.clone(), token, find);
        Box::pin(async move { member.await.map(Self) })
    }
}

/// The password of HTTP Basic (RFC 7617). The name is not looked at: a token says whose it is.
fn basic_password(request: &HttpRequest) -> Option<String> {
    let given = request.headers().get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, credentials) = given.split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let credentials = String::from_utf8(STANDARD.decode(credentials.trim()).ok()?).ok()?;
    credentials.split_once(':').map(|(_, password)| password.to_owned())
}

impl From<OpdsError> for ApiError {
    fn from(error: OpdsError) -> Self {
        match error {
            OpdsError::View(error) => error.into(),
            OpdsError::Cursor(_) => no_such_page(),
        }
    }
}

/// The query of a list.
#[derive(Debug, Deserialize)]
struct ListQuery {
    after: Option<String>,
    /// What is searched for.
    q: Option<String>,
}

#[get("/opds")]
async fn atom_root(app: Data<App>, member: CatalogReader) -> Result<HttpResponse, Refused> {
    Ok(root(&app, &member, OpdsVersion::Atom))
}

#[get("/opds/2")]
async fn json_root(app: Data<App>, member: CatalogReader) -> Result<HttpResponse, Refused> {
    Ok(root(&app, &member, OpdsVersion::Json))
}

/// How a program signs in.
#[get("/opds/authentication.json")]
async fn sign_in(app: Data<App>) -> HttpResponse {
    let document = authentication(&app.config).to_string();
    HttpResponse::Ok().insert_header((header::CONTENT_TYPE, OPDS_AUTHENTICATION)).body(document)
}

#[get("/opds/opensearch.xml")]
async fn search_description(app: Data<App>) -> HttpResponse {
    HttpResponse::Ok().insert_header((header::CONTENT_TYPE, OPEN_SEARCH)).body(open_search(&app.config))
}

/// A book as a file, with the rights of other downloads.
#[get("/opds/books/{file}")]
async fn book_file(
    app: Data<App>,
    member: CatalogReader,
    file: Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, Refused> {
    let missing = || Refused::from(ApiError::not_found("book"));
    let (subid, ending) = file.rsplit_once('.').ok_or_else(missing)?;
    let format =
        [Format::Epub, Format::Pdf].into_iter().find(|format| format.ending() == ending).ok_or_else(missing)?;
    Ok(downloads::answer(&app, member.0, subid, format, &request).await?)
}

#[get("/opds/{list}")]
async fn atom_list(
    app: Data<App>,
    member: CatalogReader,
    name: Path<String>,
    query: Query<ListQuery>,
) -> Result<HttpResponse, Refused> {
    list(&app, &member, OpdsVersion::Atom, &name, &query).await
}

#[get("/opds/2/{list}")]
async fn json_list(
    app: Data<App>,
    member: CatalogReader,
    name: Path<String>,
    query: Query<ListQuery>,
) -> Result<HttpResponse, Refused> {
    list(&app, &member, OpdsVersion::Json, &name, &query).await
}

#[get("/opds/categories/{subid}")]
async fn atom_category(
    app: Data<App>,
    member: CatalogReader,
    subid: Path<String>,
    query: Query<ListQuery>,
) -> Result<HttpResponse, Refused> {
    category(&app, &member, OpdsVersion::Atom, &subid, &query).await
}

#[get("/opds/2/categories/{subid}")]
async fn json_category(
    app: Data<App>,
    member: CatalogReader,
    subid: Path<String>,
    query: Query<ListQuery>,
) -> Result<HttpResponse, Refused> {
    category(&app, &member, OpdsVersion::Json, &subid, &query).await
}

const READING: &str = "reading";
const LIBRARY: &str = "library";
const NEW: &str = "new";
const CATEGORIES: &str = "categories";
const SEARCH: &str = "search";

fn root(app: &App, _: &CatalogReader, version: OpdsVersion) -> HttpResponse {
    let list = |name: &str, title: &str, description: &str, has_lists| OpdsEntry {
        name: name.to_owned(),
        title: title.to_owned(),
        description: description.to_owned(),
        has_lists,
    };
    let lists = vec![
        list(READING, "Continue reading", "What you have begun and not finished.", false),
        list(LIBRARY, "Your library", "What you have saved, and what you have finished.", false),
        list(NEW, "New", "All summaries that you may read, the newest first.", false),
        list(CATEGORIES, "Categories", "Summaries by category.", true),
    ];
    let title = app.config.site.name.clone();
    respond(app, version, String::new(), title, OpdsContent::Lists(lists), None)
}

async fn list(
    app: &Data<App>,
    member: &CatalogReader,
    version: OpdsVersion,
    name: &str,
    query: &ListQuery,
) -> Result<HttpResponse, Refused> {
    let (list, title) = match name {
        READING => (OpdsList::Reading, "Continue reading"),
        LIBRARY => (OpdsList::Library, "Your library"),
        NEW => (OpdsList::New, "New"),
        SEARCH => (OpdsList::Search(query.q.clone().unwrap_or_default()), "Search"),
        CATEGORIES => return categories(app, version).await,
        _ => return Err(ApiError::not_found("list").into()),
    };
    books(app, member, version, (name, title), list, query).await
}

async fn categories(app: &Data<App>, version: OpdsVersion) -> Result<HttpResponse, Refused> {
    let found = app.read_tx::<_, StoreError, _>(opds_categories).await?;
    let entry = |category: Category| OpdsEntry {
        name: format!("{CATEGORIES}/{}", category.draft.subid),
        description: format!("Summaries about {}.", category.draft.name),
        title: category.draft.name,
        has_lists: false,
    };
    let lists = OpdsContent::Lists(found.into_iter().map(entry).collect());
    Ok(respond(app, version, CATEGORIES.to_owned(), "Categories".to_owned(), lists, None))
}

async fn category(
    app: &Data<App>,
    member: &CatalogReader,
    version: OpdsVersion,
    subid: &str,
    query: &ListQuery,
) -> Result<HttpResponse, Refused> {
    let missing = || ApiError::not_found("category");
    let found = app.read_tx::<_, StoreError, _>(opds_categories).await?;
    let category = found.into_iter().find(|category| category.draft.subid.as_str() == subid).ok_or_else(missing)?;
    let (name, list) = (format!("{CATEGORIES}/{subid}"), OpdsList::Category(category.draft.subid));
    books(app, member, version, (&name, &category.draft.name), list, query).await
}

async fn books(
    app: &Data<App>,
    member: &CatalogReader,
    version: OpdsVersion,
    (name, title): (&str, &str),
    list: OpdsList,
    query: &ListQuery,
) -> Result<HttpResponse, Refused> {
    let words = match &list {
        OpdsList::Search(words) => Some(words.clone()),
        _ => None,
    };
    let (member, after) = (member.0, query.after.clone().filter(|after| !after.is_empty()));
    let page: OpdsPage = {
        let after = after.clone();
        app.read_tx::<_, OpdsError, _>(move |tx| opds_page(tx, member, &list, after.as_deref())).await?
    };
    let named = |after: Option<&str>| {
        let mut query = form_urlencoded::Serializer::new(String::new());
        if let Some(words) = &words {
            query.append_pair("q", words);
        }
        if let Some(after) = after {
            query.append_pair("after", after);
        }
        let query = query.finish();
        if query.is_empty() { name.to_owned() } else { format!("{name}?{query}") }
    };
    let next = page.next.as_deref().map(|next| named(Some(next)));
    Ok(respond(app, version, named(after.as_deref()), title.to_owned(), OpdsContent::Books(page.books), next))
}

fn respond(
    app: &App,
    version: OpdsVersion,
    name: String,
    title: String,
    content: OpdsContent,
    next: Option<String>,
) -> HttpResponse {
    let of_feed = OpdsFeed { name, title, content, next, updated_at: app.env.now() };
    HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, version.content_type(&of_feed)))
        .insert_header((header::CACHE_CONTROL, "private, no-store"))
        .body(feed(&app.config, version, &of_feed))
}
