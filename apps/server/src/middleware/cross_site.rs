//! Another site's page may not act with the member's cookies.

use actix_web::{
    Error,
    body::MessageBody,
    dev::{ServiceRequest, ServiceResponse},
    http::{Method, header},
    middleware::Next,
    web::Data,
};

use crate::{
    app::App,
    error::{ApiError, Code},
};

/// Refuses unsafe requests that a browser says come from elsewhere. Programs send neither header and pass.
pub async fn refuse_other_sites<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    let safe = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    if !safe && is_from_elsewhere(&request) {
        return Err(ApiError::new(Code::CrossSite, "This request came from another site's page.").into());
    }
    next.call(request).await
}

fn is_from_elsewhere(request: &ServiceRequest) -> bool {
    let header = |name: header::HeaderName| request.headers().get(name).map(|value| value.to_str().unwrap_or("?"));
    // Browsers set this themselves; no page can forge it.
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
