//! Editorial content over HTTP: blog, podcast, the insight of the day, pages and product pages.

pub(crate) mod back_office;
pub(crate) mod blog;
mod errors;
mod insight;
pub(crate) mod pages;
mod podcasts;
pub(crate) mod product_types;
mod site_pages;
pub(crate) mod types;

use crate::http::openapi::Routes;

/// The default page size of lists of posts and episodes.
pub(crate) const PAGE: usize = 20;

/// Registers the API routes of this module.
pub fn configure(config: &mut impl Routes) {
    config
        .service(blog::blog)
        .service(blog::post)
        .service(podcasts::podcasts)
        .service(podcasts::podcast)
        .service(insight::insight)
        .service(site_pages::page)
        .service(site_pages::product_page);
}
