//! Listening to books, and watching them.

mod audio;
pub(crate) mod types;
mod video;

use utoipa_actix_web::service_config::ServiceConfig;

/// The calls of this folder.
pub fn configure(config: &mut ServiceConfig) {
    config.service(audio::audio).service(video::video);
}
