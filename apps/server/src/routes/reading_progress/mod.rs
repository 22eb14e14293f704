//! The library, history, progress, ratings, choices and the account.

mod account;
mod add_to_library;
mod allowance;
mod book_name;
mod hide;
mod history;
mod known_facts;
mod library;
mod place;
mod progress;
mod rate;
mod recommends;
mod remove_from_library;
mod save_position;
mod show;
mod start_video;
pub(crate) mod types;
mod whole;

use utoipa_actix_web::service_config::ServiceConfig;

/// The calls of this folder.
pub fn configure(config: &mut ServiceConfig) {
    config
        .service(rate::rate)
        .service(add_to_library::add_to_library)
        .service(remove_from_library::remove_from_library)
        .service(library::library)
        .service(save_position::save_position)
        .service(progress::progress)
        .service(start_video::start_video)
        .service(place::place)
        .service(hide::hide)
        .service(show::show)
        .service(history::history)
        .service(recommends::set_recommends)
        .service(account::account)
        .service(allowance::allowance);
}
