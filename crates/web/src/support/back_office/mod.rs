//! The inbox of the back office.

mod answers;
mod messages;
pub(crate) mod types;

use crate::http::openapi::Routes;

/// Registers the API routes of this module.
pub(crate) fn configure(config: &mut impl Routes) {
    config.service(messages::messages).service(messages::set_message);
    config.service(answers::reasons_for_leaving).service(answers::show_message).service(answers::answer_to_message);
}
