//! `/api/study/…`: what members keep of what they read.

mod changes;
mod errors;
mod highlights;
mod settings;
mod types;

use crate::http::openapi::Routes;

/// Registers the API routes of this module.
pub fn configure(config: &mut impl Routes) {
    config.service(highlights::save_highlight).service(changes::highlight_changes);
    config.service(settings::study_settings).service(settings::save_study_settings);
}
