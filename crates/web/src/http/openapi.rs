//! Shared parts of the OpenAPI document (`api.self-description`), which `web::document` builds.
//!
//! A handler declares its success response and its specific failures ([`Conflict`], [`TooManyTries`], …). Failures that
//! follow from the kind of operation are added by [`failures_of_kind`]. Each is listed once under `components/responses`.

use std::collections::BTreeMap;

use actix_web::{dev::HttpServiceFactory, web::ServiceConfig};
use utoipa::{
    IntoResponses, Modify,
    openapi::{
        Components, HttpMethod, Ref, RefOr, Response,
        content::ContentBuilder,
        path::{Operation, ParameterIn},
        response::ResponseBuilder,
        security::{HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme},
    },
};
use utoipa_actix_web::OpenApiFactory;

/// Where handlers are registered: the routes of a running server, or those of the document, which also collects what the handlers
/// say of themselves. A server has the routes once a thread, and the descriptions would take more memory than all else.
pub trait Routes {
    /// Registers a handler. Patterns are tried in the order of the calls.
    fn service<F: HttpServiceFactory + OpenApiFactory + 'static>(&mut self, handler: F) -> &mut Self;
}

impl Routes for ServiceConfig {
    fn service<F: HttpServiceFactory + OpenApiFactory + 'static>(&mut self, handler: F) -> &mut Self {
        self.service(handler)
    }
}

impl Routes for utoipa_actix_web::service_config::ServiceConfig<'_> {
    fn service<F: HttpServiceFactory + OpenApiFactory + 'static>(&mut self, handler: F) -> &mut Self {
        self.service(handler)
    }
}

/// The security scheme of calls that take an API token.
const API_TOKEN: &str = "apiToken";

/// Adds the security schemes and the shared responses to the document.
pub struct Shared;

impl Modify for Shared {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let bearer = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .bearer_format("biscuit")
            .description(Some("The `token` of a login, valid for one hour."))
            .build();
        let api_token = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .description(Some("A token of a member's own programs, of `POST /api/user/tokens`."))
            .build();
        let components = document.components.get_or_insert_default();
        components.add_security_scheme(API_TOKEN, SecurityScheme::Http(api_token));
        components.add_security_scheme("token", SecurityScheme::Http(bearer));
        add_shared_responses(components);
        document.info.license = None;
    }
}

/// Defines the shared responses. Each is a type, which a handler lists in its `responses`. Its doc comment becomes the
/// response's description in the API.
macro_rules! shared_responses {
    ($($(#[doc = $description:literal])+ $name:ident = $status:literal),+ $(,)?) => {
        $(
            $(#[doc = $description])+
            #[derive(Clone, Copy, Debug)]
            pub struct $name;

            impl IntoResponses for $name {
                fn responses() -> BTreeMap<String, RefOr<Response>> {
                    let reference = Ref::from_response_name(stringify!($name));
                    BTreeMap::from([($status.to_string(), RefOr::Ref(reference))])
                }
            }
        )+

        fn add_shared_responses(components: &mut Components) {
            $(components.responses.insert(
                stringify!($name).to_owned(),
                RefOr::T(shared_response($status, concat!($($description),+).trim())),
            );)+
        }
    };
}

shared_responses! {
    /// Unchanged.
    Unchanged = 304,
    /// The body can't be read, or what it carries for a sign-in is wrong.
    BadRequest = 400,
    /// The access token is missing, expired or revoked.
    Unauthenticated = 401,
    /// The payment provider declined, and nothing was charged.
    PaymentRequired = 402,
    /// Not for this role, this plan, or another site's page.
    Forbidden = 403,
    /// There is no such thing, or not for the one who asks.
    NotFound = 404,
    /// The body took too long to arrive.
    TooSlow = 408,
    /// It is there already.
    Conflict = 409,
    /// The body is too large.
    PayloadTooLarge = 413,
    /// The path and the query are longer than 8 kB.
    UriTooLong = 414,
    /// The body is not JSON.
    UnsupportedMediaType = 415,
    /// A value breaks a rule, or a parameter can't be read; `field` names it.
    ValidationFailed = 422,
    /// Too many attempts; `Retry-After` says how many seconds to wait.
    TooManyTries = 429,
    /// Something went wrong here.
    Internal = 500,
    /// A service that the server needs can't be reached.
    BadGateway = 502,
    /// The server can't do it now; `Retry-After` says how many seconds to wait.
    Busy = 503,
    /// The disk or the object store is full; nothing was stored.
    StorageFull = 507,
}

/// The body is a [`crate::http::error::Failure`]; a `304` has none.
fn shared_response(status: u16, description: &str) -> Response {
    let response = ResponseBuilder::new().description(description);
    if status < 400 {
        return response.build();
    }
    let body = ContentBuilder::new().schema(Some(Ref::from_schema_name("Failure"))).build();
    response.content("application/json", body).build()
}

/// The failures that an operation can have because of its path, method, security, parameters and body.
fn failures_of_kind(path: &str, method: &HttpMethod, operation: &Operation) -> Vec<BTreeMap<String, RefOr<Response>>> {
    // `/healthz`, `/readyz` and this document declare no security: they read neither a token nor rows of the database.
    let Some(security) = &operation.security else { return Vec::new() };
    let mut failures = vec![Internal::responses(), Busy::responses()];
    if security.iter().any(|requirement| *requirement != SecurityRequirement::default()) {
        failures.push(Unauthenticated::responses());
    }
    // A token of a program has a rate limit, and may lack the scope.
    if security.contains(&SecurityRequirement::new::<_, [String; 0], String>(API_TOKEN, [])) {
        failures.extend([Forbidden::responses(), TooManyTries::responses()]);
    }
    // The back office is for admins and editors; every change is refused when it comes from another site's page.
    if *method != HttpMethod::Get || path.starts_with("/api/admin/") {
        failures.push(Forbidden::responses());
    }
    let takes = |place: &ParameterIn| {
        operation.parameters.iter().flatten().any(|parameter| match parameter {
            RefOr::T(parameter) => parameter.parameter_in == *place,
            RefOr::Ref(_) => false,
        })
    };
    if takes(&ParameterIn::Path) {
        failures.push(NotFound::responses());
    }
    if takes(&ParameterIn::Path) || takes(&ParameterIn::Query) {
        failures.push(UriTooLong::responses());
    }
    // U+0000 is rejected in paths, queries and bodies.
    if takes(&ParameterIn::Path) || takes(&ParameterIn::Query) || operation.request_body.is_some() {
        failures.push(ValidationFailed::responses());
    }
    if operation.request_body.is_some() {
        failures.extend([BadRequest::responses(), TooSlow::responses()]);
        failures.extend([PayloadTooLarge::responses(), UnsupportedMediaType::responses()]);
    }
    let body = operation.request_body.as_ref();
    let is_upload = body.is_some_and(|body| match body {
        RefOr::T(body) => body.content.contains_key("multipart/form-data"),
        RefOr::Ref(_) => false,
    });
    if is_upload {
        failures.push(StorageFull::responses());
    }
    failures
}

/// Adds the common failures to every operation of the document.
pub fn add_failures(document: &mut utoipa::openapi::OpenApi) {
    for (path, item) in &mut document.paths.paths {
        let operations = [
            (HttpMethod::Get, &mut item.get),
            (HttpMethod::Put, &mut item.put),
            (HttpMethod::Post, &mut item.post),
            (HttpMethod::Delete, &mut item.delete),
        ];
        for (method, operation) in operations {
            let Some(operation) = operation else { continue };
            for failure in failures_of_kind(path, &method, operation) {
                operation.responses.responses.extend(failure);
            }
        }
    }
}
