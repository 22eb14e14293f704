//! The HTML shell of every page: head, header and footer, and the initial data of the web app.

use askama::Template;
use config::{Config, Profile};
use serde::Serialize;
use serde_json::Value;

use crate::{
    cards::SITE_CARD,
    manifest::{Chunk, Manifest},
};

/// A page to be rendered.
#[derive(Debug)]
pub struct Page {
    /// The title, without the site's name.
    pub title: String,
    /// The meta description, which search engines and link previews show.
    pub description: String,
    /// The canonical URL path; `None` for pages that search engines must not index, such as a member's own.
    pub canonical: Option<String>,
    /// Excluded from search engines despite its canonical URL, because there are too many similar pages.
    pub unindexed: bool,
    /// The URL of the preview picture, 1200 by 630 pixels; `None` for the site's own.
    pub image: Option<String>,
    /// The chunk of the web app that shows the page.
    pub chunk: &'static str,
    /// Whether the page has a header and footer (`site.page-frame`).
    pub framed: bool,
    /// The public content, as HTML rendered by the server.
    pub main: String,
    /// Whether the web app renders the content, so that its scripts load at once. On other pages they load after the first paint.
    pub waits_for_app: bool,
    /// Structured data (schema.org) for crawlers.
    pub structured: Option<Value>,
    /// The responses that the web app needs first, under the keys of its query cache.
    pub queries: Vec<Query>,
    /// The stylesheet of a page that only the server renders; the web app does not start there. `None` for all other pages.
    pub own_style: Option<&'static str>,
}

impl Default for Page {
    /// An empty page with header and footer.
    fn default() -> Self {
        Self {
            title: String::new(),
            description: String::new(),
            canonical: None,
            unindexed: false,
            image: None,
            chunk: "",
            framed: true,
            main: String::new(),
            waits_for_app: false,
            structured: None,
            queries: Vec::new(),
            own_style: None,
        }
    }
}

/// An initial entry of the web app's query cache.
#[derive(Debug, Serialize)]
pub struct Query {
    pub key: Value,
    /// The `result` of the API call, as for a visitor.
    pub data: Value,
}

impl Query {
    /// The entry for the first page of a list; empty for later pages, because the web app always starts at the first.
    pub fn of_first_page(is_first: bool, key: Value, data: Value) -> Vec<Self> {
        if is_first { vec![Self { key, data }] } else { Vec::new() }
    }
}

/// The site's settings for the web app, embedded in every page.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SiteInfo<'a> {
    name: &'a str,
    public_url: &'a str,
    support_email: &'a str,
    support_phone: &'a str,
    year: &'a str,
    social: Vec<Link<'a>>,
    stores: Vec<Link<'a>>,
    banner: Option<Banner>,
    sandbox: bool,
    demo: bool,
    providers: Vec<&'a str>,
    provider_origins: Vec<&'a str>,
    picture_widths: [u32; 3],
}

#[derive(Clone, Debug, Serialize)]
struct Link<'a> {
    name: &'a str,
    url: &'a str,
}

/// The dismissible offer above every page (`editorial.banner-content`).
#[derive(Clone, Debug, Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Banner {
    /// The text of the offer.
    pub text: String,
    /// The text of the link.
    pub link_text: String,
    /// The target of the link: a path on this site.
    pub href: String,
}

#[derive(Template)]
#[template(path = "shell.html")]
struct Shell<'a> {
    page: &'a Page,
    site: &'a SiteInfo<'a>,
    site_json: String,
    data_json: String,
    structured_json: Option<String>,
    manifest: &'a Manifest,
    chunk: Chunk,
    phone_link: String,
    full_title: String,
    image: String,
    canonical: Option<String>,
    indexed: bool,
    outside: [Outside<'a>; 2],
}

/// A group of external links in the footer.
struct Outside<'a> {
    title: &'static str,
    links: &'a [Link<'a>],
}

/// Renders a page.
///
/// # Errors
/// When a value can't be serialized as JSON. The templates themselves don't fail.
pub fn render(config: &Config, manifest: &Manifest, banner: Option<Banner>, page: &Page) -> askama::Result<Vec<u8>> {
    let site = &config.site;
    let info = SiteInfo {
        name: &site.name,
        public_url: &config.public_url,
        support_email: site.support_email.as_str(),
        support_phone: &site.support_phone,
        year: &site.copyright_year,
        social: site.social.iter().map(|(name, url)| Link { name, url }).collect(),
        stores: site.stores.iter().map(|(name, url)| Link { name, url }).collect(),
        banner,
        sandbox: config.profile == Profile::Demo,
        demo: config.profile == Profile::Demo,
        providers: config.providers.iter().map(|provider| provider.provider.as_str()).collect(),
        provider_origins: config.providers.iter().map(|provider| provider.origin.as_str()).collect(),
        picture_widths: media::PICTURE_WIDTHS,
    };
    let full_title =
        if page.title.is_empty() { site.name.clone() } else { format!("{} – {}", page.title, site.name) };
    let absolute = |path: &String| format!("{}{path}", config.public_url);
    let shell = Shell {
        site_json: script_json(&info)?,
        data_json: script_json(&serde_json::json!({ "queries": page.queries }))?,
        structured_json: page.structured.as_ref().map(script_json).transpose()?,
        manifest,
        chunk: manifest.routes.get(page.chunk).cloned().unwrap_or_default(),
        phone_link: site.support_phone.chars().filter(|c| c.is_ascii_digit() || *c == '+').collect(),
        full_title,
        image: format!("{}{}", config.public_url, page.image.as_deref().unwrap_or(SITE_CARD)),
        canonical: page.canonical.as_ref().map(absolute),
        indexed: page.canonical.is_some() && !page.unindexed,
        outside: [Outside { title: "Follow", links: &info.social }, Outside { title: "Apps", links: &info.stores }],
        site: &info,
        page,
    };
    shell.render().map(String::into_bytes)
}

/// Serializes JSON for a `<script>` element, escaped so that no text can close the element.
fn script_json(value: &impl Serialize) -> askama::Result<String> {
    let text = serde_json::to_string(value).map_err(|error| askama::Error::Custom(Box::new(error)))?;
    Ok(text.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029"))
}

#[cfg(test)]
mod tests {
    use super::script_json;

    #[test]
    fn nothing_in_a_data_block_can_end_it() {
        let Ok(text) = script_json(&"</script><script>alert(1)</script>") else { panic!("a text is JSON") };
        assert!(!text.contains('<'));
        assert_eq!(serde_json::from_str::<String>(&text).unwrap(), "</script><script>alert(1)</script>");
    }
}
