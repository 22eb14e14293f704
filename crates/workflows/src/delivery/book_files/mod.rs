//! Books as PDF and EPUB files (`delivery.file-contents`): made from the catalogue's books, and cached in the object store under
//! a key that contains a hash of their content.
//!
//! Also the results and reports of quizzes. The caller decides who may have a file. [`DeliverBook`] is the job that mails one
//! to a member's e-reader.

mod delivery;
mod quiz;
mod text;

use std::sync::{Arc, LazyLock};

use bytes::Bytes;
use catalogue::{Body, Book, RECAP_TITLE, Visual, recap};
use documents::{
    Block, Date, DocumentError, Inline, Picture, PictureKind, Quotation, Recap, Section, Sheet, SheetIdea, Summary,
};
use jiff::tz::TimeZone;
use kernel::{Timestamp, text_picture_keys};
use media::{Media, MediaError};
use summaries::{MemberSummary, SummaryText};
use tokio::{sync::Semaphore, task::spawn_blocking};

pub use delivery::DeliverBook;
pub use documents::Paper;
pub use quiz::result_picture;

/// The language of catalogue summaries.
const LANGUAGE: &str = "en";
/// The width of a drawing that a file shows as pixels: a cover on an e-reader, a picture within the text.
const PICTURE_WIDTH: u32 = 1280;
/// The width at which a drawing is rendered to check whether it can be rendered at all.
const SMALLEST: u32 = media::RENDITION_WIDTHS[0];

/// Limits concurrent typesetting, which keeps a core busy, to half of the cores.
static TYPESETTING: LazyLock<Semaphore> =
    LazyLock::new(|| Semaphore::new(std::thread::available_parallelism().map_or(1, |cores| cores.get().div_ceil(2))));

/// A file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// For paper and screens.
    Pdf,
    /// For e-readers.
    Epub,
}

impl Format {
    /// The file name's extension, without the dot.
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Pdf => "pdf",
            Self::Epub => "epub",
        }
    }

    /// The MIME type.
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

/// Why a file could not be made.
#[derive(Debug, thiserror::Error)]
pub enum BookFileError {
    /// The object store failed.
    #[error(transparent)]
    Media(#[from] MediaError),
    /// The document can't be typeset.
    #[error(transparent)]
    Document(#[from] DocumentError),
    /// Typesetting panicked, or the process is ending.
    #[error("typesetting was broken off")]
    BrokenOff,
}

/// Makes files and caches them.
#[derive(Clone, Debug)]
pub struct BookFiles {
    pub media: Arc<Media>,
    /// The site's URL, for links in files.
    pub public_url: String,
    /// The site's name, as files show it.
    pub site_name: String,
}

impl BookFiles {
    /// The URL of a book's page.
    fn book_url(&self, book: &Book) -> String {
        format!("{}/books/{}", self.public_url, book.card.subid)
    }

    /// The URL of the page of a member's own summary.
    fn summary_url(&self, summary: &MemberSummary) -> String {
        format!("{}/ai/{}", self.public_url, summary.id)
    }

    /// A book's file: the cached one, or a new one if its text, cover or layout has changed.
    pub async fn get_or_make(&self, book: &Book, format: Format) -> Result<Bytes, BookFileError> {
        let card = &book.card;
        let summary = self.summary(book).await?;
        let key = format!("documents/{}-{}.{}", card.subid, summary.print(), format.ending());
        if let Some(kept) = self.media.bytes(&key).await? {
            return Ok(kept);
        }
        let summary = self.with_drawable_cover(summary, card.image.as_deref(), format).await?;
        let made = {
            let _turn = TYPESETTING.acquire().await.map_err(|_| BookFileError::BrokenOff)?;
            spawn_blocking(move || format.make(&summary)).await.map_err(|_| BookFileError::BrokenOff)??
        };
        // A file that can't be cached is made again the next time.
        if let Err(error) = self.media.put_under(&key, made.clone()).await {
            tracing::warn!(%error, key, "a file that was made can't be kept");
        }
        Ok(made.into())
    }

    /// A member's own summary as a file. It is not cached: it is seldom requested twice, and would outlive the summary.
    pub async fn make_member_summary(
        &self,
        summary: &MemberSummary,
        text: &SummaryText,
        format: Format,
    ) -> Result<Vec<u8>, BookFileError> {
        let sections = text.ideas.iter().map(|idea| Section {
            title: idea.title.clone(),
            blocks: vec![Block::Paragraph(vec![Inline::Text(idea.text.clone())])],
        });
        let document = Summary {
            url: self.summary_url(summary),
            title: summary.title.clone(),
            author: summary.source.name.clone(),
            author_description: String::new(),
            description: String::new(),
            minutes: summary.minutes().unwrap_or_default(),
            subjects: Vec::new(),
            sections: sections.collect(),
            recap: recap_of(text.ideas.iter().map(|idea| idea.title.as_str())),
            quotes: Vec::new(),
            cover: None,
            cover_pixels: None,
            language: summary.language.as_ref().map_or(LANGUAGE, |language| &language.code).to_owned(),
            site: self.site_name.clone(),
            edited: day(summary.done_at.unwrap_or(summary.created_at)),
        };
        let _turn = TYPESETTING.acquire().await.map_err(|_| BookFileError::BrokenOff)?;
        Ok(spawn_blocking(move || format.make(&document)).await.map_err(|_| BookFileError::BrokenOff)??)
    }

    /// The key of a PDF with a book's key ideas on one sheet: the cached file, or a new one.
    pub async fn sheet_key(&self, book: &Book, ideas: &[Visual], paper: Paper) -> Result<String, BookFileError> {
        let card = &book.card;
        let sheet = self.sheet(book, ideas).await?;
        let key = format!("documents/{}-sheet-{}-{}.pdf", card.subid, paper.as_str(), sheet.print());
        if self.media.exists(&key).await? {
            return Ok(key);
        }
        let sheet = self.with_drawable_pictures(sheet, card.image.as_deref(), ideas).await?;
        let made = {
            let _turn = TYPESETTING.acquire().await.map_err(|_| BookFileError::BrokenOff)?;
            let made = spawn_blocking(move || documents::sheet_pdf(&sheet, paper)).await;
            made.map_err(|_| BookFileError::BrokenOff)??
        };
        self.media.put_under(&key, made).await?;
        Ok(key)
    }

    /// Removes drawings that can't be rendered from a sheet.
    async fn with_drawable_pictures(
        &self,
        mut sheet: Sheet,
        cover: Option<&str>,
        ideas: &[Visual],
    ) -> Result<Sheet, MediaError> {
        let keys = std::iter::once(cover).chain(ideas.iter().map(|idea| Some(idea.image.as_str())));
        let pictures = std::iter::once(&mut sheet.cover).chain(sheet.ideas.iter_mut().map(|idea| &mut idea.picture));
        for (key, picture) in keys.zip(pictures) {
            let is_drawing = picture.as_ref().is_some_and(|picture| picture.kind == PictureKind::Svg);
            if let Some(key) = key.filter(|_| is_drawing)
                && self.pixels(key, SMALLEST).await?.is_none()
            {
                *picture = None;
            }
        }
        Ok(sheet)
    }

    async fn sheet(&self, book: &Book, ideas: &[Visual]) -> Result<Sheet, MediaError> {
        let card = &book.card;
        let mut set = Vec::with_capacity(ideas.len());
        for idea in ideas {
            let picture = self.picture(Some(&idea.image)).await?;
            set.push(SheetIdea { title: idea.title.clone(), body: idea.body.clone(), picture });
        }
        Ok(Sheet {
            url: self.book_url(book),
            title: card.title.clone(),
            author: card.author.name.clone(),
            cover: self.picture(card.image.as_deref()).await?,
            ideas: set,
            language: LANGUAGE.to_owned(),
            site: self.site_name.clone(),
        })
    }

    /// Adds a summary's cover as pixels if it is a drawing and the format needs that; removes a drawing that can't be rendered,
    /// because typesetting it would take as long.
    async fn with_drawable_cover(
        &self,
        mut summary: Summary,
        key: Option<&str>,
        format: Format,
    ) -> Result<Summary, MediaError> {
        let drawing = key.filter(|_| summary.cover.as_ref().is_some_and(|cover| cover.kind == PictureKind::Svg));
        let Some(drawing) = drawing else { return Ok(summary) };
        let width = if format == Format::Epub { PICTURE_WIDTH } else { SMALLEST };
        match self.pixels(drawing, width).await? {
            None => summary.cover = None,
            Some(bytes) if format == Format::Epub => {
                summary.cover_pixels = Some(Picture { bytes: bytes.to_vec(), kind: PictureKind::Png });
            }
            Some(_) => {}
        }
        Ok(summary)
    }

    /// The key's drawing as a PNG; `None` if it can't be rendered.
    async fn pixels(&self, drawing: &str, width: u32) -> Result<Option<Bytes>, MediaError> {
        match self.media.raster(drawing, width, media::Format::Png).await {
            Ok(Some(form)) => self.media.bytes(&form).await,
            Ok(None) => Ok(None),
            Err(MediaError::Picture(error)) => {
                tracing::warn!(drawing, %error, "a drawing can't be drawn for a file");
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// A picture in the object store; `None` if it is missing, or of a kind that files can't contain.
    async fn picture(&self, key: Option<&str>) -> Result<Option<Picture>, MediaError> {
        match key.and_then(|key| Some((key, kind_of(key)?))) {
            Some((key, kind)) => Ok(self.media.bytes(key).await?.map(|bytes| Picture { bytes: bytes.to_vec(), kind })),
            None => Ok(None),
        }
    }

    /// The pictures of a text that are in the object store and can be drawn.
    async fn text_pictures(&self, html: &str) -> Result<text::Pictures, MediaError> {
        let mut found = text::Pictures::new();
        for key in text_picture_keys(html) {
            let picture = if media::is_drawing(&key) {
                let pixels = self.pixels(&key, PICTURE_WIDTH).await?;
                pixels.map(|bytes| Picture { bytes: bytes.to_vec(), kind: PictureKind::Png })
            } else {
                self.picture(Some(&key)).await?
            };
            found.extend(picture.map(|picture| (Media::url(&key), picture)));
        }
        Ok(found)
    }

    async fn summary(&self, book: &Book) -> Result<Summary, MediaError> {
        let card = &book.card;
        let cover = self.picture(card.image.as_deref()).await?;
        let names = card.categories.iter().map(|category| category.name.clone()).chain(card.tags.iter().cloned());
        let sections = Body::from_html(&book.body).sections;
        let pictures = self.text_pictures(&book.body).await?;
        let recap = recap_of(sections.iter().map(|section| section.title.as_str()));
        Ok(Summary {
            url: self.book_url(book),
            title: card.title.clone(),
            author: card.author.name.clone(),
            author_description: book.author_description.clone(),
            description: card.description.clone(),
            minutes: card.minutes(),
            subjects: names.collect(),
            sections: sections
                .into_iter()
                .map(|section| Section { title: section.title, blocks: text::blocks(&section.blocks, &pictures) })
                .collect(),
            recap,
            quotes: book
                .quotes
                .iter()
                .map(|quote| Quotation { text: quote.text.clone(), place: quote.chapter.clone() })
                .collect(),
            cover,
            cover_pixels: None,
            language: LANGUAGE.to_owned(),
            site: self.site_name.clone(),
            edited: day(book.updated_at),
        })
    }
}

/// The recap of a file with these headings; `None` when the summary has none.
fn recap_of<'a>(headings: impl IntoIterator<Item = &'a str>) -> Option<Recap> {
    let ideas = recap(headings);
    (!ideas.is_empty()).then(|| Recap { title: RECAP_TITLE.to_owned(), ideas })
}

/// The kind of a picture, by its key's extension; `None` for a kind that files can't contain.
fn kind_of(key: &str) -> Option<PictureKind> {
    match key.rsplit_once('.')?.1 {
        "svg" => Some(PictureKind::Svg),
        "png" => Some(PictureKind::Png),
        "jpg" | "jpeg" => Some(PictureKind::Jpeg),
        _ => None,
    }
}

/// The day of a time, in UTC.
fn day(at: Timestamp) -> Date {
    let moment = jiff::Timestamp::from_millisecond(at.millis()).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    let day = moment.to_zoned(TimeZone::UTC).date();
    Date { year: i32::from(day.year()), month: day.month().unsigned_abs(), day: day.day().unsigned_abs() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn day_is_that_of_utc() {
        let on = |millis| day(Timestamp::from_millis(millis));
        assert_eq!(on(1_795_226_400_000), Date { year: 2026, month: 11, day: 21 });
        assert_eq!(on(0), Date { year: 1970, month: 1, day: 1 });
    }

    #[test]
    fn cover_of_a_kind_that_files_can_not_hold_is_left_out() {
        assert_eq!(kind_of("covers/walden-1a.svg"), Some(PictureKind::Svg));
        assert_eq!(kind_of("covers/walden-1a.jpg"), Some(PictureKind::Jpeg));
        assert_eq!(kind_of("covers/walden-1a.avif"), None);
    }
}
