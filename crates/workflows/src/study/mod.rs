//! What members keep of what they read.

pub mod highlights;
