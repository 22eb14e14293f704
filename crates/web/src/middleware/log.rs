//! The request log: one line per request, with its id.

use actix_web::{
    Error,
    body::MessageBody,
    dev::{ServiceRequest, ServiceResponse},
};
use tracing::Span;
use tracing_actix_web::{RequestId, RootSpanBuilder};

/// The span of a request, and the log line at its end. Queries are not logged: they may contain search texts or tokens.
#[derive(Debug)]
pub struct RequestLog;

impl RootSpanBuilder for RequestLog {
    fn on_request_start(request: &ServiceRequest) -> Span {
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
        let status = match outcome {
            Ok(response) => response.status(),
            Err(error) => error.as_response_error().status_code(),
        };
        span.record("status", status.as_u16());
        span.in_scope(|| tracing::info!("done"));
    }
}

/// Path prefixes that are followed by a secret, which must not appear in the log.
const SECRETIVE: [&str; 2] = ["/reset-password/", "/subscriptioncode/"];

/// The part of a path that may be logged.
fn shown(path: &str) -> &str {
    SECRETIVE.into_iter().find(|start| path.starts_with(start)).unwrap_or(path)
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
