//! The daily mail of a saved plan: subscribe and unsubscribe.

use actix_web::{delete, get, put, web::Data};
use challenge::MailHour;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use workflows::challenge::daily_mail::{DailyMailSettings, daily_mail_settings, request_daily_mail, stop_daily_mail};

use crate::{
    app::App,
    extract::{Body, Member},
    http::{
        error::ApiError,
        openapi::NotFound,
        wire::{Answer, Nothing},
    },
};

/// What a member has asked for.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct DailyMailResult {
    /// A plan is saved, without which no mail can be asked for.
    has_plan: bool,
    /// The hour of the next mails, from 0 to 23; `null`: none will come.
    #[schema(required)]
    hour: Option<u8>,
    /// The member's time zone, an IANA name.
    timezone: String,
}

impl From<DailyMailSettings> for DailyMailResult {
    fn from(settings: DailyMailSettings) -> Self {
        let DailyMailSettings { has_plan, hour, timezone } = settings;
        Self { has_plan, hour: hour.map(MailHour::get), timezone }
    }
}

/// The daily mail that the member has asked for.
#[utoipa::path(tag = "challenge", responses((status = 200, description = "The hour, if one is set.", body = Answer<DailyMailResult>)), security(("token" = [])))]
#[get("/api/user/ten-day-challenge/daily-mail")]
pub(super) async fn show_daily_mail(
    app: Data<App>,
    Member(claims): Member,
) -> Result<Answer<DailyMailResult>, ApiError> {
    let settings = app.read_tx(move |tx| daily_mail_settings(tx, claims.user)).await?;
    Ok(Answer::new(settings.ok_or_else(ApiError::unauthenticated)?.into()))
}

/// When the mail is to come.
#[derive(Deserialize, ToSchema)]
pub(super) struct DailyMailHour {
    /// A full hour of the member's own time zone.
    #[schema(value_type = i64, required, minimum = 0, maximum = 23)]
    hour: Option<i64>,
}

/// Asks for one mail a day until the last day of the saved plan, or for another hour. `404` when no plan is saved.
#[utoipa::path(tag = "challenge", request_body = DailyMailHour, responses((status = 200, description = "Mails will come.", body = Answer<DailyMailResult>), NotFound), security(("token" = [])))]
#[put("/api/user/ten-day-challenge/daily-mail")]
pub(super) async fn ask_for_daily_mail(
    app: Data<App>,
    Member(claims): Member,
    Body(form): Body<DailyMailHour>,
) -> Result<Answer<DailyMailResult>, ApiError> {
    let hour = MailHour::new(form.hour.unwrap_or(-1))?;
    app.write_tx(move |tx| request_daily_mail(tx, claims.user, hour)).await?;
    let settings = app.read_tx(move |tx| daily_mail_settings(tx, claims.user)).await?;
    Ok(Answer::new(settings.ok_or_else(ApiError::unauthenticated)?.into()))
}

/// Ends the daily mail.
#[utoipa::path(tag = "challenge", responses((status = 200, description = "No mail will come.", body = Answer<Nothing>)), security(("token" = [])))]
#[delete("/api/user/ten-day-challenge/daily-mail")]
pub(super) async fn end_daily_mail(app: Data<App>, Member(claims): Member) -> Result<Answer<Nothing>, ApiError> {
    app.write_tx(move |tx| stop_daily_mail(tx, claims.user)).await?;
    Ok(Answer::new(Nothing {}))
}
