//! One line for each request, with its id.

use actix_web::{
    Error,
    body::MessageBody,
    dev::{ServiceRequest, ServiceResponse},
};
use tracing::Span;
use tracing_actix_web::{RequestId, RootSpanBuilder};

/// The span of a request, and the line at its end. Queries are not logged: they may hold what somebody searched for,
/// or a token.
#[derive(Debug)]
pub struct RequestLog;

impl RootSpanBuilder for RequestLog {
    fn on_request_start(request: &ServiceRequest) -> Span {
        let id = request.extensions_id();
        tracing::info_span!(
            "request",
            id,
            method = %request.method(),
            path = request.path(),
            status = tracing::field::Empty,
        )
    }

    fn on_request_end<B: MessageBody>(span: Span, outcome: &Result<ServiceResponse<B>, Error>) {
        let status = match outcome {
            Ok(response) => response.status(),
            Err(error) => error.as_response_error().status_code(),
        };
        span.record("status", status.as_u16());
        span.in_scope(|| tracing::info!("done"));
    }
}

trait ExtensionsId {
    fn extensions_id(&self) -> String;
}

impl ExtensionsId for ServiceRequest {
    fn extensions_id(&self) -> String {
        use actix_web::HttpMessage;
        self.extensions().get::<RequestId>().map(ToString::to_string).unwrap_or_default()
    }
}
