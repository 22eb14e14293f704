//! For crawlers: where everything is, and what is not for them.

use actix_web::{HttpRequest, HttpResponse, get, http::header, web::Data};
use catalogue::{AuthorsQuery, Catalogue, CatalogueQueries};
use editorial::Editorial;
use kernel::{Limit, StoreError};
use pages::structured::iso_day;
use postgres::Pg;
use workflows::product_pages;

use super::{found_xml, site_page};
use crate::{app::App, error::ApiError, extract};

const XML: &str = "application/xml; charset=utf-8";
/// How many books a part lists. The protocol allows 50,000; smaller parts are made and read at once.
const BOOKS_A_PART: u64 = 10_000;
/// The most that the protocol allows in one part.
#[cfg(test)]
const PROTOCOL_MOST: u64 = 50_000;
/// The most authors and the most collections that are listed. They are read a page at a time, and there are far fewer.
const MOST_NAMES: usize = 10_000;
/// Pages that are there whatever the catalogue holds.
const ALWAYS: [&str; 8] =
    ["/", "/books", "/authors", "/collections", "/visuals", "/infographics", "/blog", "/podcasts"];

/// An address of the site, and the day (UTC) on which it last changed.
struct Place {
    path: String,
    changed: Option<i64>,
}

impl Place {
    fn new(path: impl Into<String>) -> Self {
        Self { path: path.into(), changed: None }
    }
}

/// What crawlers may not read: what is a member's own, and what answers programs.
#[get("/robots.txt")]
pub(super) async fn robots(app: Data<App>) -> HttpResponse {
    let closed =
        ["/api/", "/admin", "/home", "/account", "/library", "/my-progress", "/payment/", "/goback", "/logout"];
    let lines = closed.map(|path| format!("Disallow: {path}")).join("\n");
    HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, "text/plain; charset=utf-8"))
        .insert_header((header::CACHE_CONTROL, "public, max-age=3600"))
        .body(format!("User-agent: *\n{lines}\n\nSitemap: {}\n", app.link("/sitemap.xml")))
}

/// The list of the parts.
#[get("/sitemap.xml")]
pub(super) async fn index(app: Data<App>, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    found_xml(&app, &request, "sitemap", XML, async || {
        let books = app.db.read::<_, StoreError, _>(|pg| pg.book_count()).await?;
        let parts = (1..=books.div_ceil(BOOKS_A_PART)).map(|number| format!("books-{number}"));
        let all = ["pages", "blog", "authors"].map(str::to_owned).into_iter().chain(parts);
        let entry =
            |name| format!("<sitemap><loc>{}</loc></sitemap>", escaped(&app.link(&format!("/sitemaps/{name}.xml"))));
        let entries = all.map(entry).collect::<Vec<_>>().concat();
        Ok(document("sitemapindex", &entries))
    })
    .await
}

/// A part: the site's pages, the blog with the podcast, the authors, or some of the books.
#[get("/sitemaps/{part}.xml")]
pub(super) async fn one_part(
    app: Data<App>,
    part: extract::Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let books = part.strip_prefix("books-").and_then(|text| text.parse::<u64>().ok()).filter(|number| *number > 0);
    let question = format!("sitemap {}", *part);
    found_xml(&app, &request, &question, XML, async || {
        let places = match (part.as_str(), books) {
            ("pages", _) => app.db.read(pages).await?,
            ("authors", _) => app.db.read(authors).await?,
            ("blog", _) => app.db.read(writings).await?,
            (_, Some(number)) => app.db.read(move |pg| books_of(pg, number)).await?,
            _ => return Err(ApiError::not_found("page")),
        };
        if places.is_empty() { Err(ApiError::not_found("page")) } else { Ok(written(&app, &places)) }
    })
    .await
}

/// A list of addresses or of parts, as crawlers read it.
fn document(name: &str, entries: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<{name} xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{entries}</{name}>\n"
    )
}

fn pages(pg: &mut Pg<'_>) -> Result<Vec<Place>, StoreError> {
    let house = site_page::SLUGS.iter().map(|slug| Place::new(format!("/{slug}")));
    let categories = pg.categories()?;
    let landings = categories.iter().map(|category| Place::new(format!("/category/{}", category.draft.subid)));
    let mut places: Vec<Place> = ALWAYS
        .into_iter()
        .chain(product_pages::canonical_paths())
        .map(Place::new)
        .chain(house)
        .chain(landings)
        .collect();
    let mut after = None;
    while places.len() < MOST_NAMES {
        let page = pg.collections(after, Limit::clamped(Limit::MAX))?;
        places.extend(page.items.iter().map(|one| Place::new(format!("/collections/{}", one.id))));
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    Ok(places)
}

fn authors(pg: &mut Pg<'_>) -> Result<Vec<Place>, StoreError> {
    let mut places = Vec::new();
    let mut query = AuthorsQuery { letter: None, after: None, limit: Limit::clamped(Limit::MAX) };
    while places.len() < MOST_NAMES {
        let page = pg.authors(&query)?;
        places.extend(page.items.iter().map(|author| Place::new(format!("/authors/{}", author.slug))));
        query.after = page.next;
        if query.after.is_none() {
            break;
        }
    }
    Ok(places)
}

/// Posts and episodes. The lists are read whole, a page at a time: a house writes hundreds of them, not millions.
fn writings(pg: &mut Pg<'_>) -> Result<Vec<Place>, StoreError> {
    let mut places = vec![Place::new("/blog/whats-new")];
    let limit = Limit::clamped(Limit::MAX);
    let mut after = None;
    loop {
        let page = pg.posts(None, after, limit)?;
        places.extend(
            page.items
                .iter()
                .map(|post| Place { path: format!("/blog/{}", post.slug), changed: Some(post.published_at.millis()) }),
        );
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    let mut after = None;
    loop {
        let page = pg.podcasts(after, limit)?;
        places.extend(
            page.items
                .iter()
                .map(|one| Place { path: format!("/podcasts/{}", one.slug), changed: Some(one.updated_at.millis()) }),
        );
        after = page.next;
        if after.is_none() {
            return Ok(places);
        }
    }
}

fn books_of(pg: &mut Pg<'_>, number: u64) -> Result<Vec<Place>, StoreError> {
    let first = (number - 1).saturating_mul(BOOKS_A_PART);
    let found = pg.book_addresses(first, BOOKS_A_PART)?;
    Ok(found
        .into_iter()
        .map(|(subid, changed)| Place { path: format!("/books/{subid}"), changed: Some(changed.millis()) })
        .collect())
}

fn written(app: &App, places: &[Place]) -> String {
    let entry = |place: &Place| {
        let changed = place.changed.map(|at| format!("<lastmod>{}</lastmod>", iso_day(at))).unwrap_or_default();
        format!("<url><loc>{}</loc>{changed}</url>", escaped(&app.link(&place.path)))
    };
    let entries = places.iter().map(entry).collect::<Vec<_>>().concat();
    document("urlset", &entries)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_never_larger_than_the_protocol_allows() {
        const { assert!(BOOKS_A_PART <= PROTOCOL_MOST) };
        assert_eq!(escaped("/books?a=1&b=<\">"), "/books?a=1&amp;b=&lt;&quot;&gt;");
    }
}
