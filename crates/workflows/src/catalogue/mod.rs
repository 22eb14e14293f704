//! Books and what belongs to them: lists, texts, recordings, key ideas and infographics; and editing them.

pub mod book_lists;
pub mod drawings;
pub mod editing;
pub mod infographics;
pub mod recordings;
pub mod suggestions;
pub mod view_book;
pub mod visuals;
