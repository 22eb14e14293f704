//! The ten-day plan with its calendar and daily mail, the quizzes, and onboarding.

pub mod daily_mail;
pub mod editing;
pub mod onboarding;
pub mod plan_calendar;
pub mod quizzes;
pub mod ten_day_plan;
