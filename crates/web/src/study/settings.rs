//! `/api/study/settings`: what a member has switched on or off (`study.study-switches`).

use actix_web::{get, put, web::Data};
use serde::Deserialize;
use serde_json::Number;
use study::{Study, StudyCommands, StudyError, StudyQueries, StudySettings};
use utoipa::ToSchema;

use crate::{
    app::App,
    extract::{Body, Member},
    http::{error::ApiError, whole::whole, wire::Answer},
    study::types::{StudySettingsItem, StudySettingsResult},
};

/// The settings to change; a field that is left out stays as it is.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StudySettingsBody {
    /// Whether the reader offers and shows highlights.
    has_highlights: Option<bool>,
    /// Whether the member's highlights count for popular passages.
    counts_in_popular: Option<bool>,
    /// Whether popular passages are shown to the member.
    shows_popular: Option<bool>,
    /// How many cards a day asks at most, 5 to 200.
    #[schema(value_type = Option<i64>, minimum = 5, maximum = 200)]
    daily_max: Option<Number>,
    /// Whether a day with an answer counts for the streak.
    counts_for_streak: Option<bool>,
}

impl StudySettingsBody {
    /// Parses the settings that are changed, over those of now.
    fn changed(&self, now: StudySettings) -> Result<StudySettings, StudyError> {
        let daily_max = self.daily_max.as_ref().map(|number| {
            let number = whole(number).and_then(|number| u32::try_from(number).ok());
            number.ok_or(StudyError::InvalidDailyMax)
        });
        let settings = StudySettings {
            has_highlights: self.has_highlights.unwrap_or(now.has_highlights),
            counts_in_popular: self.counts_in_popular.unwrap_or(now.counts_in_popular),
            shows_popular: self.shows_popular.unwrap_or(now.shows_popular),
            daily_max: daily_max.transpose()?.unwrap_or(now.daily_max),
            counts_for_streak: self.counts_for_streak.unwrap_or(now.counts_for_streak),
        };
        settings.check()?;
        Ok(settings)
    }
}

/// What the member has switched on or off.
#[utoipa::path(
    tag = "study",
    responses((status = 200, description = "The settings.", body = Answer<StudySettingsResult>)),
    security(("token" = []))
)]
#[get("/api/study/settings")]
pub(super) async fn study_settings(
    app: Data<App>,
    Member(claims): Member,
) -> Result<Answer<StudySettingsResult>, ApiError> {
    let settings = app.db.read::<_, kernel::StoreError, _>(move |pg| pg.study_settings(claims.user)).await?;
    Ok(Answer::new(StudySettingsResult { settings: StudySettingsItem::from(settings) }))
}

/// Switches parts on or off.
#[utoipa::path(
    tag = "study",
    request_body = StudySettingsBody,
    responses((status = 200, description = "The settings now.", body = Answer<StudySettingsResult>)),
    security(("token" = []))
)]
#[put("/api/study/settings")]
pub(super) async fn save_study_settings(
    app: Data<App>,
    Member(claims): Member,
    Body(body): Body<StudySettingsBody>,
) -> Result<Answer<StudySettingsResult>, ApiError> {
    let saved = app.db.write::<_, ApiError, _>(move |pg| {
        // Two devices may change two settings at the same moment.
        pg.lock_records(claims.user)?;
        let settings = body.changed(pg.study_settings(claims.user)?)?;
        Ok(pg.put_study_settings(claims.user, settings)?.then_some(settings))
    });
    let settings = saved.await?.ok_or_else(ApiError::unauthenticated)?;
    Ok(Answer::new(StudySettingsResult { settings: StudySettingsItem::from(settings) }))
}
