//! Structured data for crawlers, in the words of schema.org.

mod books;
mod texts;

pub use books::{VideoFiles, author, book, video};
pub use texts::{blog, episode, podcast, post, product_page, site, site_page};

use config::Config;
use kernel::Timestamp;
use serde_json::{Value, json};
use workflows::calendar::moment;

/// Several things on one page.
fn graph(things: &[Value]) -> Value {
    json!({ "@context": "https://schema.org", "@graph": things })
}

/// The way to a page from the front page: each step's name and path.
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

/// Who publishes all this.
fn publisher(config: &Config) -> Value {
    json!({ "@type": "Organization", "name": config.site.name, "url": config.public_url })
}

/// A page that lists things, and the way to it.
pub fn collection(config: &Config, name: &str, description: &str, steps: &[(&str, &str)]) -> Value {
    graph(&[collection_page(config, name, description, steps), breadcrumbs(config, steps)])
}

/// As [`collection`], with each thing's name, if the page gives it one, and path.
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

/// A length in seconds, as structured data has it.
fn duration(seconds: f64) -> String {
    format!("PT{seconds:.0}S")
}

/// A day (UTC) as structured data and sitemaps have it: `2026-11-19`.
pub fn iso_day(millis: i64) -> String {
    day(millis, "%Y-%m-%d")
}

/// A day (UTC) as people read it: `November 19, 2026`.
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
