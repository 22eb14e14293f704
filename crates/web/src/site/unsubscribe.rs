//! `POST /unsubscribe/{token}`: ends a series of mails without a login (RFC 8058).

use actix_web::{post, web::Data};
use workflows::unsubscribe::unsubscribe;

use crate::{
    app::App,
    extract::Path,
    http::{
        error::ApiError,
        openapi::NotFound,
        wire::{Answer, Nothing},
    },
};

/// Ends the mails that the link is from, to the member whom it names, as mail programs do (RFC 8058): without a login, whatever the
/// body says. It changes nothing else, and doing it again changes nothing.
#[utoipa::path(tag = "site", params(("token" = String, Path, description = "Of the mail's link.")), responses((status = 200, description = "No such mail will come.", body = Answer<Nothing>), NotFound), security(()))]
#[post("/unsubscribe/{token}")]
pub(super) async fn end_mails(app: Data<App>, token: Path<String>) -> Result<Answer<Nothing>, ApiError> {
    let is_ours = app.write_tx(move |tx| unsubscribe(tx, &token)).await?;
    if is_ours { Ok(Answer::new(Nothing {})) } else { Err(ApiError::not_found("link")) }
}
