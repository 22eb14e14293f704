//! Security headers of every response. Those that follow from the configuration come from [`crate::site_policy`].

use actix_web::{
    Error, HttpMessage,
    body::MessageBody,
    dev::{ServiceRequest, ServiceResponse},
    http::header::{self, HeaderName, HeaderValue},
    middleware::Next,
    web::Data,
};

use tracing_actix_web::RequestId;

use crate::app::App;

/// Adds the headers, unless a route has set its own (media files have stricter ones).
pub async fn security_headers<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    let app = request.app_data::<Data<App>>().cloned();
    // The id in the log, so that a member's report can be found there.
    let id = request.extensions().get::<RequestId>().map(ToString::to_string);
    let mut response = next.call(request).await?;
    let headers = response.headers_mut();
    let mut set = |name: HeaderName, value: HeaderValue| {
        if !headers.contains_key(&name) {
            headers.insert(name, value);
        }
    };
    let fixed = HeaderValue::from_static;
    set(header::X_CONTENT_TYPE_OPTIONS, fixed("nosniff"));
    set(header::REFERRER_POLICY, fixed("strict-origin-when-cross-origin"));
    set(header::X_FRAME_OPTIONS, fixed("DENY"));
    set(HeaderName::from_static("cross-origin-resource-policy"), fixed("same-origin"));
    if let Some(app) = app {
        set(header::CONTENT_SECURITY_POLICY, app.policy.content.clone());
        set(HeaderName::from_static("permissions-policy"), app.policy.permissions.clone());
        set(HeaderName::from_static("cross-origin-opener-policy"), app.policy.opener.clone());
        if app.config.is_https() {
            set(header::STRICT_TRANSPORT_SECURITY, fixed("max-age=31536000; includeSubDomains"));
        }
    }
    if let Some(id) = id.and_then(|id| HeaderValue::from_str(&id).ok()) {
        headers.insert(HeaderName::from_static("x-request-id"), id);
    }
    Ok(response)
}
