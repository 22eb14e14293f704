//! Editorial content: blog, podcast, the insight of the day, pages and product pages.

pub(crate) mod blog;
mod insight;
mod pages;
mod podcasts;
pub(crate) mod product_types;
pub(crate) mod types;

use utoipa_actix_web::service_config::ServiceConfig;

/// How many posts or episodes a page of a list has when the request does not say.
pub(crate) const PAGE: usize = 20;

/// The calls of this folder.
pub fn configure(config: &mut ServiceConfig) {
    config
        .service(blog::blog)
        .service(blog::post)
        .service(podcasts::podcasts)
        .service(podcasts::podcast)
        .service(insight::insight)
        .service(pages::page)
        .service(pages::product_page);
}
