//! Statements in traces, and the trace that a job goes on with.

use std::collections::HashMap;

use ::jobs::TRACEPARENT;
use diesel::connection::{Instrumentation, InstrumentationEvent};
use opentelemetry::{global, trace::TraceContextExt};
use tracing::{Level, Span, field::Empty};
use tracing_opentelemetry::OpenTelemetrySpanExt;

/// The longest text of a statement in a trace, in bytes.
const LONGEST_TEXT: usize = 2_000;

/// Whether traces are sent.
pub(crate) fn are_sent() -> bool {
    tracing::span_enabled!(target: "trace", Level::DEBUG)
}

/// The current span of the current trace, as the value of a `traceparent` header; `None` if there is none.
pub(crate) fn current_context() -> Option<String> {
    if !are_sent() {
        return None;
    }
    let (context, mut carrier) = (Span::current().context(), HashMap::new());
    global::get_text_map_propagator(|propagator| propagator.inject_context(&context, &mut carrier));
    carrier.remove(TRACEPARENT)
}

/// Gives each statement of a connection a span. Its text is shown without the values.
#[derive(Debug, Default)]
pub(crate) struct StatementSpans {
    running: Option<Span>,
}

impl Instrumentation for StatementSpans {
    fn on_connection_event(&mut self, event: InstrumentationEvent<'_>) {
        match event {
            // Only within a trace that is kept: what runs by itself, such as a worker's polls, would be a trace of one span.
            InstrumentationEvent::StartQuery { query, .. } if is_in_kept_trace() => {
                let text = query.to_string();
                let text = without_values(&text);
                let name = text.split_whitespace().next().unwrap_or("statement");
                self.running = Some(tracing::debug_span!(
                    target: "trace",
                    "statement",
                    otel.name = name,
                    otel.kind = "client",
                    otel.status_code = Empty,
                    db.system.name = "postgresql",
                    db.query.text = text,
                ));
            }
            InstrumentationEvent::FinishQuery { error, .. } => {
                if let (Some(span), Some(_)) = (self.running.take(), error) {
                    span.record("otel.status_code", "ERROR");
                }
            }
            _ => {}
        }
    }
}

fn is_in_kept_trace() -> bool {
    Span::current().context().span().span_context().is_sampled()
}

/// The text of a statement as Diesel shows it, without the values that it adds, and not too long.
fn without_values(text: &str) -> &str {
    let text = text.split(" -- binds: ").next().unwrap_or_default();
    &text[..text.floor_char_boundary(LONGEST_TEXT)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trace_shows_no_values() {
        assert_eq!(without_values("SELECT 1 -- binds: [\"ada@example.com\"]"), "SELECT 1");
        assert_eq!(without_values("BEGIN"), "BEGIN");
        assert_eq!(without_values(&"é".repeat(LONGEST_TEXT)).len(), LONGEST_TEXT);
    }
}
