//! `GET /api/user/archive`, `POST /api/user/archive` and `POST /api/user/archive/download`.

use actix_web::{
    HttpResponse, get,
    http::header::{self, ContentDisposition, DispositionParam, DispositionType},
    post,
    web::Data,
};
use identity::{Claims, IdentityError, RateLimitBucket};
use kernel::network_of;
use serde::Deserialize;
use utoipa::ToSchema;
use workflows::{
    identity::{
        archive::{DataArchive, mail_archive_link, redeem_archive_link, write_archive},
        proof::require_fresh_proof,
    },
    rate_limits,
};

use crate::{
    app::App,
    extract::{Body, ClientAddress, Member},
    http::{
        error::{ApiError, Code},
        openapi::{Forbidden, TooManyTries},
        wire::{Answer, Nothing},
    },
};

/// The code of a mailed link.
#[derive(Deserialize, ToSchema)]
pub(super) struct ArchiveCode {
    /// What stands behind the `#`.
    code: String,
}

fn attachment(archive: DataArchive) -> HttpResponse {
    let disposition = ContentDisposition {
        disposition: DispositionType::Attachment,
        parameters: vec![DispositionParam::Filename(archive.name)],
    };
    HttpResponse::Ok()
        .insert_header(disposition)
        .insert_header((header::CONTENT_TYPE, "application/zip"))
        .insert_header((header::CACHE_CONTROL, "private, no-store"))
        .body(archive.bytes)
}

/// Fails unless the session has a recent sign-in or proof of identity.
async fn check_proof(app: &App, claims: Claims) -> Result<(), ApiError> {
    let is_live = app.read_tx::<_, IdentityError, _>(move |tx| require_fresh_proof(tx, &claims)).await?;
    if is_live { Ok(()) } else { Err(ApiError::unauthenticated()) }
}

/// Everything that is kept of the member, as one zip. Needs a sign-in or a proof (`POST /api/user/proof`) of the last ten
/// minutes.
#[utoipa::path(tag = "identity", responses((status = 200, description = "The archive.", content_type = "application/zip", body = Vec<u8>), Forbidden, TooManyTries), security(("token" = [])))]
#[get("/api/user/archive")]
pub(super) async fn archive_now(app: Data<App>, Member(claims): Member) -> Result<HttpResponse, ApiError> {
    check_proof(&app, claims).await?;
    rate_limits::count(&app.transactions, RateLimitBucket::Archive, claims.user.to_string()).await?;
    Ok(attachment(app.read_tx_from_replica(move |tx| write_archive(tx, claims.user)).await?))
}

/// Mails the member a link to the archive, which is good once and for a day. Needs a sign-in or a proof
/// (`POST /api/user/proof`) of the last ten minutes.
#[utoipa::path(tag = "identity", responses((status = 200, description = "The mail is on its way.", body = Answer<Nothing>), TooManyTries), security(("token" = [])))]
#[post("/api/user/archive")]
pub(super) async fn mail_archive(app: Data<App>, Member(claims): Member) -> Result<Answer<Nothing>, ApiError> {
    check_proof(&app, claims).await?;
    rate_limits::count(&app.transactions, RateLimitBucket::Archive, claims.user.to_string()).await?;
    app.write_tx(move |tx| mail_archive_link(tx, claims.user)).await?;
    Ok(Answer::new(Nothing {}))
}

/// The archive to which a mailed link leads. The link is good once.
#[utoipa::path(tag = "identity", request_body = ArchiveCode, responses((status = 200, description = "The archive.", content_type = "application/zip", body = Vec<u8>), TooManyTries), security(()))]
#[post("/api/user/archive/download")]
pub(super) async fn download_archive(
    app: Data<App>,
    ClientAddress(address): ClientAddress,
    Body(form): Body<ArchiveCode>,
) -> Result<HttpResponse, ApiError> {
    rate_limits::count(&app.transactions, RateLimitBucket::ArchiveLink, network_of(address)).await?;
    let archive = app.write_tx(move |tx| redeem_archive_link(tx, &form.code)).await?;
    archive.map(attachment).ok_or_else(|| {
        ApiError::new(Code::CodeInvalid, "This link has expired or was already used. Please ask for a new one.")
    })
}
