//! `POST /api/user-book-history/{id}/show`.

use actix_web::{post, web::Data};
use workflows::reading;

use super::book_name;
use crate::{
    app::App,
    error::ApiError,
    extract::{Member, Path},
    routes::reading_progress::types::InHistory,
    wire::Answer,
};

/// Shows a book that was hidden in the reader's history again, where it stood. A book that was never read does not come
/// there by this.
#[utoipa::path(
    tag = "reading",
    params(("id" = String, Path, description = "The id or the `subid` of a book.")),
    responses((status = 200, description = "Whether the book is in the history: it was read.", body = Answer<InHistory>)),
    security(("token" = []))
)]
#[post("/api/user-book-history/{id}/show")]
pub(super) async fn show(
    app: Data<App>,
    Member(claims): Member,
    id: Path<String>,
) -> Result<Answer<InHistory>, ApiError> {
    let book = book_name::in_path(&id)?;
    let is_in_history = app.write_tx(move |tx| reading::show_history(tx, claims.user, &book)).await?;
    Ok(Answer::new(InHistory { is_in_history }))
}
