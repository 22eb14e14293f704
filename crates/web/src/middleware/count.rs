//! Request metrics and traces.

use std::collections::HashMap;

use actix_web::{
    Error,
    body::MessageBody,
    dev::{ServiceRequest, ServiceResponse},
    http::Method,
    middleware::Next,
    web::Data,
};

use jobs::TRACEPARENT;
use opentelemetry::{global, trace::TraceContextExt};
use tracing::{Instrument, Span, field::Empty};
use tracing_opentelemetry::OpenTelemetrySpanExt;

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
    let span = trace_of(&request, &app);
    let outcome = next.call(request).instrument(span.clone()).await;
    drop(running);
    if let Ok(response) = &outcome {
        let request = response.request();
        let route = route_of(request);
        if !span.is_disabled() {
            let status = response.status();
            // Its name is known only now, when the span has long begun: `record` would come too late.
            span.context().span().update_name(format!("{} {route}", known(request.method())));
            span.record("http.route", &*route);
            span.record("http.response.status_code", status.as_u16());
            if status.is_server_error() {
                span.record("otel.status_code", "ERROR");
            }
        }
        app.metrics.count_response(&route, known(request.method()), response.status().as_str(), started.elapsed());
    }
    outcome
}

/// The span of a request in a trace. A trusted proxy's trace goes on; a client's own does not, or it would decide what is kept.
fn trace_of(request: &ServiceRequest, app: &App) -> Span {
    let span = tracing::debug_span!(
        target: "trace",
        "request",
        otel.kind = "server",
        otel.status_code = Empty,
        http.request.method = known(request.method()),
        http.route = Empty,
        http.response.status_code = Empty,
    );
    if !span.is_disabled() {
        let peer = request.peer_addr().map(|peer| peer.ip().to_canonical());
        let given = request.headers().get(TRACEPARENT).and_then(|value| value.to_str().ok());
        if let Some(parent) = given.filter(|_| peer.is_some_and(|peer| app.config.is_trusted_proxy(peer))) {
            let carrier = HashMap::from([(TRACEPARENT.to_owned(), parent.to_owned())]);
            // A span that is sampled already has no other parent.
            let _ = span.set_parent(global::get_text_map_propagator(|propagator| propagator.extract(&carrier)));
        }
    }
    span
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
