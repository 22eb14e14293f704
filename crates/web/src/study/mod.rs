//! `/api/study/…`: what members keep of what they read.

mod answers;
mod card_types;
mod cards;
mod changes;
mod clock;
mod commitment_types;
mod commitments;
mod errors;
mod exports;
mod highlights;
mod picture;
mod popular;
mod push;
mod recall;
mod session;
mod settings;
mod timed_text;
mod today;
mod types;
mod webhook;

use crate::http::openapi::Routes;

/// Registers the API routes of this module.
pub fn configure(config: &mut impl Routes) {
    config.service(highlights::save_highlight).service(changes::study_changes);
    config.service(picture::picture_of_highlight);
    config.service(popular::popular_passages).service(exports::export_highlights);
    config.service(cards::save_review_card).service(answers::save_card_answers).service(recall::study_recall);
    config.service(commitments::save_commitment);
    config.service(session::build_session).service(session::save_completed_ideas);
    config.service(settings::study_settings).service(settings::save_study_settings).service(today::study_today);
    config.service(webhook::study_webhook).service(webhook::save_study_webhook);
    config.service(webhook::delete_study_webhook).service(webhook::test_study_webhook);
    config.service(push::study_push).service(push::save_study_push).service(push::delete_study_push);
}
