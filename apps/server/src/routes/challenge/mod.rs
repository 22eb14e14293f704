//! What brings people in: the ten-day challenge, the quizzes and onboarding.

mod onboarding;
mod plan;
mod quizzes;
mod types;

use utoipa_actix_web::service_config::ServiceConfig;

/// The calls of this folder.
pub fn configure(config: &mut ServiceConfig) {
    config.service(plan::list_goals).service(plan::draw_up).service(plan::submit);
    config.service(quizzes::list_questions).service(quizzes::take);
    config.service(quizzes::list_results).service(quizzes::show_report);
    config.service(onboarding::show_page).service(onboarding::list_books).service(onboarding::carry);
}
