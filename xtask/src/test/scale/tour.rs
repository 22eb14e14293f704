//! A tour: a GET of every path, as an admin.

use std::collections::BTreeMap;
use std::net::SocketAddr;

use anyhow::{Context, Result, ensure};
use ureq::http::{Request, header};

use super::node::Node;
use crate::http;
use crate::instance::{PAID, PASSWORD};

/// Public pages, and searches.
const PAGES: [&str; 8] = [
    "/",
    "/books",
    "/sitemap.xml",
    "/api/search?q=the",
    "/api/books?q=the&limit=5",
    "/api/admin/books?q=the",
    "/api/admin/orders?q=a",
    "/api/admin/user/0?q=example.com",
];

/// Draws all pictures of the content, for many seconds.
const LEFT_OUT: &str = "/api/infographics/download";

/// The status of the response to each path.
pub(super) type Statuses = BTreeMap<String, u16>;

/// The paths that a node describes, for this book.
pub(super) fn paths(node: &Node, book: u64) -> Result<Vec<String>> {
    let client = node.client();
    let description = client.get("/api/openapi.json", None)?;
    ensure!(description.is_ok(), "the description of the API was answered {}", description.status);
    let listed = client.get("/api/books?limit=100", None)?.result()?;
    let books = listed["books"].as_array().context("a page without books")?;
    let slug = books.iter().find(|one| one["id"] == book).and_then(|one| one["slug"].as_str()).unwrap_or("walden");
    let described = description.body["paths"].as_object().context("a description without paths")?;
    let described = described.iter().filter(|(path, operations)| operations["get"].is_object() && *path != LEFT_OUT);
    let described = described.map(|(path, _)| fill_parameters(path, book, slug));
    Ok(PAGES.iter().map(|page| (*page).to_owned()).chain(described).collect())
}

/// A path with values for its parameters.
fn fill_parameters(path: &str, book: u64, slug: &str) -> String {
    let value = |segment: &str| match segment {
        "{id}" | "{bookId}" => book.to_string(),
        "{slug}" => slug.to_owned(),
        "{kind}" => "reading".to_owned(),
        "{start}" => "0".to_owned(),
        _ if segment.starts_with('{') => "1".to_owned(),
        _ => segment.to_owned(),
    };
    path.split('/').map(value).collect::<Vec<_>>().join("/")
}

/// Requests each path as an admin.
pub(super) fn take(address: SocketAddr, paths: &[String]) -> Result<Statuses> {
    let [.., admin] = PAID;
    let token = http::Client::new(address).log_in(admin, PASSWORD)?;
    let agent = http::agent();
    let status = |path: &String| -> Result<(String, u16)> {
        let request = Request::builder()
            .uri(format!("http://{address}{path}"))
            .header(header::AUTHORIZATION, format!("Bearer {token}"));
        // A body is read too: it may fail after the head.
        let mut answer = agent.run(request.body(())?).with_context(|| path.clone())?;
        answer.body_mut().read_to_vec().with_context(|| path.clone())?;
        Ok((path.clone(), answer.status().as_u16()))
    };
    paths.iter().map(status).collect()
}

/// The responses that are a server's fault.
pub(super) fn failures(statuses: &Statuses) -> Vec<String> {
    statuses.iter().filter(|(_, status)| **status >= 500).map(|(path, status)| format!("{path}: {status}")).collect()
}

/// The paths that are answered otherwise than before. What was not found may be there by now.
pub(super) fn differences(before: &Statuses, after: &Statuses) -> Vec<String> {
    let differs = |(path, status): (&String, &u16)| {
        let now = after.get(path);
        (now != Some(status) && *status != 404).then(|| format!("{path}: {status}, then {now:?}"))
    };
    before.iter().filter_map(differs).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_get_values() {
        assert_eq!(
            fill_parameters("/api/admin/books/{bookId}/revisions/{id}", 7, "walden"),
            "/api/admin/books/7/revisions/7"
        );
        assert_eq!(fill_parameters("/api/authors/{slug}", 7, "walden"), "/api/authors/walden");
        assert_eq!(fill_parameters("/api/books/list", 7, "walden"), "/api/books/list");
    }

    #[test]
    fn other_answers_than_before_are_named() {
        let statuses = |status| Statuses::from([("/a".to_owned(), 200), ("/b".to_owned(), status)]);
        assert!(differences(&statuses(200), &statuses(200)).is_empty());
        assert!(differences(&statuses(404), &statuses(200)).is_empty());
        assert_eq!(differences(&statuses(200), &statuses(500)), ["/b: 200, then Some(500)"]);
        assert_eq!(failures(&statuses(500)), ["/b: 500"]);
    }
}
