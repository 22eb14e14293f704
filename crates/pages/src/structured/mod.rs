//! Structured data for crawlers: JSON-LD with the vocabulary of schema.org.

mod books;
mod texts;

pub use books::{VideoFiles, author, book, video};
pub use texts::{blog, episode, podcast, post, product_page, site, site_page};

use config::Config;
use kernel::Timestamp;
use serde_json::{Value, json};
use workflows::calendar::moment;

/// A JSON-LD graph of several items.
fn graph(things: &[Value]) -> Value {
    json!({ "@context": "https://schema.org", "@graph": things })
}

/// The breadcrumbs from the front page to a page: name and path of each step.
fn breadcrumbs(config: &Config, steps: &[(&str, &str)]) -> Value {
    let items: Vec<Value> = steps
        .iter()
        .zip(1..)
        .map(|((name, path), position)| {
            json!({ "@type": "ListItem", "position": position, "name": name, "item": config.link(path) })
        })
        .collect();
    json!({ "@type": "BreadcrumbList", "itemListElement": items })
}

/// The publisher: the site as an organization.
fn publisher(config: &Config) -> Value {
    json!({ "@type": "Organization", "name": config.site.name, "url": config.public_url })
}

/// A page with a list, and its breadcrumbs.
pub fn collection(config: &Config, name: &str, description: &str, steps: &[(&str, &str)]) -> Value {
    graph(&[collection_page(config, name, description, steps), breadcrumbs(config, steps)])
}

/// [`collection`] with its items: name (if the page shows one) and path of each.
pub fn collection_of<'a>(
    config: &Config,
    name: &str,
    description: &str,
    steps: &[(&str, &str)],
    things: impl IntoIterator<Item = (Option<&'a str>, String)>,
) -> Value {
    let items: Vec<Value> = (1..)
        .zip(things)
        .map(|(position, (name, path))| {
            let mut item = json!({ "@type": "ListItem", "position": position, "url": config.link(&path) });
            if let Some(name) = name {
                item["name"] = json!(name);
            }
            item
        })
        .collect();
    let mut page = collection_page(config, name, description, steps);
    page["mainEntity"] = json!({ "@type": "ItemList", "itemListElement": items });
    graph(&[page, breadcrumbs(config, steps)])
}

fn collection_page(config: &Config, name: &str, description: &str, steps: &[(&str, &str)]) -> Value {
    json!({
        "@type": "CollectionPage",
        "name": name,
        "description": description,
        "url": config.link(steps.last().map_or("/", |(_, path)| path)),
        "publisher": publisher(config),
    })
}

/// Formats a duration in seconds as ISO 8601.
fn duration(seconds: f64) -> String {
    format!("PT{seconds:.0}S")
}

/// Formats a date (UTC) as ISO 8601: `2026-11-19`.
pub fn iso_day(millis: i64) -> String {
    day(millis, "%Y-%m-%d")
}

/// Formats a date (UTC) for readers: `November 19, 2026`.
pub fn long_day(millis: i64) -> String {
    day(millis, "%B %-d, %Y")
}

fn day(millis: i64, form: &str) -> String {
    moment(Timestamp::from_millis(millis)).strftime(form).to_string()
}

#[cfg(test)]
mod tests {
    use super::{iso_day, long_day};

    #[test]
    fn days_are_written_as_they_are_in_utc() {
        assert_eq!(
            (iso_day(1_795_046_400_000), long_day(1_795_046_400_000).as_str()),
            ("2026-11-19".to_owned(), "November 19, 2026")
        );
        assert_eq!(long_day(1_795_046_399_999), "November 18, 2026");
    }
}
