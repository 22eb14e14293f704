//! The catalogue over HTTP: lists, search, books, recordings, key ideas, authors and collections.

pub(crate) mod authors;
pub(crate) mod back_office;
mod books;
pub(crate) mod collections;
mod errors;
pub(crate) mod idea_links;
mod open_book;
pub(crate) mod pages;
pub(crate) mod recordings;
pub(crate) mod types;
pub(crate) mod visuals;

use crate::http::openapi::Routes;

/// Registers the API routes of this module. Lists of books come before `/api/books/{id}`, whose pattern matches their paths too.
pub(crate) fn configure(config: &mut impl Routes) {
    config.service(books::books).service(books::list).service(books::categories).service(books::front);
    config.service(authors::authors).service(authors::author).service(books::search);
    config.service(collections::collections).service(collections::collection);
    // Before `/api/books/{id}`, like the lists.
    idea_links::configure(config);
    open_book::configure(config);
    recordings::configure(config);
    visuals::configure(config);
}
