//! Counting requests.

use actix_web::{
    Error,
    body::MessageBody,
    dev::{ServiceRequest, ServiceResponse},
    http::Method,
    middleware::Next,
    web::Data,
};

use crate::app::App;

/// Counts every request under its route's pattern, never under its address: addresses have no end.
pub async fn count_requests<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    let Some(app) = request.app_data::<Data<App>>().cloned() else { return next.call(request).await };
    let started = std::time::Instant::now();
    let running = app.metrics.begin_request();
    let outcome = next.call(request).await;
    drop(running);
    if let Ok(response) = &outcome {
        let request = response.request();
        let pattern = request.match_pattern();
        let route = pattern.as_deref().unwrap_or("other");
        app.metrics.count_response(route, known(request.method()), response.status().as_str(), started.elapsed());
    }
    outcome
}

/// A method's name if HTTP has it. Strangers can make up names without end, and every name is kept.
fn known(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}
