//! The ten-day challenge and the quizzes.

mod daily_mail;
mod quizzes;
mod ten_day_plan;
