//! Request metrics.

use actix_web::{
    Error,
    body::MessageBody,
    dev::{ServiceRequest, ServiceResponse},
    http::Method,
    middleware::Next,
    web::Data,
};

use super::route::route_of;
use crate::app::App;

/// Counts every request under its route.
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
        let route = route_of(request);
        app.metrics.count_response(&route, known(request.method()), response.status().as_str(), started.elapsed());
    }
    outcome
}

/// The name of a standard method, or one label for all others: clients can invent any number of methods.
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
