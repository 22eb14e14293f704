//! Summaries of members' own pages, files and texts.

mod own_summaries;
