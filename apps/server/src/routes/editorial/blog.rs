//! `GET /api/blog`.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use kernel::Slug;
use serde::Deserialize;
use utoipa::IntoParams;

use super::list_params;
use crate::{
    app::App,
    error::ApiError,
    extract::{Query, Viewer},
    flows::editorial,
    routes::catalogue::remembered,
    wire::{Answer, Failures, editorial::BlogResult},
};

/// Which posts, and from where on.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct BlogParams {
    /// A category's name in addresses.
    #[param(pattern = r"^([a-z0-9]+(-[a-z0-9]+)*)?$")]
    category: Option<String>,
    /// `result.next` of the page before.
    #[param(pattern = r"^([0-9]{1,15}-[1-9][0-9]{0,17})?$")]
    after: Option<String>,
    /// How many, 1 to 100.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<usize>,
}

/// Posts, the newest first: all, or those of a category. The same for everybody.
#[utoipa::path(
    tag = "editorial",
    params(BlogParams),
    responses(
        (status = 200, description = "A page of the blog.", body = Answer<BlogResult>),
        (status = 304, description = "Unchanged."),
        Failures
    ),
    security((), ("token" = []))
)]
#[get("/api/blog")]
pub(super) async fn blog(
    app: Data<App>,
    _: Viewer,
    params: Query<BlogParams>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let (after, limit) = list_params::read(params.after.as_deref(), params.limit)?;
    let unknown = |_| ApiError::invalid("category", "There is no such category.");
    let category = params.category.as_deref().filter(|text| !text.is_empty());
    let category = category.map(Slug::parse).transpose().map_err(unknown)?;
    remembered(&app, None, &request, async {
        Ok((app.db.read(move |pg| editorial::blog(pg, category.as_ref(), after, limit)).await?, None))
    })
    .await
}
