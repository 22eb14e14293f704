//! Books as files to keep: made from what the catalogue has, and kept in the object store under what they were made from.

mod text;

use std::sync::LazyLock;

use bytes::Bytes;
use catalogue::{Body, Book};
use documents::{Date, DocumentError, Picture, PictureKind, Quotation, Section, Summary};
use jiff::tz::TimeZone;
use tokio::{sync::Semaphore, task::spawn_blocking};

use crate::{app::App, error::ApiError, flows::calendar::moment};

/// The language in which summaries are written.
const LANGUAGE: &str = "en";
/// The width of a cover on an e-reader, in pixels.
const COVER_WIDTH: u32 = 1200;

/// Typesetting takes a core: half of them are left to everybody else.
static SETTING: LazyLock<Semaphore> =
    LazyLock::new(|| Semaphore::new(std::thread::available_parallelism().map_or(1, |cores| cores.get().div_ceil(2))));

/// What a file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// For paper and screens.
    Pdf,
    /// For e-readers.
    Epub,
}

impl Format {
    /// How names of such files end.
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Pdf => "pdf",
            Self::Epub => "epub",
        }
    }

    /// The content type.
    pub const fn content_type(self) -> &'static str {
        match self {
            Self::Pdf => "application/pdf",
            Self::Epub => "application/epub+zip",
        }
    }

    fn make(self, summary: &Summary) -> Result<Vec<u8>, DocumentError> {
        match self {
            Self::Pdf => documents::pdf(summary),
            Self::Epub => documents::epub(summary),
        }
    }
}

/// A book's file. It is made when it is asked for the first time, and again when its text, its cover or the layout has
/// changed. Whoever calls this has decided who may have it.
pub async fn file(app: &App, book: &Book, format: Format) -> Result<Bytes, ApiError> {
    let summary = summary(app, book).await?;
    let key = format!("documents/{}-{}.{}", book.card.subid, summary.print(), format.ending());
    if let Some(kept) = app.media.bytes(&key).await? {
        return Ok(kept);
    }
    let made = {
        let _turn = SETTING.acquire().await.map_err(ApiError::internal)?;
        spawn_blocking(move || make(summary, format)).await.map_err(ApiError::internal)?.map_err(ApiError::internal)?
    };
    // What can't be kept is made again.
    if let Err(error) = app.media.put_under(&key, made.clone()).await {
        tracing::warn!(%error, key, "a file that was made can't be kept");
    }
    Ok(made.into())
}

fn make(mut summary: Summary, format: Format) -> Result<Vec<u8>, DocumentError> {
    if format == Format::Epub {
        summary.cover_pixels = summary.cover.as_ref().filter(|cover| cover.kind == PictureKind::Svg).and_then(pixels);
    }
    format.make(&summary)
}

/// A drawn cover as pixels; none when it can't be drawn, and then the drawing itself is taken.
fn pixels(cover: &Picture) -> Option<Picture> {
    let svg = std::str::from_utf8(&cover.bytes).ok()?;
    match artwork::raster::png(svg, COVER_WIDTH) {
        Ok(bytes) => Some(Picture { bytes, kind: PictureKind::Png }),
        Err(error) => {
            tracing::warn!(%error, "a cover can't be drawn for e-readers");
            None
        }
    }
}

async fn summary(app: &App, book: &Book) -> Result<Summary, ApiError> {
    let card = &book.card;
    let cover = match card.image.as_deref().and_then(|key| Some((key, kind_of(key)?))) {
        Some((key, kind)) => app.media.bytes(key).await?.map(|bytes| Picture { bytes: bytes.to_vec(), kind }),
        None => None,
    };
    let names = card.categories.iter().map(|category| category.name.clone()).chain(card.tags.iter().cloned());
    let sections = Body::from_html(&book.body).sections.into_iter();
    Ok(Summary {
        url: format!("{}/books/{}", app.config.public_url, card.subid),
        title: card.title.clone(),
        author: card.author.name.clone(),
        author_description: book.author_description.clone(),
        description: card.description.clone(),
        minutes: card.minutes(),
        subjects: names.collect(),
        sections: sections
            .map(|section| Section { title: section.title, blocks: text::blocks(&section.blocks) })
            .collect(),
        quotes: book
            .quotes
            .iter()
            .map(|quote| Quotation { text: quote.text.clone(), place: quote.chapter.clone() })
            .collect(),
        cover,
        cover_pixels: None,
        language: LANGUAGE.to_owned(),
        site: app.config.site.name.clone(),
        edited: day(book.updated_at),
    })
}

/// What a cover's key says of it; `None` for what no file can hold.
fn kind_of(key: &str) -> Option<PictureKind> {
    match key.rsplit_once('.')?.1 {
        "svg" => Some(PictureKind::Svg),
        "png" => Some(PictureKind::Png),
        "jpg" | "jpeg" => Some(PictureKind::Jpeg),
        _ => None,
    }
}

fn day(at: kernel::Timestamp) -> Date {
    let day = moment(at).to_zoned(TimeZone::UTC).date();
    Date { year: i32::from(day.year()), month: day.month().unsigned_abs(), day: day.day().unsigned_abs() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_day_is_that_of_greenwich() {
        let on = |millis| day(kernel::Timestamp::from_millis(millis));
        assert_eq!(on(1_795_226_400_000), Date { year: 2026, month: 11, day: 21 });
        assert_eq!(on(0), Date { year: 1970, month: 1, day: 1 });
    }

    #[test]
    fn only_covers_that_files_can_hold_are_taken() {
        assert_eq!(kind_of("covers/walden-1a.svg"), Some(PictureKind::Svg));
        assert_eq!(kind_of("covers/walden-1a.jpg"), Some(PictureKind::Jpeg));
        assert_eq!(kind_of("covers/walden-1a.avif"), None);
    }
}
