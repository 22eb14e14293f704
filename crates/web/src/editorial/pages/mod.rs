//! The pages of the blog, the podcast, the site and its products, and the feeds.

mod blog;
mod feeds;
mod podcasts;
mod product;
mod site_page;

use actix_web::web::{self, ServiceConfig};

/// The addresses of this folder.
pub(crate) fn configure(config: &mut ServiceConfig) {
    // Before the pages: a feed's address fits the pattern of a post's too.
    config
        .service(feeds::blog_feed)
        .service(feeds::podcast_feed)
        .service(blog::blog_page)
        .service(blog::whats_new_page)
        .service(blog::post_page)
        .service(podcasts::podcasts_page)
        .service(podcasts::podcast_page);
    for slug in workflows::editorial::texts::SITE_PAGES {
        config.route(&format!("/{slug}"), web::get().to(move |app, request| site_page::show(app, request, slug)));
    }
    for (path, slug) in workflows::editorial::product_pages::routes() {
        config.route(path, web::get().to(move |app, request| product::show(app, request, slug)));
    }
}
