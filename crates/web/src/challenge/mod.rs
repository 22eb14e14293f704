//! The challenge over HTTP: the ten-day plan, the quizzes and onboarding.

pub(crate) mod back_office;
mod daily_mail;
mod errors;
mod onboarding;
pub(crate) mod pages;
mod plan;
mod quizzes;
pub(crate) mod types;

use crate::http::openapi::Routes;

/// Registers the API routes of this module.
pub fn configure(config: &mut impl Routes) {
    config.service(plan::list_goals).service(plan::draw_up).service(plan::submit).service(plan::show_calendar);
    config.service(daily_mail::show_daily_mail).service(daily_mail::ask_for_daily_mail);
    config.service(daily_mail::end_daily_mail);
    config.service(quizzes::list_questions).service(quizzes::take);
    config.service(quizzes::list_results).service(quizzes::show_report);
    config.service(quizzes::show_picture).service(quizzes::download_report);
    config.service(onboarding::show_page).service(onboarding::list_books).service(onboarding::carry);
}
