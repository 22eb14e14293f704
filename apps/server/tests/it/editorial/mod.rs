//! Editorial content, and how editors change it.

mod content;
mod editing_rows;
mod editing_site;
mod publication;
mod revisions;
