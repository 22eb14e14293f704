//! Listening to books, and watching them.

mod addresses;
mod audio;
mod video;

pub(super) use addresses::Addresses;

use kernel::{HOUR, Timestamp, UserId};
use utoipa_actix_web::service_config::ServiceConfig;

/// The calls of this folder.
pub fn configure(config: &mut ServiceConfig) {
    config.service(audio::audio).service(video::video);
}

/// An address and when it is good no longer.
struct SignedAddress {
    address: String,
    until: Timestamp,
}

/// The address at which this reader (`None`: anybody) fetches a key.
fn signed(key: &str, _reader: Option<UserId>, now: Timestamp) -> SignedAddress {
    SignedAddress { address: crate::media::Media::address(key), until: now.plus(2 * HOUR) }
}

/// The media type of a file, by the ending of its name.
fn kind_of(key: &str) -> &'static str {
    match key.rsplit('.').next() {
        Some("mp3") => "audio/mpeg",
        Some("m4a") => "audio/mp4",
        Some("opus" | "ogg") => "audio/ogg",
        Some("wav") => "audio/wav",
        Some("mp4") => "video/mp4",
        Some("webm") => "video/webm",
        _ => "application/octet-stream",
    }
}
