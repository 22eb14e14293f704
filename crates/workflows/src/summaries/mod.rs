//! Summaries of members' own pages, files and texts.

pub mod summarise;
