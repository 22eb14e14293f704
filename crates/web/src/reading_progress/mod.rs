//! Reading over HTTP: library, history, progress, ratings, preferences and the reader's account.

mod account;
mod errors;
mod goal;
mod history;
mod library;
mod notices;
mod rate;
mod save_position;
pub(crate) mod types;
mod year;

use crate::http::openapi::Routes;

/// Registers the API routes of this module.
pub fn configure(config: &mut impl Routes) {
    config.service(rate::rate).service(rate::take_back).service(library::library);
    config.service(library::add_to_library).service(library::remove_from_library);
    config.service(notices::notices).service(notices::request_notice).service(notices::withdraw_notice);
    config.service(save_position::save_position).service(history::progress).service(history::start_video);
    config.service(history::place).service(history::hide).service(history::show).service(history::history);
    config.service(account::set_recommends).service(account::account).service(account::allowance);
    config.service(goal::daily_goal).service(goal::set_goal).service(goal::save_reading_time);
    config.service(year::year_of_reading).service(year::picture_of_year);
}
