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

/// Which page of a list of visuals or infographics.
#[derive(Clone, Copy, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct VisualsParams {
    /// `result.next` of the page before.
    #[param(minimum = 1)]
    pub after: Option<i64>,
    /// How many, 1 to 100.
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

/// A book whose key ideas are illustrated, in a list.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct VisualCard {
    /// The id of its first key idea.
    pub id: i64,
    /// The book.
    pub book: BookCard,
    /// The address of a picture made of some of its ideas.
    pub image: String,
    /// How many key ideas are illustrated.
    pub count: u16,
}

/// Books whose key ideas are illustrated, each once.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct VisualsResult {
    /// A page of them, the latest book first.
    pub visuals: Vec<VisualCard>,
    /// How many there are on all pages.
    pub total: u64,
    /// What to ask for next; null on the last page.
    pub next: Option<i64>,
}

/// An illustrated key idea.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Visual {
    /// The id.
    pub id: i64,
    /// The address of its picture, good until `result.until`.
    pub image: String,
    /// The idea in a few words.
    pub title: String,
    /// The idea, in plain text.
    pub body: String,
}

/// A book's illustrated key ideas for one viewer.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BookVisualsResult {
    /// The book.
    pub book: BookCard,
    /// Whether this viewer may see them: a paid member, and everybody if the book is free.
    pub is_paid: bool,
    /// The key ideas in their order; none for who may not see them.
    pub visuals: Vec<Visual>,
    /// When the addresses of the pictures are good no longer, in ms since the epoch; null when there are none.
    pub until: Option<i64>,
}

/// An infographic, in the gallery.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Infographic {
    /// The book that it is made of.
    pub book: BookCard,
    /// The address of its thumbnail.
    pub image: String,
    /// How many key ideas it shows.
    pub count: u16,
}

/// The gallery of infographics.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InfographicsResult {
    /// Whether this viewer may download them.
    pub is_paid: bool,
    /// A page of them, the latest book first.
    pub infographics: Vec<Infographic>,
    /// How many there are on all pages.
    pub total: u64,
    /// What to ask for next; null on the last page.
    pub next: Option<i64>,
}

/// The form in which an infographic is downloaded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum InfographicFormat {
    /// Pixels.
    #[default]
    Png,
    /// A drawing, for print at any size.
    Svg,
    /// One sheet of paper, to print.
    Pdf,
}

/// The paper of a sheet.
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

/// By what right all infographics of an add-on are wanted.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct DownloadAllParams {
    /// What `infographicsUrl` has; without it the access token tells who asks.
    pub link: Option<String>,
}

/// In which form an infographic is wanted.
#[derive(Clone, Copy, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct DownloadParams {
    /// `png` when nothing is said.
    #[param(inline)]
    pub format: Option<InfographicFormat>,
    /// The paper of a `pdf`: `a4` when nothing is said.
    #[param(inline)]
    pub paper: Option<PaperName>,
}

/// Where an infographic can be fetched.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct DownloadResult {
    /// The address; a browser saves what it finds there.
    pub url: String,
    /// When it is good no longer, in ms since the epoch.
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
