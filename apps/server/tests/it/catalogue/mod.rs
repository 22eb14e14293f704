//! Books and what belongs to them: found, loaded, edited, drawn and recorded.

mod books;
mod discovery;
mod drawings;
mod editing;
mod editing_names;
mod editors_day;
mod idea_links;
pub(crate) mod recordings;
mod slow_drawings;
mod text_pictures;
mod uploads;
mod visuals;
