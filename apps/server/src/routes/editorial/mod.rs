//! What the house writes: blog, podcast, the insight of the day, its pages, and what can be had.

pub(crate) mod blog;
mod insight;
mod pages;
mod podcast;
mod podcasts;
mod post;
mod product_page;

use utoipa_actix_web::service_config::ServiceConfig;

/// How many posts or episodes a page of a list has when the request does not say.
pub(crate) const PAGE: usize = 20;

/// The calls of this folder.
pub fn configure(config: &mut ServiceConfig) {
    config
        .service(blog::blog)
        .service(post::post)
        .service(podcasts::podcasts)
        .service(podcast::podcast)
        .service(insight::insight)
        .service(pages::page)
        .service(product_page::product_page);
}
