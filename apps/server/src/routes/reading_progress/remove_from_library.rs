//! `DELETE /api/library/{id}`.

use actix_web::{delete, web::Data};
use workflows::reading;

use super::book_name;
use crate::{
    app::App,
    error::ApiError,
    extract::{Member, Path},
    routes::reading_progress::types::InLibrary,
    wire::Answer,
};

/// Removes a book from the reader's library, if it is there.
#[utoipa::path(
    tag = "reading",
    params(("id" = String, Path, description = "The id or the `subid` of a book.")),
    responses((status = 200, description = "The book is not in the library.", body = Answer<InLibrary>)),
    security(("token" = []))
)]
#[delete("/api/library/{id}")]
pub(super) async fn remove_from_library(
    app: Data<App>,
    Member(claims): Member,
    id: Path<String>,
) -> Result<Answer<InLibrary>, ApiError> {
    let book = book_name::in_path(&id)?;
    app.write_tx(move |tx| reading::remove_from_library(tx, claims.user, &book)).await?;
    Ok(Answer::new(InLibrary { is_in_library: false }))
}
