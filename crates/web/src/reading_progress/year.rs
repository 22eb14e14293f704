//! `GET /api/user/years/{year}`, and its picture.

use actix_web::{HttpResponse, get, http::header, web::Data};
use identity::RateLimitBucket;
use kernel::Year;
use serde::Serialize;
use utoipa::ToSchema;
use workflows::{
    rate_limits,
    reading_progress::year::{ReaderYear, reader_year},
};

use crate::{
    app::App,
    catalogue::types::book::{BookCard, CategoryRef},
    extract::{Member, Path},
    http::{
        error::ApiError,
        openapi::{NotFound, TooManyTries},
        wire::Answer,
    },
};

/// A month in figures.
#[derive(Debug, Serialize, ToSchema)]
pub struct YearMonth {
    /// Its number, from 1 for January to 12.
    pub month: usize,
    /// The whole minutes of reading and listening.
    pub minutes: u32,
    /// The summaries that were completed for the first time.
    pub summaries: u32,
}

/// The completed summaries of one category.
#[derive(Debug, Serialize, ToSchema)]
pub struct YearCategory {
    /// The category.
    #[serde(flatten)]
    pub category: CategoryRef,
    /// The number of completed summaries.
    pub count: u32,
}

/// A summary that was completed in the year.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct YearBook {
    /// The book.
    #[serde(flatten)]
    pub book: BookCard,
    /// When it was completed for the first time, in milliseconds since the Unix epoch.
    pub completed_at: i64,
}

/// A year of reading.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct YearOfReading {
    /// The year.
    pub year: i16,
    /// The years that have a page, latest first: those in which the member read anything, this one and the present one.
    pub years: Vec<i16>,
    /// Whether the year has ended in the member's time zone.
    pub is_over: bool,
    /// The whole minutes of reading and listening; null: the member has switched off that they are counted, and none were.
    pub minutes: Option<u32>,
    /// The summaries that were completed for the first time.
    pub summaries: usize,
    /// The days with a completed summary or a minute of reading.
    pub reading_days: u32,
    /// The longest streak within the year, in days.
    pub best_streak: u32,
    /// The highlights that were made in the year.
    pub highlights: u32,
    /// The answers to review cards.
    pub answers: u32,
    /// From January to December.
    pub months: Vec<YearMonth>,
    /// The categories of the completed summaries, most first, up to five.
    pub categories: Vec<YearCategory>,
    /// The completed summaries, in that order.
    pub books: Vec<YearBook>,
}

impl From<ReaderYear> for YearOfReading {
    fn from(year: ReaderYear) -> Self {
        let figures = year.figures;
        let months = (1..).zip(figures.months).map(|(number, month)| YearMonth {
            month: number,
            minutes: month.minutes,
            summaries: month.summaries,
        });
        let categories =
            year.categories.iter().map(|(category, count)| YearCategory { category: category.into(), count: *count });
        Self {
            year: figures.year.number(),
            years: year.years.iter().map(|year| year.number()).collect(),
            is_over: figures.is_over,
            minutes: figures.minutes,
            summaries: figures.completed.len(),
            reading_days: figures.reading_days,
            best_streak: figures.best_streak,
            highlights: year.highlights,
            answers: year.answers,
            months: months.collect(),
            categories: categories.collect(),
            books: year
                .books
                .iter()
                .map(|(card, at)| YearBook { book: card.into(), completed_at: at.millis() })
                .collect(),
        }
    }
}

fn year_in_path(path: &Path<String>) -> Result<Year, ApiError> {
    let number = Some(path.as_str()).filter(|text| text.len() == 4).and_then(|text| text.parse::<u16>().ok());
    number.map(|number| Year::new(i64::from(number))).ok_or_else(|| ApiError::not_found("year"))
}

/// What the member has read in a year (`reading-progress.year-of-reading`).
#[utoipa::path(
    tag = "reading",
    params(("year" = i64, Path, description = "The year, from 2020 to the present one.", minimum = 2020, maximum = 9999)),
    responses((status = 200, description = "The year.", body = Answer<YearOfReading>), NotFound),
    security(("token" = []))
)]
#[get("/api/user/years/{year}")]
pub(super) async fn year_of_reading(
    app: Data<App>,
    Member(claims): Member,
    path: Path<String>,
) -> Result<Answer<YearOfReading>, ApiError> {
    let year = year_in_path(&path)?;
    let year = app.read_tx(move |tx| reader_year(tx, claims.user, year)).await?;
    Ok(Answer::new(year.into()))
}

/// A year of reading as a picture that can be shared: a PNG of 1200 by 1500 with its figures. Nothing in it says whose year it is.
/// There is none of a year in which nothing was read.
#[utoipa::path(
    tag = "reading",
    params(("year" = i64, Path, description = "The year, from 2020 to the present one.", minimum = 2020, maximum = 9999)),
    responses(
        (status = 200, description = "The picture.", content_type = "image/png", body = Vec<u8>),
        NotFound,
        TooManyTries
    ),
    security(("token" = []))
)]
#[get("/api/user/years/{year}/picture")]
pub(super) async fn picture_of_year(
    app: Data<App>,
    Member(claims): Member,
    path: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let year = year_in_path(&path)?;
    rate_limits::count(&app.transactions, RateLimitBucket::Picture, claims.user.to_string()).await?;
    let year = app.read_tx(move |tx| reader_year(tx, claims.user, year)).await?;
    if year.is_empty() {
        return Err(ApiError::not_found("year"));
    }
    let site = app.config.site.name.clone();
    let file = app.media.draw_unkept(move || year.svg(&site)).await?;
    Ok(HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, "image/png"))
        .insert_header((header::CACHE_CONTROL, "private, no-store"))
        .body(file))
}
