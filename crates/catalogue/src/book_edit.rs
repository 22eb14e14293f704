//! Edits of a book: its fields, its publication moment, its author and its files; and which generated media an edit
//! makes out of date (`catalogue.edit-versions`).

use std::fmt::Write as _;

use kernel::{CategoryId, GoalId, Slug, Timestamp, one_line};
use serde::{Deserialize, Serialize};

use crate::{AuthorDraft, BookDraft, BookExtras, Category, Goal, Quote, slug_of};

/// An editor's changes to a book. A field that is `None` stays as it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BookEdit {
    pub title: Option<String>,
    /// The author's name. An unknown author is added.
    pub author: Option<String>,
    /// About the author.
    pub author_desc: Option<String>,
    /// What a reader learns from it.
    pub description: Option<String>,
    /// The summary, as HTML.
    pub body: Option<String>,
    /// Sentences worth quoting.
    pub quotes: Option<Vec<Quote>>,
    /// The categories, in their order.
    pub categories: Option<Vec<CategoryId>>,
    pub goals: Option<Vec<GoalId>>,
    /// The display names of its tags.
    pub tags: Option<Vec<String>>,
    /// Whether anyone may read it.
    pub free: Option<bool>,
    /// Marked as popular by an editor.
    pub is_popular: Option<bool>,
    /// Whether it is only announced.
    pub coming_soon: Option<bool>,
    /// Whether readers see it at all.
    pub published: Option<bool>,
    /// When it becomes readable; a past moment means now (`catalogue.publication-moment`). `Some(None)` clears the
    /// moment.
    pub publish_at: Option<Option<Timestamp>>,
    /// The year of the first publication.
    pub year: Option<Option<i32>>,
    /// The URL slug.
    pub subid: Option<Slug>,
    /// When it was added to the catalogue.
    pub upload_date: Option<Timestamp>,
}

/// Why an edit of a book is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BookEditError {
    #[error("the book would be in no category")]
    NoCategory,
    #[error("there is no such category")]
    UnknownCategory,
    #[error("there is no such goal")]
    UnknownGoal,
    #[error("the book would have no author")]
    NoAuthor,
    /// The author's name yields no URL slug.
    #[error("the author's name has no letter")]
    AuthorWithoutLetter,
}

impl BookEdit {
    /// Applies the edit to the stored draft `there`. Returns the changed draft, and the moment at which the book
    /// becomes readable. `categories` and `goals` are all that exist. The author and the files stay as they are.
    ///
    /// A `publish_at` that is not in the future publishes the book at once; a readable book has no such moment
    /// (`catalogue.publication-moment`).
    pub fn applied(
        &self,
        there: BookDraft,
        publish_at: Option<Timestamp>,
        (categories, goals): (&[Category], &[Goal]),
        now: Timestamp,
    ) -> Result<(BookDraft, Option<Timestamp>), BookEditError> {
        let edit = self.clone();
        let category = |id: &CategoryId| {
            let found = categories.iter().find(|one| one.id == *id);
            found.map(|one| one.draft.subid.clone()).ok_or(BookEditError::UnknownCategory)
        };
        let goal = |id: &GoalId| {
            let found = goals.iter().find(|one| one.id == *id);
            found.map(|one| one.draft.slug.clone()).ok_or(BookEditError::UnknownGoal)
        };
        let chosen_categories: Option<Vec<Slug>> =
            edit.categories.map(|ids| ids.iter().map(category).collect::<Result<_, _>>()).transpose()?;
        let chosen_goals: Option<Vec<Slug>> =
            edit.goals.map(|ids| ids.iter().map(goal).collect::<Result<_, _>>()).transpose()?;
        let mut draft = BookDraft {
            subid: edit.subid.unwrap_or(there.subid),
            title: edit.title.unwrap_or(there.title),
            description: edit.description.unwrap_or(there.description),
            body: edit.body.unwrap_or(there.body),
            quotes: edit.quotes.unwrap_or(there.quotes),
            year: edit.year.unwrap_or(there.year),
            categories: chosen_categories.unwrap_or(there.categories),
            goals: chosen_goals.unwrap_or(there.goals),
            tags: edit.tags.unwrap_or(there.tags),
            free: edit.free.unwrap_or(there.free),
            is_popular: edit.is_popular.unwrap_or(there.is_popular),
            coming_soon: edit.coming_soon.unwrap_or(there.coming_soon),
            published: edit.published.unwrap_or(there.published),
            upload_date: edit.upload_date.unwrap_or(there.upload_date),
            author: there.author,
            image: there.image,
            media: there.media,
            video: there.video,
        };
        if draft.categories.is_empty() {
            return Err(BookEditError::NoCategory);
        }
        let mut publish_at = edit.publish_at.unwrap_or(publish_at);
        if publish_at.is_some_and(|at| at <= now) {
            (draft.published, draft.coming_soon, publish_at) = (true, false, None);
        } else if draft.is_counted() {
            publish_at = None;
        }
        Ok((draft, publish_at))
    }

    /// The author's slug and name after the edit. `there` is the book's present author.
    pub fn author_name(&self, there: Option<&AuthorDraft>) -> Result<(Slug, String), BookEditError> {
        let name = self.author.as_deref().map(one_line).or_else(|| there.map(|one| one.name.clone()));
        let name = name.filter(|name| !name.is_empty()).ok_or(BookEditError::NoAuthor)?;
        let slug = match there {
            Some(same) if same.name == name => same.slug.clone(),
            _ => slug_of(&name).ok_or(BookEditError::AuthorWithoutLetter)?,
        };
        Ok((slug, name))
    }

    /// The author that [`Self::author_name`] names, with the edit's description. `found` is the stored author with this
    /// slug, whose name stays as it is.
    pub fn author(&self, (slug, name): (Slug, String), found: Option<AuthorDraft>) -> AuthorDraft {
        let author = found.unwrap_or(AuthorDraft { slug, name, sort_name: None, description: String::new() });
        AuthorDraft { description: self.author_desc.clone().unwrap_or(author.description), ..author }
    }
}

/// The content of a book as a revision stores it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrittenBook {
    /// The URL slug.
    pub subid: String,
    pub title: String,
    /// The author's name.
    pub author: String,
    /// About the author.
    pub author_desc: String,
    /// What a reader learns from it.
    pub description: String,
    /// The summary, as sanitized HTML.
    pub body: String,
    /// Sentences worth quoting: text and chapter.
    pub quotes: Vec<(String, String)>,
    /// Category ids.
    pub categories: Vec<i64>,
    /// Goal ids.
    pub goals: Vec<i64>,
    pub tags: Vec<String>,
    /// Whether anyone may read it.
    pub free: bool,
    /// Marked as popular by an editor.
    pub is_popular: bool,
    /// Whether it is only announced.
    pub coming_soon: bool,
    /// Whether readers see it at all.
    pub published: bool,
    /// When it becomes readable, in milliseconds since the Unix epoch.
    pub publish_at: Option<i64>,
    /// The year of the first publication.
    pub year: Option<i32>,
    /// When it was added to the catalogue, in milliseconds since the Unix epoch.
    pub upload_date: i64,
}

/// A field of a book before and after a change: its name on the wire, and both values as text for people. `None`: no
/// value.
pub type FieldTexts = (&'static str, Option<String>, Option<String>);

impl WrittenBook {
    /// The fields as text for people, by their names on the wire.
    fn fields(&self) -> [(&'static str, Option<String>); 17] {
        let flag = |flag: bool| Some(flag.to_string());
        let ids = |ids: &[i64]| Some(ids.iter().map(i64::to_string).collect::<Vec<_>>().join(", "));
        let quotes = self.quotes.iter().fold(String::new(), |mut text, (quote, chapter)| {
            let _ = writeln!(text, "{quote} ({chapter})");
            text
        });
        [
            ("title", Some(self.title.clone())),
            ("subid", Some(self.subid.clone())),
            ("author", Some(self.author.clone())),
            ("authorDesc", Some(self.author_desc.clone())),
            ("description", Some(self.description.clone())),
            ("body", Some(self.body.clone())),
            ("quotes", Some(quotes)),
            ("categories", ids(&self.categories)),
            ("goals", ids(&self.goals)),
            ("tags", Some(self.tags.join(", "))),
            ("free", flag(self.free)),
            ("isPopular", flag(self.is_popular)),
            ("comingSoon", flag(self.coming_soon)),
            ("published", flag(self.published)),
            ("publishAt", self.publish_at.map(|at| at.to_string())),
            ("year", self.year.map(|year| year.to_string())),
            ("uploadDate", Some(self.upload_date.to_string())),
        ]
    }

    /// The fields whose values differ in `after`, by their names on the wire.
    pub fn changes_to(&self, after: &Self) -> Vec<FieldTexts> {
        let pairs = self.fields().into_iter().zip(after.fields());
        pairs.filter(|((_, from), (_, to))| from != to).map(|((field, from), (_, to))| (field, from, to)).collect()
    }

    /// The edit that restores this content. Categories and goals that no longer exist are left out. Slug, access,
    /// publication and upload date stay as they are.
    pub fn into_edit(self, categories: &[Category], goals: &[Goal]) -> BookEdit {
        let chosen = self.categories.into_iter().map(CategoryId::from_store);
        let chosen_goals = self.goals.into_iter().map(GoalId::from_store);
        BookEdit {
            title: Some(self.title),
            author: Some(self.author),
            author_desc: Some(self.author_desc),
            description: Some(self.description),
            body: Some(self.body),
            quotes: Some(self.quotes.into_iter().map(|(text, chapter)| Quote { text, chapter }).collect()),
            categories: Some(chosen.filter(|id| categories.iter().any(|one| one.id == *id)).collect()),
            goals: Some(chosen_goals.filter(|id| goals.iter().any(|one| one.id == *id)).collect()),
            tags: Some(self.tags),
            year: Some(self.year),
            ..BookEdit::default()
        }
    }
}

/// Which part of a book was changed, as far as its generated media depend on it: infographic, audio and film.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookChange {
    /// The text or the metadata, but no name.
    Text,
    /// The title, the author's name or the book's slug, and perhaps other fields.
    Names,
    /// The key ideas or their pictures.
    KeyIdeas,
}

impl BookChange {
    /// The change between two states of a book; `None` when they are equal.
    pub fn between(before: &WrittenBook, after: &WrittenBook) -> Option<Self> {
        let names = |book: &WrittenBook| [&book.title, &book.author, &book.subid].map(String::clone);
        if before.changes_to(after).is_empty() {
            None
        } else if names(before) == names(after) {
            Some(Self::Text)
        } else {
            Some(Self::Names)
        }
    }

    /// Whether the infographic shows the changed part, and so is drawn again.
    pub const fn redraws_infographic(self) -> bool {
        matches!(self, Self::Names | Self::KeyIdeas)
    }

    /// Whether a book without a film gets its first one. An existing film is made again whenever its content changes.
    pub const fn makes_first_film(self) -> bool {
        matches!(self, Self::KeyIdeas)
    }
}

/// A file of a book, by its key in the object store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BookFile {
    /// The cover.
    Photo(String),
    /// The drawing.
    Vector(String),
    Infographic(String),
    Audio(String),
    /// The podcast episode about the book.
    Podcast(String),
    Video(String),
}

impl BookFile {
    /// The name of its field on the wire, and its key.
    pub const fn field(&self) -> (&'static str, &String) {
        match self {
            Self::Photo(key) => ("image", key),
            Self::Vector(key) => ("vector", key),
            Self::Infographic(key) => ("infographicUrl", key),
            Self::Audio(key) => ("mediaUrl", key),
            Self::Podcast(key) => ("podcastUrl", key),
            Self::Video(key) => ("video", key),
        }
    }

    /// The key of the book's present file of the same kind.
    pub fn there<'a>(&self, draft: &'a BookDraft, extras: &'a BookExtras) -> Option<&'a str> {
        let key = match self {
            Self::Photo(_) => &draft.image,
            Self::Audio(_) => &draft.media,
            Self::Video(_) => &draft.video,
            Self::Vector(_) => &extras.vector,
            Self::Infographic(_) => &extras.infographic,
            Self::Podcast(_) => &extras.podcast,
        };
        key.as_deref()
    }

    /// Sets the file on a book, in the draft or the extras.
    pub fn put(&self, draft: &mut BookDraft, extras: &mut BookExtras) {
        let (place, key) = match self {
            Self::Photo(key) => (&mut draft.image, key),
            Self::Audio(key) => (&mut draft.media, key),
            Self::Video(key) => (&mut draft.video, key),
            Self::Vector(key) => (&mut extras.vector, key),
            Self::Infographic(key) => (&mut extras.infographic, key),
            Self::Podcast(key) => (&mut extras.podcast, key),
        };
        *place = Some(key.clone());
    }
}

#[cfg(test)]
mod tests;
