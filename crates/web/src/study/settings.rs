//! `/api/study/settings`: what a member has switched on or off (`study.study-switches`).

use actix_web::{get, put, web::Data};
use kernel::StoreError;
use serde::Deserialize;
use study::{StudyCommands, StudyQueries, StudySettings};
use utoipa::ToSchema;

use crate::{
    app::App,
    extract::{Body, Member},
    http::{error::ApiError, wire::Answer},
    study::types::{Settings, SettingsResult},
};

/// The settings to change; a field that is left out stays as it is.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SettingsBody {
    /// Whether the reader offers and shows highlights.
    has_highlights: Option<bool>,
    /// Whether the member's highlights count for popular passages.
    counts_in_popular: Option<bool>,
    /// Whether popular passages are shown to the member.
    shows_popular: Option<bool>,
}

impl SettingsBody {
    fn changed(self, now: StudySettings) -> StudySettings {
        StudySettings {
            has_highlights: self.has_highlights.unwrap_or(now.has_highlights),
            counts_in_popular: self.counts_in_popular.unwrap_or(now.counts_in_popular),
            shows_popular: self.shows_popular.unwrap_or(now.shows_popular),
        }
    }
}

/// What the member has switched on or off.
#[utoipa::path(
    tag = "study",
    responses((status = 200, description = "The settings.", body = Answer<SettingsResult>)),
    security(("token" = []))
)]
#[get("/api/study/settings")]
pub(super) async fn study_settings(app: Data<App>, Member(claims): Member) -> Result<Answer<SettingsResult>, ApiError> {
    let settings = app.db.read::<_, StoreError, _>(move |pg| pg.study_settings(claims.user)).await?;
    Ok(Answer::new(SettingsResult { settings: Settings::from(settings) }))
}

/// Switches parts on or off.
#[utoipa::path(
    tag = "study",
    request_body = SettingsBody,
    responses((status = 200, description = "The settings now.", body = Answer<SettingsResult>)),
    security(("token" = []))
)]
#[put("/api/study/settings")]
pub(super) async fn save_study_settings(
    app: Data<App>,
    Member(claims): Member,
    Body(body): Body<SettingsBody>,
) -> Result<Answer<SettingsResult>, ApiError> {
    let saved = app.db.write::<_, StoreError, _>(move |pg| {
        let settings = body.changed(pg.study_settings(claims.user)?);
        Ok(pg.put_study_settings(claims.user, settings)?.then_some(settings))
    });
    let settings = saved.await?.ok_or_else(ApiError::unauthenticated)?;
    Ok(Answer::new(SettingsResult { settings: Settings::from(settings) }))
}
