//! Books for editors on the wire. Times are in milliseconds since the Unix epoch.

use crate::http::{
    error::ApiError,
    wire::{
        page::{ListCount, after, given, limit},
        present,
    },
};
use catalogue::{BookEdit, BookState, Lacking, ListedBook, ListedFilter, ListedQuery, ListedSort, WrittenBook};
use kernel::{BookId, CategoryId, GoalId, Limit, Slug, Timestamp};
use media::{Media, UrlSigner};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use workflows::{
    catalogue::editing::books::{BookRevision, EditedBook},
    editing::Versioned,
};

/// Query parameters of the list of books: filters, order and cursor.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct BooksParams {
    /// A part of the title, the author's name or the slug; or a complete id.
    q: Option<String>,
    /// Filters by state.
    #[param(pattern = "^(draft|published|scheduled|coming_soon)?$")]
    state: Option<String>,
    /// Filters by what the book lacks.
    #[param(pattern = "^(cover|audio|key_ideas)?$")]
    lacking: Option<String>,
    /// Filters by the id of a category.
    #[param(minimum = 1)]
    category: Option<i64>,
    /// True: only books that anyone may read; false: only the others.
    free: Option<bool>,
    /// True: only books marked as popular; false: only the others.
    popular: Option<bool>,
    /// The sort key. Default: `uploadDate`.
    #[param(pattern = "^(uploadDate|id|title)?$")]
    sort: Option<String>,
    /// The sort order. Default: `desc` for `uploadDate`, otherwise `asc`.
    #[param(pattern = "^(asc|desc)?$")]
    order: Option<String>,
    /// The cursor: `result.next` of the previous page.
    #[param(pattern = r"^([1-9][0-9]{0,18})?$")]
    after: Option<String>,
    /// The page size, 1 to 100. Default: 100.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<usize>,
}

impl BooksParams {
    /// Parses and validates the parameters.
    pub(crate) fn read(&self) -> Result<ListedQuery, ApiError> {
        let unknown = |field: &'static str| ApiError::invalid(field, "This is not one of the choices.");
        let state = match given(self.state.as_deref()) {
            None => None,
            Some("draft") => Some(BookState::Draft),
            Some("published") => Some(BookState::Published),
            Some("scheduled") => Some(BookState::Scheduled),
            Some("coming_soon") => Some(BookState::ComingSoon),
            Some(_) => return Err(unknown("state")),
        };
        let lacking = match given(self.lacking.as_deref()) {
            None => None,
            Some("cover") => Some(Lacking::Cover),
            Some("audio") => Some(Lacking::Audio),
            Some("key_ideas") => Some(Lacking::KeyIdeas),
            Some(_) => return Err(unknown("lacking")),
        };
        let sort = match given(self.sort.as_deref()) {
            None | Some("uploadDate") => ListedSort::UploadDate,
            Some("id") => ListedSort::Id,
            Some("title") => ListedSort::Title,
            Some(_) => return Err(unknown("sort")),
        };
        let descending = match given(self.order.as_deref()) {
            None => sort == ListedSort::UploadDate,
            Some("asc") => false,
            Some("desc") => true,
            Some(_) => return Err(unknown("order")),
        };
        let filter = ListedFilter {
            text: given(self.q.as_deref()).map(str::to_owned),
            state,
            lacking,
            category: self.category.map(CategoryId::new).transpose().map_err(|_| unknown("category"))?,
            free: self.free,
            popular: self.popular,
        };
        let limit = limit(self.limit, Limit::MAX, Limit::MAX)?;
        Ok(ListedQuery { filter, sort, descending, after: after(self.after.as_deref())?, limit })
    }
}

/// A book in the editors' list.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EditorBookRow {
    /// The id of the book.
    id: i64,
    /// The slug of the book.
    subid: String,
    /// The title.
    title: String,
    /// The author's name.
    author: String,
    /// The URL of the cover; null without one.
    #[schema(required)]
    image: Option<String>,
    /// Whether anyone may read it.
    free: bool,
    /// Whether an editor marked it as popular.
    is_popular: bool,
    /// Whether it is only announced.
    coming_soon: bool,
    /// Whether readers see it at all.
    published: bool,
    /// When it becomes readable, in milliseconds since the Unix epoch; null if not scheduled.
    #[schema(required)]
    publish_at: Option<i64>,
    /// When it was added to the catalogue, in milliseconds since the Unix epoch.
    upload_date: i64,
    /// When it was last saved, in milliseconds since the Unix epoch.
    updated_at: i64,
    /// The name of the user who last saved it; null if no user has or the account was deleted.
    #[schema(required)]
    updated_by: Option<String>,
    /// The version, to be sent with an update.
    version: i64,
    /// The ids of the categories, in their order.
    categories: Vec<i64>,
    /// Whether it has a summary text.
    has_body: bool,
    /// Whether it has audio.
    has_audio: bool,
    /// Whether it has a video.
    has_video: bool,
    /// Whether it has a podcast episode.
    has_podcast: bool,
    /// Whether it has an uploaded infographic.
    has_infographic: bool,
    /// Whether at least one key idea is illustrated.
    has_key_ideas: bool,
}

impl From<Versioned<ListedBook>> for EditorBookRow {
    fn from(Versioned { row: book, version }: Versioned<ListedBook>) -> Self {
        Self {
            id: book.id.get(),
            subid: book.subid.to_string(),
            title: book.title,
            author: book.author,
            image: book.image.as_deref().map(Media::url),
            free: book.free,
            is_popular: book.is_popular,
            coming_soon: book.coming_soon,
            published: book.published,
            publish_at: book.publish_at.map(Timestamp::millis),
            upload_date: book.upload_date.millis(),
            updated_at: book.updated_at.millis(),
            updated_by: version.by,
            version: version.number,
            categories: book.categories.into_iter().map(CategoryId::get).collect(),
            has_body: book.has_body,
            has_audio: book.has_audio,
            has_video: book.has_video,
            has_podcast: book.has_podcast,
            has_infographic: book.has_infographic,
            has_key_ideas: book.has_key_ideas,
        }
    }
}

/// A page of books.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct EditorBooksResult {
    /// The books, in the requested order.
    pub(crate) books: Vec<EditorBookRow>,
    #[serde(flatten)]
    pub(crate) total: ListCount,
    /// The cursor of the next page; null on the last page.
    #[schema(required)]
    pub(crate) next: Option<String>,
}

/// A quotation from a book.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
struct EditorQuote {
    /// The quoted text.
    text: String,
    /// The chapter that it is from; may be empty.
    #[serde(default)]
    chapter: String,
}

/// The editable fields of a book.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct WrittenFields {
    /// The slug of the book.
    subid: String,
    /// The title.
    title: String,
    /// The author's name.
    author: String,
    /// A description of the author.
    author_desc: String,
    /// The description: what a reader learns from the book.
    description: String,
    /// The summary, as sanitized HTML.
    body: String,
    /// Quotations from the book.
    quotes: Vec<EditorQuote>,
    /// The ids of the categories, in their order.
    categories: Vec<i64>,
    /// The ids of the goals.
    goals: Vec<i64>,
    /// The display names of the tags.
    tags: Vec<String>,
    /// Whether anyone may read it.
    free: bool,
    /// Whether an editor marked it as popular.
    is_popular: bool,
    /// Whether it is only announced.
    coming_soon: bool,
    /// Whether readers see it at all.
    published: bool,
    /// When it becomes readable, in milliseconds since the Unix epoch; null if not scheduled.
    #[schema(required)]
    publish_at: Option<i64>,
    /// The year of the first publication, negative for BC; null if unknown.
    #[schema(required)]
    year: Option<i32>,
    /// When it was added to the catalogue, in milliseconds since the Unix epoch.
    upload_date: i64,
}

impl From<WrittenBook> for WrittenFields {
    fn from(book: WrittenBook) -> Self {
        Self {
            subid: book.subid,
            title: book.title,
            author: book.author,
            author_desc: book.author_desc,
            description: book.description,
            body: book.body,
            quotes: book.quotes.into_iter().map(|(text, chapter)| EditorQuote { text, chapter }).collect(),
            categories: book.categories,
            goals: book.goals,
            tags: book.tags,
            free: book.free,
            is_popular: book.is_popular,
            coming_soon: book.coming_soon,
            published: book.published,
            publish_at: book.publish_at,
            year: book.year,
            upload_date: book.upload_date,
        }
    }
}

/// A book with everything that editors see of it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct EditorBook {
    /// The id of the book.
    id: i64,
    #[serde(flatten)]
    written: WrittenFields,
    /// The URL of the cover; null without one.
    #[schema(required)]
    image: Option<String>,
    /// The URL of the uploaded drawing; null without one.
    #[schema(required)]
    vector: Option<String>,
    /// The presigned URL of the uploaded infographic; null without one.
    #[schema(required)]
    infographic_url: Option<String>,
    /// The presigned URL of the podcast episode; null without one.
    #[schema(required)]
    podcast_url: Option<String>,
    /// The presigned URL of the video; null without one.
    #[schema(required)]
    video: Option<String>,
    /// The presigned URL of the audio; null without one.
    #[schema(required)]
    media_url: Option<String>,
    /// The titles of the summary's sections.
    sections: Vec<String>,
    /// The number of words of the summary.
    words: u32,
    /// The version, to be sent with an update.
    version: i64,
    /// When it was last saved, in milliseconds since the Unix epoch.
    updated_at: i64,
    /// The name of the user who last saved it; null if no user has or the account was deleted.
    #[schema(required)]
    updated_by: Option<String>,
}

/// The result of requests for a book.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct EditorBookResult {
    /// The book.
    book: EditorBook,
}

impl EditorBookResult {
    /// A book with presigned URLs of its files.
    pub(crate) fn signed(book: &EditedBook, signer: &UrlSigner, now: Timestamp) -> Self {
        let closed = |key: &Option<String>| key.as_deref().map(|key| signer.presign(key, None, now).url);
        let open = |key: &Option<String>| key.as_deref().map(Media::url);
        let (draft, extras, version) = (&book.draft, &book.extras, &book.version);
        let text = catalogue::Body::from_html(&draft.body);
        let book = EditorBook {
            id: book.id.get(),
            written: book.written().into(),
            image: open(&draft.image),
            vector: open(&extras.vector),
            infographic_url: closed(&extras.infographic),
            podcast_url: closed(&extras.podcast),
            video: closed(&draft.video),
            media_url: closed(&draft.media),
            version: version.number,
            sections: text.sections.iter().map(|section| section.title.clone()).collect(),
            words: text.words(),
            updated_at: version.at.unwrap_or(draft.upload_date).millis(),
            updated_by: version.by.clone(),
        };
        Self { book }
    }
}

/// The body of a request that creates or updates a book. An update leaves missing fields unchanged.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[allow(clippy::option_option, reason = "missing and null mean different things")]
pub(crate) struct BookForm {
    /// The version that the editor has read; if the book was saved since then, the response is `409`. Without it, the book is
    /// changed in any case.
    #[schema(minimum = 1)]
    pub(crate) version: Option<i64>,
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>)]
    title: Option<Option<String>>,
    /// The author's name; required for a new book. An unknown author is added.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>)]
    author: Option<Option<String>>,
    /// A description of the author. Null clears it.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>)]
    author_desc: Option<Option<String>>,
    /// The description: what a reader learns from the book. Null clears it.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>)]
    description: Option<Option<String>>,
    /// The summary, as HTML. It is sanitized; each level-3 heading begins a section. Null clears it.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>)]
    body: Option<Option<String>>,
    /// Quotations from the book. Null removes them all.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<Vec<EditorQuote>>)]
    quotes: Option<Option<Vec<EditorQuote>>>,
    /// The ids of the categories, in their order, at least one; required for a new book.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<Vec<i64>>)]
    categories: Option<Option<Vec<i64>>>,
    /// The ids of the goals. Null removes them all.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<Vec<i64>>)]
    goals: Option<Option<Vec<i64>>>,
    /// The display names of the tags. Null removes them all.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<Vec<String>>)]
    tags: Option<Option<Vec<String>>>,
    /// Whether anyone may read it. Default for a new book: false.
    free: Option<bool>,
    /// Whether it is marked as popular. Default for a new book: false.
    is_popular: Option<bool>,
    /// Whether it is only announced. Default for a new book: false.
    coming_soon: Option<bool>,
    /// Whether readers see it at all. Default for a new book: false.
    published: Option<bool>,
    /// When it becomes readable, in milliseconds since the Unix epoch. A past time publishes it immediately; null clears the
    /// schedule.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<i64>)]
    publish_at: Option<Option<i64>>,
    /// The year of the first publication, negative for BC. Null clears it.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<i32>)]
    year: Option<Option<i32>>,
    /// The slug. Default for a new book: made from the title.
    subid: Option<String>,
    /// When it was added to the catalogue, in milliseconds since the Unix epoch. Default for a new book: now.
    upload_date: Option<i64>,
    /// The URL of the cover, as it was read; null or blank is refused. It does not change the cover, which is uploaded
    /// separately.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>)]
    image: Option<Option<String>>,
}

fn missing(field: &'static str, label: &str) -> ApiError {
    ApiError::invalid(field, format!("Please specify {label}."))
}

/// A required text: rejected when it is present and blank. A missing one stays unchanged.
#[allow(clippy::option_option, reason = "missing and null mean different things")]
fn required(field: &'static str, label: &str, text: Option<Option<String>>) -> Result<Option<String>, ApiError> {
    match text {
        None => Ok(None),
        Some(text) => text.filter(|text| !text.trim().is_empty()).map(Some).ok_or_else(|| missing(field, label)),
    }
}

impl BookForm {
    /// Parses and validates changes to an existing book, in the order of the form (`catalogue.book-fields`).
    pub(crate) fn read(self) -> Result<BookEdit, ApiError> {
        let title = required("title", "Title", self.title)?;
        required("image", "Image", self.image)?;
        let author = required("author", "Author", self.author)?;
        let ids = |field: &'static str, ids: Vec<i64>| match ids.iter().find(|id| **id < 1) {
            Some(_) => Err(ApiError::invalid(field, "An id is a positive number.")),
            None => Ok(ids),
        };
        let categories = match self.categories {
            Some(None) => return Err(missing("categories", "Categories")),
            Some(Some(none)) if none.is_empty() => return Err(missing("categories", "Categories")),
            given => given.flatten().map(|given| ids("categories", given)).transpose()?,
        };
        let goals = self.goals.map(|given| ids("goals", given.unwrap_or_default())).transpose()?;
        let subid = self.subid.as_deref().filter(|subid| !subid.trim().is_empty()).map(Slug::parse).transpose();
        let quote = |quote: EditorQuote| catalogue::Quote { text: quote.text, chapter: quote.chapter };
        Ok(BookEdit {
            title,
            author,
            author_desc: self.author_desc.map(Option::unwrap_or_default),
            description: self.description.map(Option::unwrap_or_default),
            body: self.body.map(Option::unwrap_or_default),
            quotes: self.quotes.map(|given| given.unwrap_or_default().into_iter().map(quote).collect()),
            categories: categories.map(|given| given.into_iter().map(CategoryId::from_store).collect()),
            goals: goals.map(|given| given.into_iter().map(GoalId::from_store).collect()),
            tags: self.tags.map(Option::unwrap_or_default),
            free: self.free,
            is_popular: self.is_popular,
            coming_soon: self.coming_soon,
            published: self.published,
            publish_at: self.publish_at.map(|at| at.map(Timestamp::from_millis)),
            year: self.year,
            subid: subid.map_err(|error| ApiError::invalid("subid", error.to_string()))?,
            upload_date: self.upload_date.map(Timestamp::from_millis),
        })
    }

    /// Parses and validates a new book: title, author and categories are required.
    pub(crate) fn read_new(self) -> Result<BookEdit, ApiError> {
        let edit = self.read()?;
        for (field, label, is_there) in [
            ("title", "Title", edit.title.is_some()),
            ("author", "Author", edit.author.is_some()),
            ("categories", "Categories", edit.categories.is_some()),
        ] {
            if !is_there {
                return Err(missing(field, label));
            }
        }
        Ok(edit)
    }
}

/// A revision of a book.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct BookRevisionRow {
    /// The id of the revision.
    id: i64,
    /// The version of the book.
    version: i64,
    /// When it was saved, in milliseconds since the Unix epoch.
    at: i64,
    /// The name of the user who saved it; null if the account was deleted.
    #[schema(required)]
    by: Option<String>,
    /// The title.
    title: String,
    /// The number of words of the summary.
    words: u32,
    /// The names of the fields that differ from the previous revision.
    changed: Vec<String>,
}

impl From<&BookRevision> for BookRevisionRow {
    fn from(one: &BookRevision) -> Self {
        Self {
            id: one.revision.id,
            version: one.revision.version,
            at: one.revision.at.millis(),
            by: one.revision.by.clone(),
            title: one.written.title.clone(),
            words: catalogue::Body::from_html(&one.written.body).words(),
            changed: one.changed.clone(),
        }
    }
}

/// The revisions of a book.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct BookRevisionsResult {
    /// The revisions, latest first.
    pub(crate) revisions: Vec<BookRevisionRow>,
}

/// A revision with the content of the book.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct WholeRevision {
    #[serde(flatten)]
    row: BookRevisionRow,
    /// The content of the book in this revision.
    book: WrittenFields,
}

/// The result of a request for a revision.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct BookRevisionResult {
    /// The revision.
    revision: WholeRevision,
}

impl From<BookRevision> for BookRevisionResult {
    fn from(one: BookRevision) -> Self {
        let row = BookRevisionRow::from(&one);
        Self { revision: WholeRevision { row, book: one.written.into() } }
    }
}

/// The pagination cursor `next`: a book's id as text.
pub(crate) fn next_of(next: Option<BookId>) -> Option<String> {
    next.map(|id| id.to_string())
}
