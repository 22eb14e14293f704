//! Business figures (`admin.business-figures`).

use crate::{
    admin::stats_types::{BookStats, Stats, StatsParams},
    app::App,
    extract::{Admin, Path, Query},
    http::{error::ApiError, openapi::NotFound, wire::Answer},
};
use actix_web::{get, web::Data};
use admin::{StatsCommands, StatsQueries, is_today_stale};
use config::Profile;
use kernel::{BookId, StoreError};

/// Members, subscriptions, money and reading of a range of days, beside as many days before it. Today is counted when it was
/// not counted within the last minute.
#[utoipa::path(tag = "admin", params(StatsParams), responses((status = 200, description = "The figures.", body = Answer<Stats>)), security(("token" = [])))]
#[get("/api/admin/stats")]
pub(crate) async fn business_stats(
    app: Data<App>,
    _: Admin,
    params: Query<StatsParams>,
) -> Result<Answer<Stats>, ApiError> {
    let now = app.env.now();
    let range = params.read(now)?;
    // Reading takes no transaction that writes, unless today has to be counted.
    if is_today_stale(app.db.read::<_, StoreError, _>(|pg| pg.last_count()).await?, now) {
        app.db.write::<_, StoreError, _>(move |pg| pg.count_today(now)).await?;
    }
    let is_demo = app.config.profile == Profile::Demo;
    let stats = app.db.read_from_replica::<_, StoreError, _>(move |pg| Stats::read(pg, range, is_demo)).await?;
    Ok(Answer::new(stats))
}

/// How far the readers of a book have come whose place changed in a range of days.
#[utoipa::path(
    tag = "admin",
    params(("bookId" = i64, Path, description = "The id of a book.", minimum = 1), StatsParams),
    responses((status = 200, description = "The readers.", body = Answer<BookStats>), NotFound),
    security(("token" = []))
)]
#[get("/api/admin/stats/books/{bookId}")]
pub(crate) async fn book_stats(
    app: Data<App>,
    _: Admin,
    book: Path<String>,
    params: Query<StatsParams>,
) -> Result<Answer<BookStats>, ApiError> {
    let unknown = || ApiError::not_found("book");
    let book: BookId = book.parse().map_err(|_| unknown())?;
    let range = params.read(app.env.now())?;
    let readers = app.db.read_from_replica::<_, StoreError, _>(move |pg| pg.book_readers(book, range)).await?;
    Ok(Answer::new(BookStats::new(book, readers.ok_or_else(unknown)?)))
}
