//! `GET /api/categories`.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use catalogue::Catalogue;

use super::remembered;
use crate::{
    app::App,
    error::ApiError,
    extract::Viewer,
    openapi::Unchanged,
    wire::{Answer, list::CategoriesResult},
};

/// All categories, in their order. The same for everybody.
#[utoipa::path(
    tag = "catalogue",
    responses(
        (status = 200, description = "The categories.", body = Answer<CategoriesResult>),
        Unchanged),
    security((), ("token" = []))
)]
#[get("/api/categories")]
pub(super) async fn categories(app: Data<App>, _: Viewer, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    remembered(&app, None, &request, async {
        let categories = app.db.read::<_, ApiError, _>(|pg| Ok(pg.categories()?)).await?;
        Ok((CategoriesResult { categories: categories.iter().map(Into::into).collect() }, None))
    })
    .await
}
