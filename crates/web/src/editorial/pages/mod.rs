//! The pages of the blog, the podcast, the site and its products, and the feeds.

mod blog;
mod feeds;
mod podcasts;
mod product;
mod site_page;

use actix_web::web::{self, ServiceConfig};

/// Registers the page routes of this module.
pub(crate) fn configure(config: &mut ServiceConfig) {
    // Before the pages: the pattern of a post's path matches a feed's path too.
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
