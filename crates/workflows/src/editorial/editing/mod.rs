//! Editing the banner, insights, pages, podcast episodes and posts.

pub mod banner;
pub mod insights;
pub mod pages;
pub mod podcasts;
pub mod posts;
