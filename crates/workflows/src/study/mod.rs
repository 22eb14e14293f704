//! What members keep of what they read.

pub mod cards;
pub mod changes;
pub mod exports;
mod heard;
pub mod highlights;
pub mod places;
pub mod shown;
