//! Editing editorial texts.

pub mod banner;
pub mod insights;
pub mod pages;
pub mod podcasts;
pub mod posts;
