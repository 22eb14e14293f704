//! `/api/study/settings`: what a member has switched on or off (`study.study-switches`).

use std::str::FromStr;

use actix_web::{get, put, web::Data};
use serde::Deserialize;
use serde_json::Number;
use study::{StudyError, StudyQueries, StudySettings, UnknownWord};
use utoipa::ToSchema;
use workflows::study::settings::save_settings;

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
    /// How the member is reminded of due cards: `off`, `mail` or `push`.
    #[schema(pattern = "^(off|mail|push)$")]
    reminder: Option<String>,
    /// How often the member gets highlights by mail: `off`, `daily` or `weekly`.
    #[schema(pattern = "^(off|daily|weekly)$")]
    digest: Option<String>,
    /// The hour of both, 0 to 23, in the member's time zone.
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 23)]
    notice_hour: Option<Number>,
    /// Whether the member is asked for a commitment at the end of a book, and what became of it.
    asks_commitments: Option<bool>,
}

impl StudySettingsBody {
    /// Parses the settings that are changed, over those of now.
    fn changed(&self, now: StudySettings) -> Result<StudySettings, StudyError> {
        let number = |given: &Option<Number>, error: StudyError| {
            let parsed = given.as_ref().map(|number| whole(number).and_then(|number| u32::try_from(number).ok()));
            parsed.map(|number| number.ok_or(error)).transpose()
        };
        Ok(StudySettings {
            has_highlights: self.has_highlights.unwrap_or(now.has_highlights),
            counts_in_popular: self.counts_in_popular.unwrap_or(now.counts_in_popular),
            shows_popular: self.shows_popular.unwrap_or(now.shows_popular),
            daily_max: number(&self.daily_max, StudyError::InvalidDailyMax)?.unwrap_or(now.daily_max),
            counts_for_streak: self.counts_for_streak.unwrap_or(now.counts_for_streak),
            reminder: parse_choice(self.reminder.as_deref(), StudyError::InvalidReminder)?.unwrap_or(now.reminder),
            digest: parse_choice(self.digest.as_deref(), StudyError::InvalidDigest)?.unwrap_or(now.digest),
            notice_hour: number(&self.notice_hour, StudyError::InvalidNoticeHour)?.unwrap_or(now.notice_hour),
            asks_commitments: self.asks_commitments.unwrap_or(now.asks_commitments),
        })
    }
}

/// Parses a word, if one is given.
fn parse_choice<T: FromStr<Err = UnknownWord>>(word: Option<&str>, error: StudyError) -> Result<Option<T>, StudyError> {
    word.map(|word| word.parse().map_err(|_| error)).transpose()
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
    let change = move |settings| body.changed(settings);
    let settings = app.write_tx(move |tx| save_settings(tx, claims.user, change)).await?;
    Ok(Answer::new(StudySettingsResult { settings: StudySettingsItem::from(settings) }))
}
