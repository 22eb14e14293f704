//! What members keep of what they read.

mod highlights;
