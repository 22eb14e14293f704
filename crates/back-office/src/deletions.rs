//! Deleting books, and the rows of the catalogue and the editorial part that are smaller (`catalogue.names-merged`).

use actix_web::{delete, web::Data};
use http_core::{
    app::App,
    error::ApiError,
    extract::Path,
    openapi::{Conflict, NotFound},
    wire::{Answer, Nothing},
};
use kernel::{BookId, CategoryId, CollectionId, GoalId, InsightId, PodcastId, PostId};
use workflows::editing::deletions;

use super::{
    acting::ActingEditor,
    rows::{number, run},
};

/// Deletes a book, unless a member has opened, kept, planned, rated or bought it: such a book stays for its readers.
#[utoipa::path(tag = "admin", params(("bookId" = i64, Path, description = "Its id.", minimum = 1)), responses((status = 200, description = "It is gone.", body = Answer<Nothing>), NotFound, Conflict), security(("token" = [])))]
#[delete("/api/admin/books/{bookId}")]
pub(super) async fn remove_book(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
) -> Result<Answer<Nothing>, ApiError> {
    let id: BookId = number(&id, "book")?;
    run(&app, acting, move |tx, trail| deletions::delete_book(tx, trail, id)).await?;
    Ok(Answer::new(Nothing {}))
}

/// Deletes a category, also from its books; unless a book stands in no other one.
#[utoipa::path(tag = "admin", params(("id" = i64, Path, description = "Its id.", minimum = 1)), responses((status = 200, description = "It is gone.", body = Answer<Nothing>), NotFound, Conflict), security(("token" = [])))]
#[delete("/api/admin/categories/{id}")]
pub(super) async fn remove_category(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
) -> Result<Answer<Nothing>, ApiError> {
    let id: CategoryId = number(&id, "category")?;
    run(&app, acting, move |tx, trail| deletions::delete_category(tx, trail, id)).await?;
    Ok(Answer::new(Nothing {}))
}

/// Deletes a goal, also from its books and from what members chose.
#[utoipa::path(tag = "admin", params(("id" = i64, Path, description = "Its id.", minimum = 1)), responses((status = 200, description = "It is gone.", body = Answer<Nothing>), NotFound, Conflict), security(("token" = [])))]
#[delete("/api/admin/goals/{id}")]
pub(super) async fn remove_goal(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
) -> Result<Answer<Nothing>, ApiError> {
    let id: GoalId = number(&id, "goal")?;
    run(&app, acting, move |tx, trail| deletions::delete_goal(tx, trail, id)).await?;
    Ok(Answer::new(Nothing {}))
}

/// Deletes a collection. Its books stay.
#[utoipa::path(tag = "admin", params(("id" = i64, Path, description = "Its id.", minimum = 1)), responses((status = 200, description = "It is gone.", body = Answer<Nothing>), NotFound, Conflict), security(("token" = [])))]
#[delete("/api/admin/collections/detail/{id}")]
pub(super) async fn remove_collection(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
) -> Result<Answer<Nothing>, ApiError> {
    let id: CollectionId = number(&id, "collection")?;
    run(&app, acting, move |tx, trail| deletions::delete_collection(tx, trail, id)).await?;
    Ok(Answer::new(Nothing {}))
}

/// Deletes a post of the blog.
#[utoipa::path(tag = "admin", params(("postId" = i64, Path, description = "Its id.", minimum = 1)), responses((status = 200, description = "It is gone.", body = Answer<Nothing>), NotFound, Conflict), security(("token" = [])))]
#[delete("/api/admin/blog/{postId}")]
pub(super) async fn remove_post(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
) -> Result<Answer<Nothing>, ApiError> {
    let id: PostId = number(&id, "post")?;
    run(&app, acting, move |tx, trail| deletions::delete_post(tx, trail, id)).await?;
    Ok(Answer::new(Nothing {}))
}

/// Deletes an episode of the podcast, with its recording.
#[utoipa::path(tag = "admin", params(("id" = i64, Path, description = "Its id.", minimum = 1)), responses((status = 200, description = "It is gone.", body = Answer<Nothing>), NotFound, Conflict), security(("token" = [])))]
#[delete("/api/admin/podcasts/{id}")]
pub(super) async fn remove_podcast(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
) -> Result<Answer<Nothing>, ApiError> {
    let id: PodcastId = number(&id, "podcast")?;
    run(&app, acting, move |tx, trail| deletions::delete_podcast(tx, trail, id)).await?;
    Ok(Answer::new(Nothing {}))
}

/// Deletes a thought for a day.
#[utoipa::path(tag = "admin", params(("id" = i64, Path, description = "Its id.", minimum = 1)), responses((status = 200, description = "It is gone.", body = Answer<Nothing>), NotFound, Conflict), security(("token" = [])))]
#[delete("/api/admin/insight/{id}")]
pub(super) async fn remove_insight(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
) -> Result<Answer<Nothing>, ApiError> {
    let id: InsightId = number(&id, "insight")?;
    run(&app, acting, move |tx, trail| deletions::delete_insight(tx, trail, id)).await?;
    Ok(Answer::new(Nothing {}))
}
