//! `PUT /api/user-book-history`.

use actix_web::{put, web::Data};
use catalogue::BookRef;
use postgres::Pg;
use reading_progress::BookFacts;
use serde::Deserialize;
use serde_json::Number;
use utoipa::ToSchema;

use super::{book_name::BookName, whole::whole};
use crate::{
    app::App,
    error::ApiError,
    extract::{Body, Member},
    flows::reading,
    wire::{Answer, Failures, progress::EntryResult},
};

/// Where the reader is.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Position {
    #[schema(value_type = BookName, required)]
    book_id: Option<BookName>,
    /// The section, from 0; brought within those that exist.
    #[schema(value_type = i64, required)]
    position: Option<Number>,
    /// The reader has come to the end. Counts at the last section with text only.
    completed: Option<bool>,
}

/// Saves where the reader is, and completes the summary at its end. The first completion answers what it has earned.
#[utoipa::path(
    tag = "reading",
    request_body = Position,
    responses((status = 200, description = "It is saved.", body = Answer<EntryResult>), Failures),
    security(("token" = []))
)]
#[put("/api/user-book-history")]
pub(super) async fn save_position(
    app: Data<App>,
    Member(claims): Member,
    Body(body): Body<Position>,
) -> Result<Answer<EntryResult>, ApiError> {
    let (book, now) = (BookName::read(body.book_id.as_ref())?, app.env.now());
    let position = body.position.as_ref().and_then(whole);
    let position = position.ok_or_else(|| ApiError::invalid("position", "Please say at which section."))?;
    let completed = body.completed.unwrap_or(false);
    let book = facts(&app, book).await?;
    let save = move |pg: &mut Pg<'_>| reading::save_position(pg, claims.user, &book, position, completed, now);
    let saved = if completed { app.db.write(save).await? } else { app.db.write_statement(save).await? };
    Ok(Answer::new(saved))
}

/// What the book is to the rules of reading, out of memory where it is known.
async fn facts(app: &App, book: BookRef) -> Result<BookFacts, ApiError> {
    if let Some(facts) = app.facts.get(&book) {
        return Ok(facts);
    }
    let epoch = app.facts.epoch();
    let name = book.clone();
    let facts = app.db.read(move |pg| reading::facts(pg, &name)).await?;
    app.facts.put(book, facts, epoch);
    Ok(facts)
}
