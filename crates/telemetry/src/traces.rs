//! Traces, sent over OTLP when `OTEL_EXPORTER_OTLP_ENDPOINT` is set.
//!
//! A trace has the spans with the target [`TARGET`], at the level of debugging so that the log does not show them: requests,
//! statements, jobs and calls of other services. A job continues the trace of what has queued it (`jobs.trace_context`).

use std::sync::OnceLock;

use kernel::config::Variables;
use opentelemetry::{global, trace::TracerProvider};
use opentelemetry_otlp::SpanExporter;
use opentelemetry_sdk::{Resource, propagation::TraceContextPropagator, trace::SdkTracerProvider};
use tracing::Subscriber;
use tracing_subscriber::{Layer, filter::filter_fn, registry::LookupSpan};
use url::Url;

/// The target of the spans of a trace.
pub const TARGET: &str = "trace";

/// The name of the service that traces are of, unless `OTEL_SERVICE_NAME` gives another.
const SERVICE: &str = "pith";

/// Variables that the exporter alone reads: of OpenTelemetry's specification.
const READ_BY_EXPORTER: [&str; 8] = [
    "OTEL_EXPORTER_OTLP_HEADERS",
    "OTEL_EXPORTER_OTLP_TIMEOUT",
    "OTEL_RESOURCE_ATTRIBUTES",
    "OTEL_TRACES_SAMPLER",
    "OTEL_TRACES_SAMPLER_ARG",
    "OTEL_BSP_SCHEDULE_DELAY",
    "OTEL_BSP_MAX_QUEUE_SIZE",
    "OTEL_BSP_MAX_EXPORT_BATCH_SIZE",
];

/// Whether traces are sent. Where to, and which, the exporter reads of the environment itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TraceConfig {
    pub enabled: bool,
    /// Whether `OTEL_SERVICE_NAME` names the service.
    is_named: bool,
}

impl TraceConfig {
    /// Reads `OTEL_EXPORTER_OTLP_ENDPOINT`, and refuses a protocol other than protobuf over HTTP.
    pub fn read(vars: &Variables) -> Self {
        const ENDPOINT: &str = "OTEL_EXPORTER_OTLP_ENDPOINT";
        const PROTOCOL: &str = "OTEL_EXPORTER_OTLP_PROTOCOL";
        let endpoint = vars.trimmed(ENDPOINT);
        let is_http = |text: &String| Url::parse(text).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
        if let Some(text) = endpoint.as_ref().filter(|text| !is_http(text)) {
            vars.refuse(ENDPOINT, format!("is the URL of a collector, such as http://localhost:4318, not '{text}'"));
        }
        if let Some(protocol) = vars.trimmed(PROTOCOL).filter(|protocol| protocol != "http/protobuf") {
            vars.refuse(PROTOCOL, format!("is http/protobuf, the only one that is spoken, not '{protocol}'"));
        }
        // Known names: a check warns of others.
        for name in READ_BY_EXPORTER {
            drop(vars.get(name));
        }
        Self { enabled: endpoint.is_some(), is_named: vars.get("OTEL_SERVICE_NAME").is_some() }
    }
}

/// The provider of the process, once traces are sent.
static PROVIDER: OnceLock<SdkTracerProvider> = OnceLock::new();

/// The layer that sends traces; `None` if none are sent.
///
/// # Errors
/// The exporter can't be made.
pub(crate) fn layer<S>(config: TraceConfig) -> anyhow::Result<Option<impl Layer<S> + Send + Sync>>
where
    S: Subscriber + for<'a> LookupSpan<'a> + Send + Sync,
{
    if !config.enabled {
        return Ok(None);
    }
    // The exporter's client takes the TLS provider of the process.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let resource = Resource::builder();
    let resource = if config.is_named { resource } else { resource.with_service_name(SERVICE) };
    let exporter = SpanExporter::builder().with_http().build()?;
    let provider = SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource.build()).build();
    global::set_text_map_propagator(TraceContextPropagator::new());
    let layer = tracing_opentelemetry::layer()
        .with_tracer(provider.tracer(SERVICE))
        .with_location(false)
        .with_threads(false)
        .with_target(false)
        .with_level(false)
        .with_tracked_inactivity(false);
    let _ = PROVIDER.set(provider);
    Ok(Some(layer.with_filter(filter_fn(|metadata| metadata.is_span() && metadata.target() == TARGET))))
}

/// Sends what is left. Blocks for some seconds at most.
pub fn shut_down() {
    if let Some(Err(error)) = PROVIDER.get().map(SdkTracerProvider::shutdown) {
        tracing::debug!(%error, "the last spans could not be sent");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(endpoint: &str, protocol: &str) -> Result<bool, String> {
        let vars =
            Variables::new([("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint), ("OTEL_EXPORTER_OTLP_PROTOCOL", protocol)]);
        let config = TraceConfig::read(&vars);
        vars.finish(Some(config.enabled)).map_err(|error| error.to_string())
    }

    #[test]
    fn only_a_collector_that_is_understood_is_taken() {
        assert_eq!(read("", ""), Ok(false));
        assert_eq!(read("http://localhost:4318", ""), Ok(true));
        assert_eq!(read("https://otel.example", "http/protobuf"), Ok(true));
        assert!(read("localhost:4317", "").unwrap_err().starts_with("OTEL_EXPORTER_OTLP_ENDPOINT: "));
        assert!(read("http://localhost:4317", "grpc").unwrap_err().starts_with("OTEL_EXPORTER_OTLP_PROTOCOL: "));
    }
}
