//! Goals, categories, collections, posts, episodes and insights on the wire, as editors see them. Times are milliseconds since
//! the Unix epoch.

use admin::RowVersion;
use catalogue::{BookName, Category, Collection, Goal};
use editorial::{Insight, Podcast, Post};
use http_core::error::ApiError;
use kernel::{BookId, CategoryId, Slug, Timestamp};
use media::Media;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use workflows::editing::rows::{CategoryEdit, CollectionEdit, GoalEdit, InsightEdit, PodcastEdit, PostEdit, Versioned};

/// Which version a row has.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Version {
    /// The number.
    version: i64,
    /// When a person saved it last; null when none has.
    #[schema(required)]
    updated_at: Option<i64>,
    /// Who did.
    #[schema(required)]
    updated_by: Option<String>,
}

impl From<RowVersion> for Version {
    fn from(version: RowVersion) -> Self {
        Self { version: version.number, updated_at: version.at.map(Timestamp::millis), updated_by: version.by }
    }
}

/// A required text: refused when it is there and blank, and when a new row has none.
pub(super) fn required(field: &'static str, label: &str, text: Option<&str>, is_new: bool) -> Result<(), ApiError> {
    match text {
        None if !is_new => Ok(()),
        Some(text) if !text.trim().is_empty() => Ok(()),
        _ => Err(ApiError::invalid(field, format!("Please specify {label}."))),
    }
}

/// A goal.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct EditorGoal {
    /// Its id.
    id: i64,
    /// Its name in addresses.
    slug: String,
    /// The title.
    title: String,
    /// The title where there is little room.
    short_title: String,
    /// The title on a phone.
    mobile_title: String,
    /// What it is about.
    desc: String,
    /// The address of its small picture.
    #[schema(required)]
    photo: Option<String>,
    /// The address of its large picture.
    #[schema(required)]
    photov2: Option<String>,
    /// Where it stands among the others.
    place: i32,
    #[serde(flatten)]
    version: Version,
}

impl From<Versioned<Goal>> for EditorGoal {
    fn from(Versioned { row, version }: Versioned<Goal>) -> Self {
        let draft = row.draft;
        Self {
            id: row.id.get(),
            slug: draft.slug.to_string(),
            title: draft.title,
            short_title: draft.short_title,
            mobile_title: draft.mobile_title,
            desc: draft.description,
            photo: row.pictures.photo.as_deref().map(Media::url),
            photov2: row.pictures.feature_photo.as_deref().map(Media::url),
            place: draft.place,
            version: version.into(),
        }
    }
}

/// All goals.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct EditorGoalsResult {
    /// In their order.
    pub(super) goals: Vec<EditorGoal>,
}

/// A goal.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct EditorGoalResult {
    /// The goal.
    pub(super) goal: EditorGoal,
}

/// What an editor writes about a goal. What is left out stays as it is.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct GoalForm {
    /// The version that the editor has read. Another one saved meanwhile is a `409`.
    #[schema(minimum = 1)]
    pub(super) version: Option<i64>,
    /// The title.
    title: Option<String>,
    /// The title where there is little room.
    short_title: Option<String>,
    /// The title on a phone.
    mobile_title: Option<String>,
    /// What it is about.
    desc: Option<String>,
    /// Where it stands among the others.
    place: Option<i32>,
}

impl GoalForm {
    /// Reads the fields, in their order on the form (`admin.first-failure`).
    pub(super) fn read(self, is_new: bool) -> Result<GoalEdit, ApiError> {
        required("title", "Title", self.title.as_deref(), is_new)?;
        required("shortTitle", "Short Title", self.short_title.as_deref(), is_new)?;
        if !is_new {
            required("mobileTitle", "Mobile Title", self.mobile_title.as_deref(), false)?;
        }
        Ok(GoalEdit {
            title: self.title,
            short_title: self.short_title,
            mobile_title: self.mobile_title,
            description: self.desc,
            place: self.place,
        })
    }
}

/// All rows of a kind, in an order.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub(super) struct OrderForm {
    /// The ids of all, each once.
    ids: Vec<i64>,
}

impl OrderForm {
    /// Reads the ids.
    pub(super) fn read<Id: std::str::FromStr>(&self) -> Result<Vec<Id>, ApiError> {
        let id = |id: &i64| id.to_string().parse().map_err(|_| ApiError::invalid("ids", "An id is a positive number."));
        self.ids.iter().map(id).collect()
    }
}

/// A category.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct EditorCategory {
    /// Its id.
    id: i64,
    /// Its name in addresses.
    subid: String,
    /// The name.
    name: String,
    /// The hue that it owns, in degrees.
    hue: u16,
    /// The address of its picture.
    #[serde(rename = "small_image")]
    #[schema(required)]
    small_image: Option<String>,
    /// Where it stands among the others.
    place: i32,
    /// How many books that can be read it has.
    book_count: u64,
    #[serde(flatten)]
    version: Version,
}

impl From<Versioned<Category>> for EditorCategory {
    fn from(Versioned { row, version }: Versioned<Category>) -> Self {
        let draft = row.draft;
        Self {
            id: row.id.get(),
            subid: draft.subid.to_string(),
            name: draft.name,
            hue: draft.hue,
            small_image: draft.small_image.as_deref().map(Media::url),
            place: draft.place,
            book_count: row.book_count,
            version: version.into(),
        }
    }
}

/// All categories.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct EditorCategoriesResult {
    /// In their order.
    pub(super) categories: Vec<EditorCategory>,
}

/// A category.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct EditorCategoryResult {
    /// The category.
    pub(super) category: EditorCategory,
}

/// What an editor writes about a category. What is left out stays as it is.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub(super) struct CategoryForm {
    /// The version that the editor has read. Another one saved meanwhile is a `409`.
    #[schema(minimum = 1)]
    pub(super) version: Option<i64>,
    /// The name.
    name: Option<String>,
    /// The hue that it owns, in degrees.
    #[schema(minimum = 0, maximum = 359)]
    hue: Option<u16>,
    /// Where it stands among the others.
    place: Option<i32>,
}

impl CategoryForm {
    /// Reads the fields.
    pub(super) fn read(self, is_new: bool) -> Result<CategoryEdit, ApiError> {
        required("name", "Name", self.name.as_deref(), is_new)?;
        Ok(CategoryEdit { name: self.name, hue: self.hue, place: self.place })
    }
}

/// A collection.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct EditorCollection {
    /// Its id.
    id: i64,
    /// The title.
    title: String,
    /// A line below the title.
    subtitle: String,
    /// The address of its picture.
    #[schema(required)]
    image: Option<String>,
    /// When it came into the catalogue.
    upload_date: i64,
    /// The ids of its categories, joined by commas.
    categories: String,
    /// Its chosen books, in their order; one without any holds the books of its categories.
    books: Vec<ChosenBook>,
    #[serde(flatten)]
    version: Version,
}

/// A book that was chosen for a collection.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct ChosenBook {
    /// Its id.
    id: i64,
    /// Its title.
    title: String,
    /// The author's name.
    author: String,
}

impl EditorCollection {
    /// A collection, with the categories of the catalogue and the names of the chosen books.
    pub(super) fn of(Versioned { row, version }: Versioned<Collection>, all: &[Category], names: &[BookName]) -> Self {
        let chosen = |subid: &Slug| {
            let book = names.iter().find(|book| book.subid == *subid)?;
            Some(ChosenBook { id: book.id.get(), title: book.title.clone(), author: book.author.clone() })
        };
        let of_subid = |subid: &Slug| all.iter().find(|one| one.draft.subid == *subid).map(|one| one.id.to_string());
        let draft = row.draft;
        Self {
            id: row.id.get(),
            title: draft.title,
            subtitle: draft.subtitle,
            image: draft.image.as_deref().map(Media::url),
            upload_date: draft.upload_date.millis(),
            categories: draft.categories.iter().filter_map(of_subid).collect::<Vec<_>>().join(","),
            books: draft.books.iter().filter_map(chosen).collect(),
            version: version.into(),
        }
    }
}

/// All collections: not within `result`, as the documents have it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct CollectionsAnswer {
    /// Always `ok`.
    #[schema(pattern = "^ok$")]
    pub(super) status: &'static str,
    /// By their titles.
    pub(super) results: Vec<EditorCollection>,
}

/// A collection: not within `result`, as the documents have it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct CollectionAnswer {
    /// Always `ok`.
    #[schema(pattern = "^ok$")]
    pub(super) status: &'static str,
    /// The collection.
    pub(super) collection: EditorCollection,
}

/// Ids as a list, or joined by commas.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(untagged)]
enum Ids {
    List(Vec<i64>),
    Joined(String),
}

/// What an editor writes about a collection. What is left out stays as it is.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub(super) struct CollectionForm {
    /// The version that the editor has read. Another one saved meanwhile is a `409`.
    #[schema(minimum = 1)]
    pub(super) version: Option<i64>,
    /// The title.
    title: Option<String>,
    /// A line below the title.
    subtitle: Option<String>,
    /// The ids of its categories, as a list or joined by commas.
    categories: Option<Ids>,
    /// The ids of its chosen books, in their order. Empty for none: it holds the books of its categories then.
    #[schema(max_items = 500)]
    books: Option<Vec<i64>>,
}

/// How many books can be chosen for a collection.
const MOST_BOOKS: usize = 500;

impl CollectionForm {
    /// Reads the fields.
    pub(super) fn read(self, is_new: bool) -> Result<CollectionEdit, ApiError> {
        required("title", "Title", self.title.as_deref(), is_new)?;
        let invalid = |_| ApiError::invalid("categories", "An id is a positive number.");
        let categories = match self.categories {
            None => None,
            Some(Ids::List(ids)) => {
                Some(ids.into_iter().map(CategoryId::new).collect::<Result<Vec<_>, _>>().map_err(invalid)?)
            }
            Some(Ids::Joined(text)) => {
                let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
                Some(parts.map(str::parse).collect::<Result<Vec<CategoryId>, _>>().map_err(invalid)?)
            }
        };
        let invalid = |_| ApiError::invalid("books", "An id is a positive number.");
        let books = self.books.map(|ids| ids.into_iter().map(BookId::new).collect::<Result<Vec<_>, _>>());
        let books = books.transpose().map_err(invalid)?;
        if books.as_ref().is_some_and(|books| books.len() > MOST_BOOKS) {
            return Err(ApiError::invalid("books", "A collection has at most 500 chosen books."));
        }
        Ok(CollectionEdit { title: self.title, subtitle: self.subtitle, categories, books })
    }
}

/// A post.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct EditorPost {
    /// Its id.
    id: i64,
    /// Its name in addresses.
    slug: String,
    /// The title.
    title: String,
    /// A line or two below it.
    description: String,
    /// The address of its picture.
    #[schema(required)]
    photo: Option<String>,
    /// The names of its categories.
    categories: Vec<String>,
    /// The text, as clean HTML.
    text: String,
    /// Who wrote it.
    author: String,
    /// The book that it goes with, by its name in addresses.
    #[schema(required)]
    book: Option<String>,
    /// When it came out.
    create_date: i64,
    #[serde(flatten)]
    version: Version,
}

impl From<Versioned<Post>> for EditorPost {
    fn from(Versioned { row, version }: Versioned<Post>) -> Self {
        let card = row.card;
        Self {
            id: card.id.get(),
            slug: card.slug.to_string(),
            title: card.title,
            description: card.description,
            photo: card.photo.as_deref().map(Media::url),
            categories: card.categories.into_iter().map(|one| one.name).collect(),
            text: row.text,
            author: card.author,
            book: row.book.map(|book| book.to_string()),
            create_date: card.published_at.millis(),
            version: version.into(),
        }
    }
}

/// All posts.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct EditorPostsResult {
    /// Newest first.
    pub(super) posts: Vec<EditorPost>,
}

/// A post.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct EditorPostResult {
    /// The post.
    pub(super) post: EditorPost,
}

/// What an editor writes about a post. What is left out stays as it is.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub(super) struct PostForm {
    /// The post, where the path names none.
    #[schema(minimum = 1)]
    pub(super) id: Option<i64>,
    /// The version that the editor has read. Another one saved meanwhile is a `409`.
    #[schema(minimum = 1)]
    pub(super) version: Option<i64>,
    /// The title.
    title: Option<String>,
    /// A line or two below it.
    description: Option<String>,
    /// The names of its categories.
    categories: Option<Vec<String>>,
    /// The text, as HTML, which is cleaned.
    text: Option<String>,
    /// Who wrote it.
    author: Option<String>,
}

impl PostForm {
    /// Reads the fields, in their order on the form (`admin.first-failure`).
    pub(super) fn read(self, is_new: bool) -> Result<PostEdit, ApiError> {
        required("title", "Title", self.title.as_deref(), is_new)?;
        required("description", "Description", self.description.as_deref(), is_new)?;
        if self.categories.as_ref().map_or(is_new, Vec::is_empty) {
            return Err(ApiError::invalid("categories", "Please specify Categories."));
        }
        required("text", "Text", self.text.as_deref(), is_new)?;
        Ok(PostEdit {
            title: self.title,
            description: self.description,
            categories: self.categories,
            text: self.text,
            author: self.author,
        })
    }
}

/// An episode.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct EditorPodcast {
    /// Its id.
    id: i64,
    /// Its name in addresses.
    slug: String,
    /// The title.
    title: String,
    /// The address of its picture.
    #[schema(required)]
    image: Option<String>,
    /// Who speaks.
    author: String,
    /// Who that is.
    author_desc: String,
    /// What the episode is about.
    description: String,
    /// What is spoken, as clean HTML.
    script: String,
    /// How many minutes it takes.
    mins: u64,
    /// The address of its recording.
    #[schema(required)]
    media_url: Option<String>,
    /// When it came out.
    published_at: i64,
    #[serde(flatten)]
    version: Version,
}

impl From<Versioned<Podcast>> for EditorPodcast {
    fn from(Versioned { row, version }: Versioned<Podcast>) -> Self {
        let mins = row.card.minutes();
        let card = row.card;
        Self {
            id: card.id.get(),
            slug: card.slug.to_string(),
            title: card.title,
            image: card.image.as_deref().map(Media::url),
            author: card.author,
            author_desc: card.author_desc,
            description: card.description,
            script: row.script,
            mins,
            media_url: card.recording.as_ref().map(|recording| Media::url(&recording.key)),
            published_at: card.published_at.millis(),
            version: version.into(),
        }
    }
}

/// All episodes.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct EditorPodcastsResult {
    /// Newest first.
    pub(super) podcasts: Vec<EditorPodcast>,
}

/// An episode.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct EditorPodcastResult {
    /// The episode.
    pub(super) podcast: EditorPodcast,
}

/// What an editor writes about an episode. What is left out stays as it is.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PodcastForm {
    /// The version that the editor has read. Another one saved meanwhile is a `409`.
    #[schema(minimum = 1)]
    pub(super) version: Option<i64>,
    /// The title.
    title: Option<String>,
    /// Who speaks.
    author: Option<String>,
    /// Who that is.
    author_desc: Option<String>,
    /// What the episode is about.
    description: Option<String>,
    /// What is spoken, as HTML, which is cleaned.
    script: Option<String>,
}

impl PodcastForm {
    /// Reads the fields, in their order on the form (`admin.first-failure`).
    pub(super) fn read(self, is_new: bool) -> Result<PodcastEdit, ApiError> {
        required("title", "Title", self.title.as_deref(), is_new)?;
        required("author", "Author", self.author.as_deref(), is_new)?;
        if is_new {
            required("authorDesc", "Author Description", self.author_desc.as_deref(), true)?;
            required("description", "Description", self.description.as_deref(), true)?;
        }
        Ok(PodcastEdit {
            title: self.title,
            author: self.author,
            author_desc: self.author_desc,
            description: self.description,
            script: self.script,
        })
    }
}

/// A thought in the list.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct EditorInsightRow {
    /// Its id.
    id: i64,
    /// A few words.
    title: String,
    /// When it was added.
    create_date: i64,
}

impl From<Versioned<Insight>> for EditorInsightRow {
    fn from(Versioned { row, .. }: Versioned<Insight>) -> Self {
        Self { id: row.id.get(), title: row.draft.title, create_date: row.created_at.millis() }
    }
}

/// A thought for a day.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct EditorInsight {
    #[serde(flatten)]
    row: EditorInsightRow,
    /// The thought.
    insight: String,
    /// The book that it is from or about, by its name in addresses.
    #[schema(required)]
    book_id: Option<String>,
    /// Whether it is a quotation.
    quoted: bool,
    #[serde(flatten)]
    version: Version,
}

/// A thought for a day.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct EditorInsightResult {
    /// The thought.
    insight: EditorInsight,
}

impl From<Versioned<Insight>> for EditorInsightResult {
    fn from(one: Versioned<Insight>) -> Self {
        let (draft, version) = (one.row.draft.clone(), one.version.clone());
        let insight = EditorInsight {
            row: one.into(),
            insight: draft.insight,
            book_id: draft.book.map(|book| book.to_string()),
            quoted: draft.quoted,
            version: version.into(),
        };
        Self { insight }
    }
}

/// What an editor writes about a thought. What is left out stays as it is.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct InsightForm {
    /// The thought, where the path names none.
    #[schema(minimum = 1)]
    pub(super) id: Option<i64>,
    /// The version that the editor has read. Another one saved meanwhile is a `409`.
    #[schema(minimum = 1)]
    pub(super) version: Option<i64>,
    /// A few words; the first words of the thought when it is added without.
    title: Option<String>,
    /// The thought.
    insight: Option<String>,
    /// The book that it is from or about, by its name in addresses.
    book_id: Option<String>,
    /// Whether it is a quotation.
    quoted: Option<bool>,
}

impl InsightForm {
    /// Reads the fields, in their order on the form (`admin.first-failure`).
    pub(super) fn read(self, is_new: bool) -> Result<InsightEdit, ApiError> {
        required("insight", "Quote", self.insight.as_deref(), is_new)?;
        required("bookId", "Book", self.book_id.as_deref(), is_new)?;
        let unknown = |_| ApiError::invalid("bookId", "There is no such book.");
        let book = self.book_id.as_deref().map(str::trim).map(Slug::parse).transpose().map_err(unknown)?;
        Ok(InsightEdit { title: self.title, insight: self.insight, book, quoted: self.quoted })
    }
}
