//! `GET /api/admin/overview`.

use actix_web::{get, web::Data};
use inbox::InboxQueries as _;
use jobs::Jobs;
use kernel::StoreError;
use mail::SEND_MAIL;

use crate::{app::App, error::ApiError, extract::Admin, routes::admin::types::Overview, wire::Answer};

/// What waits for a person in the back office.
#[utoipa::path(tag = "admin", responses((status = 200, description = "Counts.", body = Answer<Overview>)), security(("token" = [])))]
#[get("/api/admin/overview")]
pub(super) async fn overview(app: Data<App>, _: Admin) -> Result<Answer<Overview>, ApiError> {
    let counted = app.db.read::<_, StoreError, _>(|pg| Ok((pg.count_unread_messages()?, pg.job_counts(&[SEND_MAIL])?)));
    let (unread, jobs) = counted.await?;
    Ok(Answer::new(Overview { unread, mails: jobs.as_slice().into() }))
}
