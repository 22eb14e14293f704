//! The API describes itself (`decisions.md` 10).

use utoipa::{
    Modify, OpenApi,
    openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme},
};

use crate::routes;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Pith",
        description = "Book summaries to read. Every success is `{\"status\":\"ok\",\"result\":…}`, every failure `{\"status\":\"error\",\"error\":\"…\",\"code\":\"…\"}`.",
        license(name = "", url = "")
    ),
    // Named in parameters and failures only, where the handlers' own collection does not look.
    components(schemas(crate::error::Code, crate::wire::list::SortName, crate::wire::progress::ShelfName)),
    modifiers(&Security)
)]
struct Frame;

struct Security;

impl Modify for Security {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let bearer = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .bearer_format("biscuit")
            .description(Some("The `token` of a login, valid for one hour."))
            .build();
        document.components.get_or_insert_default().add_security_scheme("token", SecurityScheme::Http(bearer));
        document.info.license = None;
    }
}

/// The document, made from the handlers themselves.
pub fn document() -> utoipa::openapi::OpenApi {
    use utoipa_actix_web::AppExt;
    let (_, document) = actix_web::App::new()
        .into_utoipa_app()
        .openapi(Frame::openapi())
        .configure(routes::configure)
        .split_for_parts();
    document
}
