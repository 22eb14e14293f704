//! Structured logs, and metrics in the Prometheus text format. No HTTP: the server counts its requests here and serves
//! the text.

pub mod logs;
mod metrics;

pub use metrics::{Metrics, RunningRequest};
