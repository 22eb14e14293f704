//! What members keep of what they read.

mod exports;
mod highlights;
mod places;
mod review;
