//! `GET /kindle/has-kindle` and `POST /kindle/set-kindle`.

use actix_web::{get, post, web::Data};
use delivery::EReaderQueries;
use kernel::StoreError;
use serde::Deserialize;
use utoipa::ToSchema;
use workflows::delivery::e_reader::set_address;

use crate::{
    app::App,
    delivery::e_reader::types::{HasKindle, Kindle},
    extract::{Body, Member},
    http::{error::ApiError, wire::Answer},
};

/// Where the e-reader takes mail, in two parts (`delivery.e-reader-address`).
#[derive(Deserialize, ToSchema)]
pub(super) struct SetKindle {
    /// The part before the `@`.
    #[schema(value_type = String, required, min_length = 1, max_length = 254)]
    kindle_email: Option<String>,
    /// One of the domains that `GET /kindle/has-kindle` names.
    #[schema(value_type = String, required, max_length = 254)]
    kindle_email_end: Option<String>,
}

/// Where the member's e-reader takes mail (`kindleEmail`; null when the member has not said so), the domains to choose
/// from, and the sender to be approved there.
#[utoipa::path(tag = "e-reader", responses((status = 200, description = "The address.", body = HasKindle)), security(("token" = [])))]
#[get("/api/kindle/has-kindle")]
pub(super) async fn has_kindle(app: Data<App>, Member(claims): Member) -> Result<HasKindle, ApiError> {
    let address = app.db.read::<_, StoreError, _>(move |pg| pg.kindle_address(claims.user)).await?;
    Ok(HasKindle::new(Kindle::new(address.as_ref(), &app.config)))
}

/// Keeps where the member's e-reader takes mail. For paid members.
#[utoipa::path(tag = "e-reader", request_body = SetKindle, responses((status = 200, description = "It is kept.", body = Answer<Kindle>)), security(("token" = [])))]
#[post("/api/kindle/set-kindle")]
pub(super) async fn set_kindle(
    app: Data<App>,
    Member(claims): Member,
    Body(form): Body<SetKindle>,
) -> Result<Answer<Kindle>, ApiError> {
    let (name, domain) = (form.kindle_email.unwrap_or_default(), form.kindle_email_end.unwrap_or_default());
    let address = app.write_tx(move |tx| set_address(tx, claims.user, &name, &domain)).await?;
    Ok(Answer::new(Kindle::new(Some(&address), &app.config)))
}
