//! The request log: one line per request, with its id.

use std::time::Instant;

use actix_web::{
    Error, FromRequest, HttpMessage,
    body::{BodySize, MessageBody},
    dev::{Payload, ServiceRequest, ServiceResponse},
};
use tracing::Span;
use tracing_actix_web::{RequestId, RootSpanBuilder};

use super::route::route_of;
use crate::extract::{ClientAddress, Subject};

/// The span of a request, and the log line at its end. Queries are not logged: they may contain search texts or tokens.
#[derive(Debug)]
pub struct RequestLog;

/// When a request began.
struct Began(Instant);

impl RootSpanBuilder for RequestLog {
    fn on_request_start(request: &ServiceRequest) -> Span {
        request.extensions_mut().insert(Began(Instant::now()));
        let id = request.extensions_id();
        tracing::info_span!(
            "request",
            id,
            method = %request.method(),
            path = shown(request.path()),
            status = tracing::field::Empty,
        )
    }

    fn on_request_end<B: MessageBody>(span: Span, outcome: &Result<ServiceResponse<B>, Error>) {
        match outcome {
            Ok(response) => {
                span.record("status", response.status().as_u16());
                span.in_scope(|| log(response));
            }
            Err(error) => {
                span.record("status", error.as_response_error().status_code().as_u16());
                span.in_scope(|| tracing::info!("done"));
            }
        }
    }
}

/// Logs route, duration, size, client and member. A response that is made while it is sent has no size yet, and its duration is that
/// until its first byte.
fn log<B: MessageBody>(response: &ServiceResponse<B>) {
    if !tracing::enabled!(tracing::Level::INFO) {
        return;
    }
    let request = response.request();
    let began = request.extensions().get::<Began>().map(|Began(began)| began.elapsed());
    let client = ClientAddress::from_request(request, &mut Payload::None).into_inner().ok();
    let bytes = match response.response().body().size() {
        BodySize::None => Some(0),
        BodySize::Sized(bytes) => Some(bytes),
        BodySize::Stream => None,
    };
    tracing::info!(
        route = &*route_of(request),
        duration_ms = began.map(|time| (time.as_secs_f64() * 1e5).round() / 1e2),
        bytes,
        client = client.map(|ClientAddress(address)| tracing::field::display(address)),
        user = request.extensions().get::<Subject>().map(|subject| subject.0.get()),
        "done"
    );
}

/// Path prefixes that are followed by a secret, which must not appear in the log.
const SECRETIVE: [&str; 3] = ["/reset-password/", "/subscriptioncode/", "/unsubscribe/"];

/// The part of a path that may be logged.
fn shown(path: &str) -> &str {
    SECRETIVE.into_iter().find(|start| path.starts_with(start)).unwrap_or(path)
}

trait ExtensionsId {
    fn extensions_id(&self) -> String;
}

impl ExtensionsId for ServiceRequest {
    fn extensions_id(&self) -> String {
        self.extensions().get::<RequestId>().map(ToString::to_string).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn a_log_shows_no_secret_of_an_address() {
        assert_eq!(shown("/reset-password/ada@example.com/c0de"), "/reset-password/");
        assert_eq!(shown("/subscriptioncode/ABCD-EFGH"), "/subscriptioncode/");
        assert_eq!(shown("/subscriptioncode"), "/subscriptioncode");
        assert_eq!(shown("/books/walden"), "/books/walden");
    }
}
