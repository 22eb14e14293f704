//! A member's catalog for e-reader programs, as OPDS 1.2 (Atom) and OPDS 2.0 (JSON) (`delivery.opds-catalog`).

use atom_syndication::{
    CategoryBuilder, ContentBuilder, Entry, EntryBuilder, Feed, FeedBuilder, FixedDateTime, Link, LinkBuilder,
    PersonBuilder, Text,
};
use catalogue::BookCard;
use config::Config;
use kernel::Timestamp;
use media::Media;
use serde_json::{Value, json};
use workflows::calendar::moment;

use crate::sitemap::escaped;

/// The path of the catalog's beginning; the other lists are below it.
pub const OPDS_PATH: &str = "/opds";
/// The MIME type of an OPDS 2.0 feed.
pub const OPDS_JSON: &str = "application/opds+json";
/// The MIME type of the document that says how to sign in.
pub const OPDS_AUTHENTICATION: &str = "application/opds-authentication+json";
/// The MIME type of the description of the search.
pub const OPEN_SEARCH: &str = "application/opensearchdescription+xml";

const NAVIGATION: &str = "application/atom+xml;profile=opds-catalog;kind=navigation";
const ACQUISITION: &str = "application/atom+xml;profile=opds-catalog;kind=acquisition";
const OPEN_ACCESS: &str = "http://opds-spec.org/acquisition";
const IMAGE: &str = "http://opds-spec.org/image";
const THUMBNAIL: &str = "http://opds-spec.org/image/thumbnail";
/// Widths of covers and of their thumbnails, in pixels: renditions that every cover has.
const COVER_WIDTHS: [u32; 2] = [1280, 320];

/// A version of OPDS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpdsVersion {
    /// 1.2: Atom.
    Atom,
    /// 2.0: JSON.
    Json,
}

impl OpdsVersion {
    /// The MIME type of a feed.
    pub const fn content_type(self, feed: &OpdsFeed) -> &'static str {
        match (self, &feed.content) {
            (Self::Atom, OpdsContent::Lists(_)) => NAVIGATION,
            (Self::Atom, OpdsContent::Books(_)) => ACQUISITION,
            (Self::Json, _) => OPDS_JSON,
        }
    }

    /// The URL path of a list, by its name.
    pub fn path(self, name: &str) -> String {
        let start = match self {
            Self::Atom => OPDS_PATH.to_owned(),
            Self::Json => format!("{OPDS_PATH}/2"),
        };
        if name.is_empty() { start } else { format!("{start}/{name}") }
    }
}

/// A list to which a feed leads.
#[derive(Clone, Debug)]
pub struct OpdsEntry {
    /// Its name in URLs.
    pub name: String,
    pub title: String,
    /// What it has.
    pub description: String,
    /// Whether it has lists instead of books.
    pub has_lists: bool,
}

/// What a feed has.
#[derive(Clone, Debug)]
pub enum OpdsContent {
    Lists(Vec<OpdsEntry>),
    Books(Vec<BookCard>),
}

/// A feed.
#[derive(Clone, Debug)]
pub struct OpdsFeed {
    /// Its name in URLs, with its query; empty: the beginning.
    pub name: String,
    pub title: String,
    pub content: OpdsContent,
    /// The name, with its query, of the next page.
    pub next: Option<String>,
    pub updated_at: Timestamp,
}

/// Writes a feed.
pub fn feed(config: &Config, version: OpdsVersion, feed: &OpdsFeed) -> String {
    match version {
        OpdsVersion::Atom => atom(config, feed).to_string(),
        OpdsVersion::Json => json_feed(config, feed).to_string(),
    }
}

/// The document that says how to sign in (OPDS authentication 1.0).
pub fn authentication(config: &Config) -> Value {
    json!({
        "id": config.link(&format!("{OPDS_PATH}/authentication.json")),
        "title": config.site.name,
        "description": "Sign in with your e-mail address, and with an API token of yours in the place of a password.",
        "authentication": [{
            "type": "http://opds-spec.org/auth/basic",
            "labels": { "login": "E-mail address", "password": "API token" },
        }],
        "links": [
            { "rel": "help", "href": config.link("/api-tokens"), "type": "text/html" },
            { "rel": "start", "href": config.link(OPDS_PATH), "type": NAVIGATION },
        ],
    })
}

/// The description of the search (`OpenSearch` 1.1), for OPDS 1.2.
pub fn open_search(config: &Config) -> String {
    let name = escaped(&config.site.name.chars().take(16).collect::<String>());
    let template = escaped(&config.link(&format!("{}?q={{searchTerms}}", OpdsVersion::Atom.path("search"))));
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <OpenSearchDescription xmlns=\"http://a9.com/-/spec/opensearch/1.1/\">\n<ShortName>{name}</ShortName>\n\
         <Description>Summaries by words in title, author and text.</Description>\n\
         <Url type=\"{ACQUISITION}\" template=\"{template}\"/>\n</OpenSearchDescription>\n"
    )
}

fn atom(config: &Config, feed: &OpdsFeed) -> Feed {
    let url = |name: &str| config.link(&OpdsVersion::Atom.path(name));
    let mut links = vec![
        link("self", url(&feed.name), OpdsVersion::Atom.content_type(feed)),
        link("start", url(""), NAVIGATION),
        link("search", url("opensearch.xml"), OPEN_SEARCH),
    ];
    if !feed.name.is_empty() {
        links.push(link("up", url(""), NAVIGATION));
    }
    if let Some(next) = &feed.next {
        links.push(link("next", url(next), OpdsVersion::Atom.content_type(feed)));
    }
    let entries = match &feed.content {
        OpdsContent::Lists(lists) => lists.iter().map(|list| list_entry(&url(&list.name), list, feed)).collect(),
        OpdsContent::Books(books) => books.iter().map(|book| book_entry(config, book)).collect::<Vec<_>>(),
    };
    FeedBuilder::default()
        .id(url(&feed.name))
        .title(Text::plain(feed.title.clone()))
        .updated(rfc_3339(feed.updated_at))
        .author(PersonBuilder::default().name(config.site.name.clone()).uri(Some(config.link("/"))).build())
        .links(links)
        .entries(entries)
        .build()
}

fn list_entry(url: &str, list: &OpdsEntry, feed: &OpdsFeed) -> Entry {
    EntryBuilder::default()
        .id(url.to_owned())
        .title(Text::plain(list.title.clone()))
        .updated(rfc_3339(feed.updated_at))
        .content(Some(
            ContentBuilder::default()
                .content_type(Some("text".to_owned()))
                .value(Some(list.description.clone()))
                .build(),
        ))
        .link(link("subsection", url.to_owned(), if list.has_lists { NAVIGATION } else { ACQUISITION }))
        .build()
}

fn book_entry(config: &Config, book: &BookCard) -> Entry {
    let page = config.link(&format!("/books/{}", book.subid));
    let mut links = vec![link("alternate", page.clone(), "text/html")];
    links.extend(files(config, book).map(|(url, kind)| link(OPEN_ACCESS, url, kind)));
    if let Some([(cover, kind), (thumbnail, small)]) = covers(config, book) {
        links.extend([link(IMAGE, cover, kind), link(THUMBNAIL, thumbnail, small)]);
    }
    let categories = book.categories.iter().map(|category| {
        CategoryBuilder::default().term(category.subid.as_str()).label(Some(category.name.clone())).build()
    });
    EntryBuilder::default()
        .id(page)
        .title(Text::plain(book.title.clone()))
        .author(PersonBuilder::default().name(book.author.name.clone()).build())
        .updated(rfc_3339(book.upload_date))
        .published(Some(rfc_3339(book.upload_date)))
        .categories(categories.collect::<Vec<_>>())
        .summary(Some(Text::plain(book.description.clone())))
        .links(links)
        .build()
}

fn json_feed(config: &Config, feed: &OpdsFeed) -> Value {
    let url = |name: &str| config.link(&OpdsVersion::Json.path(name));
    let mut links = vec![
        json!({ "rel": "self", "href": url(&feed.name), "type": OPDS_JSON }),
        json!({ "rel": "start", "href": url(""), "type": OPDS_JSON }),
        json!({ "rel": "search", "href": format!("{}{{?q}}", url("search")), "type": OPDS_JSON, "templated": true }),
    ];
    if let Some(next) = &feed.next {
        links.push(json!({ "rel": "next", "href": url(next), "type": OPDS_JSON }));
    }
    let metadata = json!({ "title": feed.title, "modified": rfc_3339(feed.updated_at).to_rfc3339() });
    match &feed.content {
        OpdsContent::Lists(lists) => {
            let list = |list: &OpdsEntry| json!({ "rel": "subsection", "href": url(&list.name), "title": list.title, "type": OPDS_JSON });
            json!({ "metadata": metadata, "links": links, "navigation": lists.iter().map(list).collect::<Vec<_>>() })
        }
        OpdsContent::Books(books) => {
            let books: Vec<Value> = books.iter().map(|book| publication(config, book)).collect();
            json!({ "metadata": metadata, "links": links, "publications": books })
        }
    }
}

fn publication(config: &Config, book: &BookCard) -> Value {
    let page = config.link(&format!("/books/{}", book.subid));
    let mut links: Vec<Value> =
        files(config, book).map(|(href, kind)| json!({ "rel": OPEN_ACCESS, "href": href, "type": kind })).collect();
    links.push(json!({ "rel": "alternate", "href": page, "type": "text/html" }));
    let images = covers(config, book).into_iter().flatten().zip(COVER_WIDTHS);
    // A list of names and of languages: some readers take no other form.
    let subjects: Vec<&str> = book.categories.iter().map(|category| category.name.as_str()).collect();
    json!({
        "metadata": {
            "@type": "http://schema.org/Book",
            "identifier": page,
            "title": book.title,
            "author": [{ "name": book.author.name }],
            "language": ["en"],
            "description": book.description,
            "published": rfc_3339(book.upload_date).to_rfc3339(),
            "subject": subjects,
        },
        "links": links,
        "images": images.map(|((href, kind), width)| json!({ "href": href, "type": kind, "width": width })).collect::<Vec<_>>(),
    })
}

/// The URLs and MIME types of a book's files.
fn files(config: &Config, book: &BookCard) -> impl Iterator<Item = (String, &'static str)> {
    let url = |ending: &str| config.link(&format!("{OPDS_PATH}/books/{}.{ending}", book.subid));
    [(url("epub"), "application/epub+zip"), (url("pdf"), "application/pdf")].into_iter()
}

/// The URLs and MIME types of a book's cover and its thumbnail. A drawing has renditions: e-readers don't support SVG.
fn covers(config: &Config, book: &BookCard) -> Option<[(String, &'static str); 2]> {
    let path = Media::url(book.image.as_deref()?);
    let Some(stem) = path.strip_suffix(".svg") else {
        let kind = mime_guess::from_path(&path).first_raw().unwrap_or("image/jpeg");
        return Some(COVER_WIDTHS.map(|_| (config.link(&path), kind)));
    };
    Some(COVER_WIDTHS.map(|width| (config.link(&format!("{stem}.{width}.png")), "image/png")))
}

fn link(rel: &str, href: String, kind: &str) -> Link {
    LinkBuilder::default().rel(rel.to_owned()).href(href).mime_type(Some(kind.to_owned())).build()
}

fn rfc_3339(at: Timestamp) -> FixedDateTime {
    let text = moment(at).strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
    text.parse().unwrap_or_default()
}
