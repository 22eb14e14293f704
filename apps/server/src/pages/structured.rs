//! Structured data for crawlers, as schema.org names it.

use kernel::Timestamp;
use serde_json::{Value, json};

use crate::{app::App, flows::calendar::moment};

/// Several things on one page.
pub(super) fn graph(things: &[Value]) -> Value {
    json!({ "@context": "https://schema.org", "@graph": things })
}

/// The way to a page from the front page: each step's name and path.
pub(super) fn breadcrumbs(app: &App, steps: &[(&str, &str)]) -> Value {
    let items: Vec<Value> = steps
        .iter()
        .zip(1..)
        .map(|((name, path), position)| {
            json!({ "@type": "ListItem", "position": position, "name": name, "item": app.link(path) })
        })
        .collect();
    json!({ "@type": "BreadcrumbList", "itemListElement": items })
}

/// Who publishes all this.
pub(super) fn publisher(app: &App) -> Value {
    json!({ "@type": "Organization", "name": app.config.site.name, "url": app.config.public_url })
}

/// A page that lists things, and the way to it.
pub(super) fn collection(app: &App, name: &str, description: &str, steps: &[(&str, &str)]) -> Value {
    graph(&[collection_page(app, name, description, steps), breadcrumbs(app, steps)])
}

/// As [`collection`], with each thing's name, if the page gives it one, and path.
pub(super) fn collection_of<'a>(
    app: &App,
    name: &str,
    description: &str,
    steps: &[(&str, &str)],
    things: impl IntoIterator<Item = (Option<&'a str>, String)>,
) -> Value {
    let items: Vec<Value> = (1..)
        .zip(things)
        .map(|(position, (name, path))| {
            let mut item = json!({ "@type": "ListItem", "position": position, "url": app.link(&path) });
            if let Some(name) = name {
                item["name"] = json!(name);
            }
            item
        })
        .collect();
    let mut page = collection_page(app, name, description, steps);
    page["mainEntity"] = json!({ "@type": "ItemList", "itemListElement": items });
    graph(&[page, breadcrumbs(app, steps)])
}

fn collection_page(app: &App, name: &str, description: &str, steps: &[(&str, &str)]) -> Value {
    json!({
        "@type": "CollectionPage",
        "name": name,
        "description": description,
        "url": app.link(steps.last().map_or("/", |(_, path)| path)),
        "publisher": publisher(app),
    })
}

/// A length in seconds, as structured data has it.
pub(super) fn duration(seconds: f64) -> String {
    format!("PT{seconds:.0}S")
}

/// A day (UTC) as structured data and sitemaps have it: `2026-11-19`.
pub(super) fn iso_day(millis: i64) -> String {
    day(millis, "%Y-%m-%d")
}

/// A day (UTC) as people read it: `November 19, 2026`.
pub(super) fn long_day(millis: i64) -> String {
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
