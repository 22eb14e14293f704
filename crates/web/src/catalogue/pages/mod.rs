//! The catalogue's pages.

mod authors;
mod book;
mod booklist;
mod books;
mod category;
mod collections;
mod front;
mod ideas;
pub(crate) mod listing;
mod video;
mod visuals;

use actix_web::web::ServiceConfig;

/// Registers the page routes of this module.
pub(crate) fn configure(config: &mut ServiceConfig) {
    config
        .service(front::front_page)
        .service(books::books_page)
        .service(booklist::booklist_page)
        .service(category::category_page)
        .service(collections::collections_page)
        .service(collections::collection_page)
        .service(ideas::ideas_page)
        .service(ideas::ideas_of_topic_page)
        .service(authors::authors_page)
        .service(authors::author_page)
        .service(visuals::visuals_page)
        .service(visuals::visuals_of_book_page)
        .service(visuals::infographics_page)
        .service(book::book_page)
        .service(book::book_detail_page)
        .service(video::video_page);
}
