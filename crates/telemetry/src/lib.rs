//! What operators see of a process: structured logs, and counters in Prometheus' text form. No HTTP: the server counts its
//! requests here and responds with the text.

pub mod logs;
mod metrics;

pub use metrics::{Metrics, RunningRequest};
