//! What answers where no route does.

use actix_web::{HttpRequest, HttpResponse, Responder, http::Method, web::Data};

use crate::{app::App, http::error::ApiError, pages::nothing_here};

use super::ops::Document;

/// What answers where no route does: JSON under `/api`, a page elsewhere.
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
    // An address with a slash too many is the one without it.
    let trimmed = path.trim_end_matches('/');
    // To a browser `//` and `/\` begin the address of another site.
    if trimmed.len() < path.len() && trimmed.starts_with('/') && !trimmed[1..].starts_with(['/', '\\']) {
        let query = request.query_string();
        let address = if query.is_empty() { trimmed.to_owned() } else { format!("{trimmed}?{query}") };
        return Ok(HttpResponse::PermanentRedirect().insert_header(("Location", address)).finish());
    }
    nothing_here(&app, &request).await
}
