//! `robots.txt` and sitemaps.

use config::Config;
use workflows::sitemap::{Location, SitemapPart};

use crate::structured::iso_day;

/// The path prefixes that crawlers must not fetch: members' own pages, and the API.
const CLOSED: [&str; 9] =
    ["/api/", "/admin", "/home", "/account", "/library", "/my-progress", "/payment/", "/goback", "/logout"];

/// The text of `robots.txt`.
pub fn robots(config: &Config) -> String {
    let lines = CLOSED.map(|path| format!("Disallow: {path}")).join("\n");
    format!("User-agent: *\n{lines}\n\nSitemap: {}\n", config.link("/sitemap.xml"))
}

/// The sitemap index: a list of all sitemap parts.
pub fn index(config: &Config, parts: &[SitemapPart]) -> String {
    let entry = |part: &SitemapPart| {
        let url = config.link(&format!("/sitemaps/{}.xml", part.name()));
        format!("<sitemap><loc>{}</loc></sitemap>", escaped(&url))
    };
    document("sitemapindex", parts.iter().map(entry))
}

/// A sitemap part: URLs, each with the date (UTC) of its last change if known.
pub fn part(config: &Config, locations: &[Location]) -> String {
    let entry = |one: &Location| {
        let changed =
            one.changed_at.map(|at| format!("<lastmod>{}</lastmod>", iso_day(at.millis()))).unwrap_or_default();
        format!("<url><loc>{}</loc>{changed}</url>", escaped(&config.link(&one.path)))
    };
    document("urlset", locations.iter().map(entry))
}

fn document(name: &str, entries: impl Iterator<Item = String>) -> String {
    let entries: String = entries.collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<{name} xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{entries}</{name}>\n"
    )
}

/// Escapes text for XML and HTML.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn an_address_is_text_in_xml() {
        assert_eq!(escaped("/books?a=1&b=<\">"), "/books?a=1&amp;b=&lt;&quot;&gt;");
    }
}
