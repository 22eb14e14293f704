//! The handler for unmatched paths.

use actix_web::{HttpRequest, HttpResponse, Responder, http::Method, web::Data};

use crate::{app::App, http::error::ApiError, pages::nothing_here};

use super::ops::Document;

/// Responds to paths without a route: a JSON error under `/api`, the 404 page elsewhere.
pub async fn not_found(
    app: Data<App>,
    document: Data<Document>,
    request: HttpRequest,
) -> Result<impl Responder, ApiError> {
    let path = request.path();
    if path == "/api" || path.starts_with("/api/") {
        return Err(document
            .methods_at(path)
            .map_or_else(|| ApiError::not_found("call"), |methods| ApiError::method_not_allowed(methods.to_owned())));
    }
    if request.method() != Method::GET {
        return Err(ApiError::method_not_allowed("GET, HEAD".to_owned()));
    }
    // Redirects a path with trailing slashes to the one without.
    let trimmed = path.trim_end_matches('/');
    // Browsers interpret a leading `//` or `/\` as another host: such a redirect would be an open redirect.
    if trimmed.len() < path.len() && trimmed.starts_with('/') && !trimmed[1..].starts_with(['/', '\\']) {
        let query = request.query_string();
        let address = if query.is_empty() { trimmed.to_owned() } else { format!("{trimmed}?{query}") };
        return Ok(HttpResponse::PermanentRedirect().insert_header(("Location", address)).finish());
    }
    nothing_here(&app, &request).await
}
