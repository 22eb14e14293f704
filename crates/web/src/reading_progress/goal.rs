//! `GET` and `PUT /api/user/goal`, and `PUT /api/user/reading-time`.

use actix_web::{get, put, web::Data};
use kernel::Day;
use reading_progress::{Device, Goal, GoalSettings, GoalUnit, ProgressError, REPORTED_DAYS};
use serde::{Deserialize, Serialize};
use serde_json::Number;
use utoipa::ToSchema;
use workflows::reading_progress::goal::{choose_goal, goal_state, report_reading_time};

use crate::{
    app::App,
    extract::{Body, Member},
    http::{error::ApiError, whole::whole, wire::Answer},
};

/// What a daily goal counts.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DailyGoalUnit {
    /// Minutes of reading and listening.
    Minutes,
    /// Completed summaries.
    Summaries,
}

/// A daily goal.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct DailyGoal {
    /// What it counts.
    pub unit: DailyGoalUnit,
    /// How much a day.
    pub amount: u32,
}

/// A day in the light of the goal.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GoalDay {
    /// The day, such as `2026-06-15`.
    #[schema(format = Date)]
    pub day: String,
    /// The whole minutes of reading and listening, on all devices.
    pub minutes: u32,
    /// The number of summaries completed on it.
    pub summaries: u32,
    /// Whether it meets the goal; false without one.
    pub is_met: bool,
}

/// The daily goal, and the last days.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GoalState {
    /// The goal; null if there is none.
    pub goal: Option<DailyGoal>,
    /// Whether reading time is counted.
    pub counts_time: bool,
    /// The current day in the member's time zone, such as `2026-06-15`.
    #[schema(format = Date)]
    pub today: String,
    /// The last seven days, oldest first; the last is today.
    pub days: Vec<GoalDay>,
}

impl From<reading_progress::GoalState> for GoalState {
    fn from(state: reading_progress::GoalState) -> Self {
        let goal = state.settings.goal().map(|goal| DailyGoal {
            unit: match goal.unit() {
                GoalUnit::Minutes => DailyGoalUnit::Minutes,
                GoalUnit::Summaries => DailyGoalUnit::Summaries,
            },
            amount: goal.amount(),
        });
        let day = |day: &reading_progress::DayOfReading| GoalDay {
            day: day.day.to_string(),
            minutes: day.minutes(),
            summaries: day.summaries,
            is_met: state.is_met_by(day),
        };
        Self {
            goal,
            counts_time: state.settings.counts_time(),
            today: state.today.to_string(),
            days: state.days.iter().map(day).collect(),
        }
    }
}

/// The daily goal, and what was read on the last days.
#[utoipa::path(
    tag = "reading",
    responses((status = 200, description = "The goal.", body = Answer<GoalState>)),
    security(("token" = []))
)]
#[get("/api/user/goal")]
pub(super) async fn daily_goal(app: Data<App>, Member(claims): Member) -> Result<Answer<GoalState>, ApiError> {
    let state = app.read_tx(move |tx| goal_state(tx, claims.user)).await?;
    Ok(Answer::new(state.into()))
}

/// A chosen goal.
#[derive(Deserialize, ToSchema)]
pub struct ChosenGoal {
    unit: DailyGoalUnit,
    /// 5 to 180 minutes, or 1 to 10 summaries.
    #[schema(value_type = i64, minimum = 1, maximum = 180)]
    amount: Number,
}

/// What the member chooses, in the place of what was chosen before.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GoalChoice {
    /// The goal; null: none.
    goal: Option<ChosenGoal>,
    /// Whether reading time is counted, which a goal of minutes needs.
    counts_time: bool,
}

impl GoalChoice {
    fn read(&self) -> Result<GoalSettings, ProgressError> {
        let goal = self.goal.as_ref().map(|chosen| {
            // What is no such number is beyond the limits.
            let amount = whole(&chosen.amount).and_then(|amount| u32::try_from(amount).ok()).unwrap_or(0);
            let unit = match chosen.unit {
                DailyGoalUnit::Minutes => GoalUnit::Minutes,
                DailyGoalUnit::Summaries => GoalUnit::Summaries,
            };
            Goal::new(unit, amount)
        });
        GoalSettings::new(goal.transpose()?, self.counts_time)
    }
}

/// Chooses the daily goal, and whether reading time is counted (`reading-progress.daily-goal`).
#[utoipa::path(
    tag = "reading",
    request_body = GoalChoice,
    responses((status = 200, description = "It is chosen.", body = Answer<GoalState>)),
    security(("token" = []))
)]
#[put("/api/user/goal")]
pub(super) async fn set_goal(
    app: Data<App>,
    Member(claims): Member,
    Body(choice): Body<GoalChoice>,
) -> Result<Answer<GoalState>, ApiError> {
    let settings = choice.read()?;
    let state = app.write_tx(move |tx| choose_goal(tx, claims.user, settings)).await?;
    Ok(Answer::new(state.into()))
}

/// How long a device was read and listened on on a day.
#[derive(Deserialize, ToSchema)]
pub struct ReadDay {
    /// The day of the member's calendar, such as `2026-06-15`.
    #[schema(format = Date)]
    day: String,
    /// The total of the device on that day, in seconds.
    #[schema(value_type = i64, minimum = 0, maximum = 86_400)]
    seconds: Number,
}

/// What a device has counted.
#[derive(Deserialize, ToSchema)]
pub struct DeviceTime {
    /// A random name that the browser gave itself: letters, digits, `-` and `_`.
    #[schema(min_length = 1, max_length = 64, pattern = "^[A-Za-z0-9_-]+$")]
    device: String,
    /// 1 to 35 days.
    #[schema(min_items = 1, max_items = 35)]
    days: Vec<ReadDay>,
}

impl DeviceTime {
    fn read(&self) -> Result<(Device, Vec<(Day, u32)>), ApiError> {
        let no_device = || ApiError::invalid("device", "A device name has up to 64 letters and digits.");
        let device = Device::parse(&self.device).ok_or_else(no_device)?;
        if !(1..=REPORTED_DAYS).contains(&self.days.len()) {
            return Err(ApiError::invalid("days", "Please send 1 to 35 days."));
        }
        let day = |one: &ReadDay| {
            let day: Day = one.day.parse().map_err(|_| ApiError::invalid("day", "Please specify the day."))?;
            let seconds = whole(&one.seconds).and_then(|seconds| u32::try_from(seconds).ok());
            Ok((day, seconds.ok_or_else(|| ApiError::invalid("seconds", "Please specify the seconds."))?))
        };
        Ok((device, self.days.iter().map(day).collect::<Result<_, ApiError>>()?))
    }
}

/// Counts how long the member reads and listens. A device sends its total of each day: of what it sends several times, late or in
/// another order, the greatest counts. Days that are over for more than 30 days or come after tomorrow are ignored, and all while the
/// member has switched it off.
#[utoipa::path(
    tag = "reading",
    request_body = DeviceTime,
    responses((status = 200, description = "The goal then.", body = Answer<GoalState>)),
    security(("token" = []))
)]
#[put("/api/user/reading-time")]
pub(super) async fn save_reading_time(
    app: Data<App>,
    Member(claims): Member,
    Body(body): Body<DeviceTime>,
) -> Result<Answer<GoalState>, ApiError> {
    let (device, days) = body.read()?;
    let state = app.write_tx(move |tx| report_reading_time(tx, claims.user, &device, &days)).await?;
    Ok(Answer::new(state.into()))
}
