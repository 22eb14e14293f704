//! People in the back office, and the overview for editors.

pub mod content_overview;
pub mod people;
