//! The back office: its inbox, people, figures and log.

mod grant_role;
mod inbox;
mod people;
mod recorded;
mod stats;
