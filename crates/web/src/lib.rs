//! HTTP in front of the features, a folder for each: handlers, those of the back office (`back_office`), wire types beside them, `errors.rs`
//! and pages. A handler turns a request into domain values, calls one workflow or service, and turns the outcome into an answer.
//!
//! What they stand on: [`http`], which knows no feature; the parts of a process, [`app::App`]; who asks (`extract`), what happens to every
//! request ([`middleware`]), responses and pages from the cache (`cached_responses`, `pages`). A feature calls no handler of another.

mod admin;
pub mod app;
mod billing;
mod cached_responses;
mod catalogue;
mod challenge;
mod delivery;
mod editing;
mod editorial;
mod extract;
pub mod http;
mod identity;
pub mod middleware;
mod pages;
mod reading_progress;
mod referral;
pub mod site;
mod site_policy;
mod summaries;
mod support;

use actix_web::web;
pub use admin::JobKinds;
use utoipa::OpenApi;
use utoipa_actix_web::{AppExt, service_config::ServiceConfig};

use crate::http::openapi::{Shared, add_failures};

/// Everything that stands in the OpenAPI document. Patterns are tried in this order: first what is requested most.
pub fn configure(config: &mut ServiceConfig) {
    catalogue::configure(config);
    reading_progress::configure(config);
    identity::configure(config);
    delivery::configure(config);
    editorial::configure(config);
    referral::configure(config);
    billing::configure(config);
    support::configure(config);
    challenge::configure(config);
    summaries::configure(config);
    site::configure(config);
    admin::configure(config);
    catalogue::back_office::configure(config);
    editorial::back_office::configure(config);
    challenge::back_office::configure(config);
    billing::back_office::configure(config);
    support::back_office::configure(config);
}

/// The site's addresses.
pub fn configure_pages(config: &mut web::ServiceConfig) {
    catalogue::pages::configure(config);
    editorial::pages::configure(config);
    challenge::pages::configure(config);
    billing::pages::configure(config);
    site::configure_addresses(config);
}

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Pith",
        description = "Book summaries to read. Every success is `{\"status\":\"ok\",\"result\":…}`, every failure `{\"status\":\"error\",\"error\":\"…\",\"code\":\"…\"}`.",
        license(name = "", url = "")
    ),
    // Named in parameters and failures only, where the handlers' own collection does not look.
    components(schemas(http::error::Code, http::error::Failure, catalogue::types::list::SortName, reading_progress::types::ShelfName)),
    modifiers(&Shared)
)]
struct Frame;

/// The OpenAPI document, made from the handlers themselves.
pub fn document() -> utoipa::openapi::OpenApi {
    let app = actix_web::App::new().into_utoipa_app().openapi(Frame::openapi());
    let (_, mut document) = app.configure(configure).split_for_parts();
    add_failures(&mut document);
    document
}

#[cfg(test)]
mod tests {
    use utoipa::IntoParams;

    use crate::http::wire::page::ListParams;

    use super::{
        catalogue::types::{
            book::ReadParams,
            directory::{AuthorsParams, SearchParams},
            list::BooksParams,
        },
        catalogue::visuals::types::VisualsParams,
        editorial::types::BlogParams,
    };

    /// A parameter that is missing among the names would be missing in the keys of cached responses.
    #[test]
    fn the_keys_of_cached_responses_name_every_documented_parameter() {
        fn documented<P: IntoParams>() -> Vec<String> {
            P::into_params(|| None).into_iter().map(|parameter| parameter.name).collect()
        }
        assert_eq!(documented::<BooksParams>(), BooksParams::NAMES);
        assert_eq!(documented::<AuthorsParams>(), AuthorsParams::NAMES);
        assert_eq!(documented::<SearchParams>(), SearchParams::NAMES);
        assert_eq!(documented::<BlogParams>(), BlogParams::NAMES);
        assert_eq!(documented::<VisualsParams>(), VisualsParams::NAMES);
        assert_eq!(documented::<ListParams>(), ListParams::NAMES);
        assert_eq!(documented::<ReadParams>(), ReadParams::NAMES);
    }
}
