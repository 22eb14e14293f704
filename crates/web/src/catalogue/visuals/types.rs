//! Illustrated key ideas and infographics on the wire (`catalogue.visual-rights`).

use kernel::{BookId, Limit, Timestamp, UserId};
use media::{Media, UrlSigner};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use workflows::catalogue::visuals::{BookVisuals, VisualBooks};

use crate::{
    catalogue::types::book::BookCard,
    http::{
        error::ApiError,
        wire::page::{limit, no_such_page},
    },
};

/// Query parameters of the lists of illustrated books and infographics: cursor.
#[derive(Clone, Copy, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct VisualsParams {
    /// The cursor: `result.next` of the previous page.
    #[param(minimum = 1)]
    pub after: Option<i64>,
    /// The page size, 1 to 100. Default: 100.
    #[param(minimum = 1, maximum = 100)]
    pub limit: Option<usize>,
}

impl VisualsParams {
    /// The names of all parameters, for the keys of cached responses.
    pub const NAMES: &[&str] = &["after", "limit"];

    /// Parses and validates the parameters: cursor and limit (100 by default).
    pub fn read(self) -> Result<(Option<BookId>, Limit), ApiError> {
        let after = self.after.map(BookId::new).transpose();
        Ok((after.map_err(|_| no_such_page())?, limit(self.limit, Limit::MAX, Limit::MAX)?))
    }
}

/// A book with illustrated key ideas, as shown in lists.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct VisualCard {
    /// The id of the first key idea.
    pub id: i64,
    /// The book.
    pub book: BookCard,
    /// The URL of a picture made from some of the key ideas.
    pub image: String,
    /// The number of illustrated key ideas.
    pub count: u16,
}

/// A page of books with illustrated key ideas, each listed once.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct VisualsResult {
    /// The books, latest first.
    pub visuals: Vec<VisualCard>,
    /// The number of books on all pages.
    pub total: u64,
    /// The cursor of the next page; null on the last page.
    pub next: Option<i64>,
}

/// An illustrated key idea.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Visual {
    /// The id of the key idea.
    pub id: i64,
    /// The presigned URL of the picture, valid until `result.until`.
    pub image: String,
    /// A title of a few words.
    pub title: String,
    /// The text, as plain text.
    pub body: String,
}

/// The illustrated key ideas of a book.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BookVisualsResult {
    /// The book.
    pub book: BookCard,
    /// Whether the viewer may see them: members with a plan, and everyone if the book is free.
    pub is_paid: bool,
    /// The key ideas, in order; empty for a viewer who may not see them.
    pub visuals: Vec<Visual>,
    /// When the picture URLs expire, in milliseconds since the Unix epoch; null without pictures.
    pub until: Option<i64>,
}

/// An infographic, as shown in the gallery.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Infographic {
    /// The book that it summarizes.
    pub book: BookCard,
    /// The URL of the thumbnail.
    pub image: String,
    /// The number of key ideas that it shows.
    pub count: u16,
}

/// A page of the gallery of infographics.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InfographicsResult {
    /// Whether the viewer has a plan and may download them.
    pub is_paid: bool,
    /// The infographics, latest book first.
    pub infographics: Vec<Infographic>,
    /// The number of infographics on all pages.
    pub total: u64,
    /// The cursor of the next page; null on the last page.
    pub next: Option<i64>,
}

/// The file format of an infographic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum InfographicFormat {
    /// A raster image.
    #[default]
    Png,
    /// A vector drawing, for printing at any size.
    Svg,
    /// A single page, for printing.
    Pdf,
}

/// The paper size of a PDF.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum PaperName {
    /// 210 × 297 mm.
    #[default]
    A4,
    /// 8.5 × 11 inches.
    Letter,
}

impl From<PaperName> for workflows::delivery::book_files::Paper {
    fn from(name: PaperName) -> Self {
        match name {
            PaperName::A4 => Self::A4,
            PaperName::Letter => Self::Letter,
        }
    }
}

/// Query parameters of the download of all infographics.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct DownloadAllParams {
    /// The `link` parameter of `infographicsUrl`. Without it, an access token is required.
    pub link: Option<String>,
}

/// Query parameters of the download of an infographic: format and paper size.
#[derive(Clone, Copy, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct DownloadParams {
    /// The file format. Default: `png`.
    #[param(inline)]
    pub format: Option<InfographicFormat>,
    /// The paper size of a `pdf`. Default: `a4`.
    #[param(inline)]
    pub paper: Option<PaperName>,
}

/// The download URL of an infographic.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct DownloadResult {
    /// The presigned URL; browsers save the file.
    pub url: String,
    /// When the URL expires, in milliseconds since the Unix epoch.
    pub until: i64,
}

impl From<&catalogue::VisualBook> for VisualCard {
    fn from(found: &catalogue::VisualBook) -> Self {
        Self {
            id: found.id.get(),
            book: (&found.card).into(),
            image: Media::url(&found.pictures.image),
            count: found.card.visuals,
        }
    }
}

impl Infographic {
    /// The infographic of a book; `None` when it has none.
    fn of(found: &catalogue::VisualBook) -> Option<Self> {
        let image = Media::url(found.pictures.infographic_thumb.as_ref()?);
        Some(Self { book: (&found.card).into(), image, count: found.card.visuals })
    }
}

impl BookVisualsResult {
    /// The key ideas with presigned URLs of their pictures, and when the first of these expires.
    pub fn signed(
        seen: &BookVisuals,
        signer: &UrlSigner,
        reader: Option<UserId>,
        now: Timestamp,
    ) -> (Self, Option<Timestamp>) {
        let reader = reader.filter(|_| !seen.book.card.free);
        let pictures = seen.visuals.iter().map(|visual| (visual, signer.presign(&visual.image, reader, now)));
        let (visuals, ends): (Vec<_>, Vec<_>) =
            pictures.map(|(visual, image)| (Visual::new(visual, image.url), image.expires_at)).unzip();
        let until = ends.into_iter().min();
        let book = (&seen.book.card).into();
        (Self { book, is_paid: seen.allowed, visuals, until: until.map(Timestamp::millis) }, until)
    }
}

impl Visual {
    fn new(visual: &catalogue::Visual, image: String) -> Self {
        Self { id: visual.id.get(), image, title: visual.title.clone(), body: visual.body.clone() }
    }
}

impl From<VisualBooks> for VisualsResult {
    fn from(listed: VisualBooks) -> Self {
        Self {
            visuals: listed.page.items.iter().map(Into::into).collect(),
            total: listed.total,
            next: listed.page.next.map(BookId::get),
        }
    }
}

impl From<VisualBooks> for InfographicsResult {
    fn from(listed: VisualBooks) -> Self {
        Self {
            is_paid: listed.is_paid,
            infographics: listed.page.items.iter().filter_map(Infographic::of).collect(),
            total: listed.total,
            next: listed.page.next.map(BookId::get),
        }
    }
}
