//! The overview for editors (`admin.content-overview`).

use actix_web::{get, web::Data};
use kernel::StoreError;
use workflows::admin::content_overview::content_overview as read_overview;

use crate::{
    admin::content_overview_types::ContentOverviewResult,
    app::App,
    extract::Editor,
    http::{error::ApiError, wire::Answer},
};

/// What is not published yet, what published books lack, the most frequent searches without a result, and where readers stop.
#[utoipa::path(tag = "admin", responses((status = 200, description = "The overview.", body = Answer<ContentOverviewResult>)), security(("token" = [])))]
#[get("/api/admin/content-overview")]
pub(crate) async fn content_overview(app: Data<App>, _: Editor) -> Result<Answer<ContentOverviewResult>, ApiError> {
    let overview = app.read_tx_from_replica::<_, StoreError, _>(read_overview).await?;
    Ok(Answer::new(overview.into()))
}
