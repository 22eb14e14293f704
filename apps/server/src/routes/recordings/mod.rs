//! Listening to books, and watching them.

mod audio;
mod video;

use utoipa_actix_web::service_config::ServiceConfig;

use crate::media::place_of;

/// The calls of this folder.
pub fn configure(config: &mut ServiceConfig) {
    config.service(audio::audio).service(video::video);
}

/// The media type of a file of the object store.
fn type_of(key: &str) -> &'static str {
    place_of(key).map_or("application/octet-stream", |(_, kind)| kind.content_type)
}
