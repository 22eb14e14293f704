//! Editing the banner, insights, pages, podcast episodes and posts; their publication at a moment and their revisions.

pub mod banner;
pub mod insights;
pub mod pages;
pub mod podcasts;
pub mod posts;
mod publication;
pub mod publish_posts;
pub mod restore;
pub mod revisions;
