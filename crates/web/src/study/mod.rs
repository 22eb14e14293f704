//! `/api/study/…`: what members keep of what they read.

mod answers;
mod card_types;
mod cards;
mod changes;
mod clock;
mod errors;
mod exports;
mod highlights;
mod popular;
mod recall;
mod settings;
mod types;

use crate::http::openapi::Routes;

/// Registers the API routes of this module.
pub fn configure(config: &mut impl Routes) {
    config.service(highlights::save_highlight).service(changes::study_changes);
    config.service(popular::popular_passages).service(exports::export_highlights);
    config.service(cards::save_review_card).service(answers::save_card_answers).service(recall::study_recall);
    config.service(settings::study_settings).service(settings::save_study_settings);
}
