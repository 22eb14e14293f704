//! `DELETE /api/user-book-history/{id}`.

use actix_web::{delete, web::Data};
use workflows::reading;

use super::book_name;
use crate::{
    app::App,
    error::ApiError,
    extract::{Member, Path},
    routes::reading_progress::types::InHistory,
    wire::Answer,
};

/// Hides a book from the reader's history until it is read again. Position, completion and what was earned stay.
#[utoipa::path(
    tag = "reading",
    params(("id" = String, Path, description = "The id or the `subid` of a book.")),
    responses((status = 200, description = "The book is not in the history.", body = Answer<InHistory>)),
    security(("token" = []))
)]
#[delete("/api/user-book-history/{id}")]
pub(super) async fn hide(
    app: Data<App>,
    Member(claims): Member,
    id: Path<String>,
) -> Result<Answer<InHistory>, ApiError> {
    let book = book_name::in_path(&id)?;
    app.write_tx(move |tx| reading::hide_history(tx, claims.user, &book)).await?;
    Ok(Answer::new(InHistory { is_in_history: false }))
}
