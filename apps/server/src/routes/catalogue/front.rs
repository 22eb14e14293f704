//! `GET /api/front`.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};

use kernel::StoreError;

use super::remembered;
use crate::{
    app::App,
    error::ApiError,
    extract::Viewer,
    flows::book_lists::front_page,
    openapi::Unchanged,
    wire::{Answer, list::FrontResult},
};

/// What the front page shows. The same for everybody.
#[utoipa::path(
    tag = "catalogue",
    responses(
        (status = 200, description = "The front page.", body = Answer<FrontResult>),
        Unchanged),
    security((), ("token" = []))
)]
#[get("/api/front")]
pub(super) async fn front(app: Data<App>, _: Viewer, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    remembered(&app, None, &request, async {
        let page = app.read_tx::<_, StoreError, _>(front_page).await?;
        Ok((FrontResult::from(&page), None))
    })
    .await
}
