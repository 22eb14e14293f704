//! Editing books, and the names that sort them: authors, categories, collections, goals and tags.

pub mod books;
pub mod categories;
mod changes;
pub mod collections;
pub mod delete_book;
pub mod goals;
pub mod idea_links;
pub mod names;
pub mod visuals;
