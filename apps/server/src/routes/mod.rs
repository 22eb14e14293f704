//! The API's calls, one folder for each domain. A handler turns a request into domain values, calls one service or
//! flow, and turns the outcome into an answer.

pub mod assets;
pub mod books;
pub mod catalogue;
pub mod challenge;
pub mod downloads;
pub mod e_reader;
pub mod editorial;
pub mod events;
pub mod identity;
pub mod media;
pub mod ops;
pub mod reading_progress;
pub mod recordings;
pub mod referral;
pub mod summariser;
pub mod support;
pub mod visuals;

use utoipa::OpenApi;
use utoipa_actix_web::{AppExt, service_config::ServiceConfig};

use http_core::openapi::{Shared, add_failures};

/// Everything that stands in the OpenAPI document. Patterns are tried in this order: first what is requested most; lists of
/// books stand before the book of a name, which their addresses would match too.
pub fn configure(config: &mut ServiceConfig) {
    catalogue::configure(config);
    books::configure(config);
    reading_progress::configure(config);
    identity::configure(config);
    downloads::configure(config);
    recordings::configure(config);
    editorial::configure(config);
    referral::configure(config);
    billing_http::configure(config);
    visuals::configure(config);
    e_reader::configure(config);
    support::configure(config);
    back_office::configure(config);
    challenge::configure(config);
    summariser::configure(config);
    events::configure(config);
    config.service(ops::openapi).service(ops::healthz).service(ops::readyz);
}

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Pith",
        description = "Book summaries to read. Every success is `{\"status\":\"ok\",\"result\":…}`, every failure `{\"status\":\"error\",\"error\":\"…\",\"code\":\"…\"}`.",
        license(name = "", url = "")
    ),
    // Named in parameters and failures only, where the handlers' own collection does not look.
    components(schemas(http_core::error::Code, http_core::error::Failure, catalogue::types::list::SortName, reading_progress::types::ShelfName)),
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

    use http_core::wire::page::ListParams;

    use super::{
        catalogue::types::{
            book::ReadParams,
            directory::{AuthorsParams, SearchParams},
            list::BooksParams,
        },
        editorial::types::BlogParams,
        visuals::types::VisualsParams,
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
