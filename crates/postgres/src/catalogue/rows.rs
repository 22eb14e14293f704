//! Rows of books, and their conversion.

use catalogue::{AuthorName, Book, BookCard, BookCursor, CategoryName, GoalName, Quote, Ratings, Sort};
use chrono::{DateTime, Utc};
use diesel::{
    Queryable,
    sql_types::{Array, BigInt, Bool, Double, Integer, Nullable, SmallInt, Text, Timestamptz},
};
use kernel::{BookId, CategoryId, GoalId, Slug, StoreError};
use serde::{Deserialize, Serialize};

use crate::time::from_db;

/// The columns of a card, of `books b` and `book_stats s`; read as a [`CardRow`].
macro_rules! card_columns {
    () => {
        "b.id, b.subid, b.title, b.title_key, b.image, b.description, b.shown, b.free, b.coming_soon, b.is_popular, \
         b.upload_date, b.media, b.video, b.visuals, b.words, s.read_count, s.ratings_count, s.ratings_sum, s.trending"
    };
}
pub(crate) use card_columns;

/// The types of [`card_columns`].
pub(crate) type CardTypes = (
    BigInt,
    Text,
    Text,
    Text,
    Nullable<Text>,
    Text,
    Text,
    Bool,
    Bool,
    Bool,
    Timestamptz,
    Nullable<Text>,
    Nullable<Text>,
    SmallInt,
    Integer,
    BigInt,
    BigInt,
    BigInt,
    Double,
);

/// The row of a book's card, which lists show.
#[derive(Debug, Queryable)]
pub(crate) struct CardRow {
    id: i64,
    subid: String,
    title: String,
    title_key: String,
    image: Option<String>,
    description: String,
    shown: String,
    free: bool,
    coming_soon: bool,
    is_popular: bool,
    upload_date: DateTime<Utc>,
    media: Option<String>,
    video: Option<String>,
    visuals: i16,
    words: i32,
    read_count: i64,
    ratings_count: i64,
    ratings_sum: i64,
    trending: f64,
}

/// The columns of a book besides its card, of `books b` and `authors a`; read as a [`BookRow`].
macro_rules! book_columns {
    () => {
        "a.description, b.quotes::text, b.body, b.truncated_body, b.section_titles, \
         (SELECT n.duration_ms FROM narrations n WHERE n.book_id = b.id AND n.media = b.media), b.podcast, b.vector, b.updated_at"
    };
}
pub(crate) use book_columns;

/// The types of [`book_columns`].
pub(crate) type BookTypes =
    (Text, Text, Text, Text, Array<Text>, Nullable<BigInt>, Nullable<Text>, Nullable<Text>, Timestamptz);

/// What only a book's page shows: about the author, quotes, body, preview, headings, the length of the audio, the keys of the
/// podcast and the vector drawing, and when the book was saved.
pub(crate) type BookRow =
    (String, String, String, String, Vec<String>, Option<i64>, Option<String>, Option<String>, DateTime<Utc>);

/// The column `shown`: the names that are copied into a book's row, to save joins.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ShownNames {
    pub(super) author: ShownName,
    pub(super) categories: Vec<ShownCategory>,
    pub(super) goals: Vec<ShownGoal>,
    pub(super) tags: Vec<String>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ShownName {
    pub(super) slug: String,
    pub(super) name: String,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ShownCategory {
    pub(super) id: i64,
    pub(super) subid: String,
    pub(super) name: String,
    pub(super) hue: u16,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ShownGoal {
    pub(super) id: i64,
    pub(super) title: String,
}

impl CardRow {
    /// The cursor of this row in a list.
    pub(super) fn key(&self, sort: Sort) -> BookCursor {
        let id = BookId::from_store(self.id);
        match sort {
            Sort::New | Sort::Audio | Sort::Video | Sort::Chosen => {
                BookCursor::Date { at: from_db(self.upload_date), id }
            }
            Sort::Title => BookCursor::Title { key: self.title_key.clone(), id },
            Sort::Trending => BookCursor::Trending { trending: self.trending, is_popular: self.is_popular, id },
        }
    }

    /// The card, and the goals in the row's column `shown`.
    pub(super) fn into_card(self) -> Result<(BookCard, Vec<GoalName>), StoreError> {
        let shown: ShownNames = serde_json::from_str(&self.shown).map_err(StoreError::new)?;
        let card = BookCard {
            id: BookId::from_store(self.id),
            subid: slug(&self.subid)?,
            title: self.title,
            author: AuthorName { slug: slug(&shown.author.slug)?, name: shown.author.name },
            image: self.image,
            description: self.description,
            categories: shown
                .categories
                .into_iter()
                .map(|category| {
                    Ok(CategoryName {
                        id: CategoryId::from_store(category.id),
                        subid: slug(&category.subid)?,
                        name: category.name,
                        hue: category.hue,
                    })
                })
                .collect::<Result<_, StoreError>>()?,
            tags: shown.tags,
            free: self.free,
            coming_soon: self.coming_soon,
            is_popular: self.is_popular,
            upload_date: from_db(self.upload_date),
            media: self.media,
            video: self.video,
            visuals: u16::try_from(self.visuals).unwrap_or(0),
            read_count: count(self.read_count),
            words: u32::try_from(self.words).unwrap_or(0),
            ratings: Ratings { count: count(self.ratings_count), sum: count(self.ratings_sum) },
        };
        let goals = shown
            .goals
            .into_iter()
            .map(|goal| GoalName { id: GoalId::from_store(goal.id), title: goal.title })
            .collect();
        Ok((card, goals))
    }
}

/// Builds a book from its two rows.
pub(crate) fn book(card: CardRow, rest: BookRow) -> Result<Book, StoreError> {
    let (author_description, stored_quotes, body, truncated_body, sections, audio, podcast, vector, updated_at) = rest;
    let (card, goals) = card.into_card()?;
    Ok(Book {
        card,
        author_description,
        quotes: quotes(&stored_quotes)?,
        goals,
        body,
        truncated_body,
        sections,
        audio_ms: audio.map(i64::unsigned_abs),
        podcast,
        vector,
        updated_at: from_db(updated_at),
    })
}

/// Parses the column `quotes`.
pub(super) fn quotes(text: &str) -> Result<Vec<Quote>, StoreError> {
    serde_json::from_str(text).map_err(StoreError::new)
}

/// A stored slug. Fails if it is invalid, although it was checked before it was stored.
pub(super) fn slug(text: &str) -> Result<Slug, StoreError> {
    Slug::parse(text).map_err(StoreError::new)
}

/// A count, which a constraint keeps from falling below zero.
pub(super) fn count(value: i64) -> u64 {
    u64::try_from(value).unwrap_or(0)
}
