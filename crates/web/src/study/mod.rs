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
mod list_moderation;
mod list_moderation_types;
mod list_types;
mod lists;
pub(crate) mod pages;
mod picture;
mod popular;
mod push;
mod recall;
mod session;
mod settings;
mod team_lists;
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
    config.service(lists::save_list).service(lists::change_list_sharing).service(lists::list_overview);
    config.service(lists::show_shared_list).service(lists::follow_shared_list).service(lists::unfollow_shared_list);
    config.service(team_lists::show_team_list).service(team_lists::agree_to_team_list);
    config.service(team_lists::end_agreement_to_team_list);
    config.service(session::build_session).service(session::save_completed_ideas);
    config.service(settings::study_settings).service(settings::save_study_settings).service(today::study_today);
    config.service(list_moderation::lists_to_moderate).service(list_moderation::take_down_list);
    config.service(webhook::study_webhook).service(webhook::save_study_webhook);
    config.service(webhook::delete_study_webhook).service(webhook::test_study_webhook);
    config.service(push::study_push).service(push::save_study_push).service(push::delete_study_push);
}
