//! The back office: its inbox, people, figures, log and the overview for editors.

mod content_overview;
mod demo_year;
mod grant_role;
mod inbox;
mod people;
mod recorded;
mod stats;
mod system;
