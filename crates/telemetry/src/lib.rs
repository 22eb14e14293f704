//! Structured logs, metrics in the Prometheus text format, and traces over OTLP. No HTTP: the server counts its requests here and serves
//! the text.

mod families;
pub mod logs;
mod metrics;
pub mod traces;

pub use metrics::{BuildInfo, InstanceState, Metrics, RunningRequest};
