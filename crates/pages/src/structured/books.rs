//! Structured data (schema.org) of books, authors and videos.

use catalogue::{Author, BookCard};
use config::Config;
use serde_json::{Value, json};

use super::{breadcrumbs, duration, graph, iso_day, publisher};
use crate::cards;

/// A book's page: an article about the book.
pub fn book(config: &Config, card: &BookCard) -> Value {
    let path = format!("/books/{}", card.subid);
    let author = &card.author.name;
    let article = json!({
        "@type": "Article",
        "headline": format!("{} by {author}: summary", card.title),
        "description": card.description,
        "image": config.link(&cards::url_of_book(card.subid.as_str())),
        "url": config.link(&path),
        "isAccessibleForFree": card.free,
        "timeRequired": format!("PT{}M", card.minutes()),
        "about": written_work(card),
        "publisher": publisher(config),
    });
    graph(&[article, breadcrumbs(config, &[("Book Summaries", "/books"), (&card.title, &path)])])
}

/// The book that a page is about.
pub(super) fn written_work(card: &BookCard) -> Value {
    json!({ "@type": "Book", "name": card.title, "author": { "@type": "Person", "name": card.author.name } })
}

/// An author's page.
pub fn author(config: &Config, author: &Author) -> Value {
    let (name, path) = (&author.draft.name, format!("/authors/{}", author.draft.slug));
    let person = json!({
        "@type": "Person",
        "name": name,
        "description": author.draft.description,
        "url": config.link(&path),
    });
    graph(&[person, breadcrumbs(config, &[("Book Authors", "/authors"), (name, &path)])])
}

/// The files of a public video, as URL paths.
#[derive(Clone, Copy, Debug)]
pub struct VideoFiles<'a> {
    /// The video file.
    pub url: &'a str,
    /// The poster image.
    pub poster: Option<&'a str>,
    /// The duration, in seconds.
    pub seconds: Option<f64>,
}

/// The page of a book's video. `files` is `None` unless the video is public.
pub fn video(config: &Config, card: &BookCard, files: Option<VideoFiles<'_>>) -> Value {
    let (of_book, of_video) = (format!("/books/{}", card.subid), format!("/video/{}", card.subid));
    let mut things = vec![breadcrumbs(config, &[(&card.title, &of_book), ("Video", &of_video)])];
    things.extend(files.map(|files| {
        json!({
            "@type": "VideoObject",
            "name": card.title,
            "description": card.description,
            "uploadDate": iso_day(card.upload_date.millis()),
            "thumbnailUrl": files.poster.map(|poster| config.link(poster)),
            "contentUrl": config.link(files.url),
            "duration": files.seconds.map(duration),
        })
    }));
    graph(&things)
}
