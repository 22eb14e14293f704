//! A year of reading, as a page and as a picture (`reading-progress.year-of-reading`).

use std::collections::{BTreeMap, BTreeSet};

use artwork::{MonthSpec, YearCardSpec, year_card};
use catalogue::{BookCard, CatalogueLists, CategoryName};
use kernel::{BookId, CategoryId, Timestamp, UserId, Year};
use reading_progress::{FIRST_YEAR, GoalQueries, YearOfReading};
use study::StudyQueries;

use crate::{error::ViewError, streak_days::review_days, tx::Tx};

/// The most categories that a year names.
const YEAR_CATEGORIES: usize = 5;

/// A reader's year.
#[derive(Debug)]
pub struct ReaderYear {
    pub figures: YearOfReading,
    /// The years that have a page, latest first: those in which the reader read anything, the present one and this one.
    pub years: Vec<Year>,
    /// How many highlights were made in the year and are not deleted.
    pub highlights: u32,
    /// How many review cards were answered in the year.
    pub answers: u32,
    /// The categories of the completed summaries, and how many there were, most first.
    pub categories: Vec<(CategoryName, u32)>,
    /// The completed summaries and when each was completed first, in that order.
    pub books: Vec<(BookCard, Timestamp)>,
}

/// Reads a year of the reader. [`ViewError::NotFound`] for years before [`FIRST_YEAR`] and those to come.
pub fn reader_year<A>(tx: &mut Tx<'_, '_, A>, reader: UserId, year: Year) -> Result<ReaderYear, ViewError> {
    let now = tx.now();
    let present = tx.pg.goal_state(reader, now)?.today.year();
    if year.number() < FIRST_YEAR || year > present {
        return Err(ViewError::NotFound("year"));
    }
    let other_days = review_days(tx, reader)?;
    let figures = tx.pg.year_of_reading(reader, year, &other_days, now)?;
    let answers = tx.pg.answer_days(reader)?;
    let answers = answers.iter().filter(|(day, _)| day.year() == year).map(|(_, count)| count).sum();
    let highlights = tx.pg.count_highlights(reader, figures.moments())?;
    let ids: Vec<BookId> = figures.completed.iter().map(|(book, _)| *book).collect();
    let mut cards = tx.pg.book_cards_by_id(&ids)?;
    let books: Vec<(BookCard, Timestamp)> =
        figures.completed.iter().filter_map(|(book, at)| Some((cards.remove(book)?, *at))).collect();
    let read = tx.pg.years_of_reading(reader)?;
    let years: BTreeSet<Year> = read.into_iter().chain([present, year]).collect();
    let has_page = |year: &Year| year.number() >= FIRST_YEAR && *year <= present;
    let years = years.into_iter().rev().filter(has_page).collect();
    Ok(ReaderYear { categories: categories_of(&books), figures, years, highlights, answers, books })
}

/// The categories of books, most books first, then by name.
fn categories_of(books: &[(BookCard, Timestamp)]) -> Vec<(CategoryName, u32)> {
    let mut counts: BTreeMap<CategoryId, (&CategoryName, u32)> = BTreeMap::new();
    for category in books.iter().flat_map(|(card, _)| &card.categories) {
        counts.entry(category.id).or_insert((category, 0)).1 += 1;
    }
    let mut counts: Vec<_> = counts.into_values().collect();
    counts.sort_by(|(a, a_count), (b, b_count)| b_count.cmp(a_count).then_with(|| a.name.cmp(&b.name)));
    counts.into_iter().take(YEAR_CATEGORIES).map(|(category, count)| (category.clone(), count)).collect()
}

impl ReaderYear {
    /// Whether there is anything to show of the year.
    pub fn is_empty(&self) -> bool {
        let YearOfReading { minutes, reading_days, completed, .. } = &self.figures;
        minutes.unwrap_or(0) == 0
            && *reading_days == 0
            && completed.is_empty()
            && self.highlights == 0
            && self.answers == 0
    }

    /// Draws it as an SVG document of 1080 by 1350. Nothing in it says whose year it is.
    pub fn svg(&self, site: &str) -> String {
        let year = self.figures.year.number().to_string();
        let figures = self.said_figures();
        let figures: Vec<(&str, &str)> = figures.iter().map(|(value, label)| (value.as_str(), *label)).collect();
        let has_time = self.figures.months.iter().any(|month| month.minutes > 0);
        let months = std::array::from_fn(|index| {
            let month = self.figures.months.get(index).copied().unwrap_or_default();
            MonthSpec { read: if has_time { month.minutes } else { month.summaries }, hue: self.hue_of(index) }
        });
        let categories: Vec<(&str, f64)> =
            self.named().map(|(category, _)| (category.name.as_str(), f64::from(category.hue))).collect();
        year_card(&YearCardSpec {
            year: &year,
            is_over: self.figures.is_over,
            figures: &figures,
            months: &months,
            categories: &categories,
            site,
        })
    }

    /// The categories that the picture names.
    fn named(&self) -> impl Iterator<Item = &(CategoryName, u32)> {
        self.categories.iter().take(3)
    }

    /// The hue of the named category of which most summaries were completed in a month, by its index from 0.
    fn hue_of(&self, month: usize) -> Option<f64> {
        let books = self.books.iter().filter(|(_, at)| self.figures.time_zone.day_of(*at).month().index() == month);
        let categories: Vec<CategoryId> =
            books.flat_map(|(card, _)| card.categories.iter().map(|category| category.id)).collect();
        let mut most: Option<(usize, f64)> = None;
        for (category, _) in self.named() {
            let count = categories.iter().filter(|id| **id == category.id).count();
            if count > most.map_or(0, |(most, _)| most) {
                most = Some((count, f64::from(category.hue)));
            }
        }
        most.map(|(_, hue)| hue)
    }

    /// The figures that are not 0, with their labels.
    fn said_figures(&self) -> Vec<(String, &'static str)> {
        let figures = &self.figures;
        let minutes = figures.minutes.unwrap_or(0);
        let summaries = u32::try_from(figures.completed.len()).unwrap_or(u32::MAX);
        let time = if minutes >= 120 { (minutes / 60, "hours", "hour") } else { (minutes, "minutes", "minute") };
        [
            (summaries, "summaries", "summary"),
            time,
            (figures.reading_days, "days of reading", "day of reading"),
            (if figures.best_streak > 1 { figures.best_streak } else { 0 }, "days in a row", ""),
            (self.highlights, "highlights", "highlight"),
            (self.answers, "cards reviewed", "card reviewed"),
        ]
        .into_iter()
        .filter(|(count, ..)| *count > 0)
        .map(|(count, many, one)| (with_separators(count), if count == 1 { one } else { many }))
        .collect()
    }
}

/// A number with a comma between its thousands.
fn with_separators(number: u32) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.char_indices() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
