//! The HTTP layer, with a module per feature: handlers, those of the back office (`back_office`), wire types, error mapping
//! (`errors.rs`) and pages. A handler parses a request into domain values, calls one workflow or service, and converts the
//! outcome to a response.
//!
//! Shared modules: [`http`], which knows no feature; the state of a process, [`app::App`]; extractors of the caller (`extract`);
//! [`middleware`]; cached responses and pages (`cached_responses`, `pages`). A feature calls no handler of another.

mod admin;
pub mod app;
mod billing;
mod cached_responses;
mod catalogue;
mod challenge;
mod delivery;
mod editing;
mod editorial;
mod exports;
mod extract;
pub mod http;
mod identity;
pub mod middleware;
mod pages;
mod reading_progress;
mod referral;
pub mod site;
mod site_policy;
mod study;
mod summaries;
mod support;
mod system_state;

use actix_web::web;
pub use admin::JobKinds;
use utoipa::OpenApi;
use utoipa_actix_web::AppExt;

use crate::http::openapi::{Routes, Shared, add_failures};

/// Registers all routes of the OpenAPI document. Patterns are tried in this order, so the most requested ones come first.
pub fn configure(config: &mut impl Routes) {
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
    study::configure(config);
    site::configure(config);
    admin::configure(config);
    catalogue::back_office::configure(config);
    editorial::back_office::configure(config);
    challenge::back_office::configure(config);
    billing::back_office::configure(config);
    support::back_office::configure(config);
}

/// Registers the routes of pages, which are not part of the OpenAPI document.
pub fn configure_pages(config: &mut web::ServiceConfig) {
    catalogue::pages::configure(config);
    editorial::pages::configure(config);
    study::pages::configure(config);
    challenge::pages::configure(config);
    billing::pages::configure(config);
    delivery::configure_e_reader_programs(config);
    site::configure_addresses(config);
}

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Pith",
        description = "Book summaries to read. Every success is `{\"status\":\"ok\",\"result\":…}`, every failure `{\"status\":\"error\",\"error\":\"…\",\"code\":\"…\"}`.",
        license(name = "", url = "")
    ),
    // Used in parameters and failures only, where utoipa does not collect schemas.
    components(schemas(http::error::Code, http::error::Failure, catalogue::types::list::SortName, reading_progress::types::ShelfName)),
    modifiers(&Shared)
)]
struct Frame;

/// The OpenAPI document, generated from the handlers.
pub fn document() -> utoipa::openapi::OpenApi {
    let app = actix_web::App::new().into_utoipa_app().openapi(Frame::openapi());
    let (_, mut document) = app.configure(|config| configure(config)).split_for_parts();
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

    /// A parameter that is missing from `NAMES` would be missing from the keys of cached responses.
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
