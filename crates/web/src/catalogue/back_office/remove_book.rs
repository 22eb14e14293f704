//! Deleting a book.

use actix_web::{delete, web::Data};
use kernel::BookId;
use workflows::catalogue::editing::delete_book;

use crate::{
    app::App,
    editing::{number, run},
    extract::{ActingEditor, Path},
    http::{
        error::ApiError,
        openapi::{Conflict, NotFound},
        wire::{Answer, Nothing},
    },
};

/// Deletes a book, unless a member has opened, kept, planned, rated or bought it: such a book stays for its readers.
#[utoipa::path(tag = "admin", params(("bookId" = i64, Path, description = "Its id.", minimum = 1)), responses((status = 200, description = "It is gone.", body = Answer<Nothing>), NotFound, Conflict), security(("token" = [])))]
#[delete("/api/admin/books/{bookId}")]
pub(crate) async fn remove_book(
    app: Data<App>,
    acting: ActingEditor,
    id: Path<String>,
) -> Result<Answer<Nothing>, ApiError> {
    let id: BookId = number(&id, "book")?;
    run(&app, acting, move |tx, trail| delete_book::delete_book(tx, trail, id)).await?;
    Ok(Answer::new(Nothing {}))
}
