//! CSRF protection: pages of other sites can't act with the member's cookies.

use actix_web::{
    Error, ResponseError,
    body::{EitherBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    http::{Method, header},
    middleware::Next,
    web::Data,
};

use crate::{
    app::App,
    http::error::{ApiError, Code},
};

/// Exempt: Apple's page posts here. The handler uses no cookie.
const APPLE: &str = "/api/apple/oauth/callback";

/// Exempt: mail programs post here to unsubscribe (RFC 8058). The handler uses no cookie.
const UNSUBSCRIBE: &str = "/unsubscribe/";

/// Rejects unsafe requests from another origin, by `Sec-Fetch-Site` or `Origin`. Clients other than browsers send neither
/// header and are accepted.
pub async fn refuse_other_sites<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, Error> {
    let safe = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    let is_open = request.path() == APPLE || request.path().starts_with(UNSUBSCRIBE);
    if !safe && !is_open && is_from_elsewhere(&request) {
        // A response instead of an error, so that it is counted and gets the security headers.
        let refusal = ApiError::new(Code::CrossSite, "This request came from another site's page.");
        return Ok(request.into_response(refusal.error_response()).map_into_right_body());
    }
    Ok(next.call(request).await?.map_into_left_body())
}

fn is_from_elsewhere(request: &ServiceRequest) -> bool {
    let header = |name: header::HeaderName| request.headers().get(name).map(|value| value.to_str().unwrap_or("?"));
    // Set by the browser; scripts can't forge it.
    if let Some(site) = header(header::HeaderName::from_static("sec-fetch-site")) {
        return !matches!(site, "same-origin" | "none");
    }
    match header(header::ORIGIN) {
        None => false,
        Some(origin) => {
            !request.app_data::<Data<App>>().is_some_and(|app| origin.eq_ignore_ascii_case(app.config.origin()))
        }
    }
}
