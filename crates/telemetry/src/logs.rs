//! Structured logs.

use std::{
    io::stderr,
    sync::atomic::{AtomicBool, Ordering},
};

use kernel::config::Variables;
use tracing::{Metadata, level_filters::LevelFilter};
use tracing_subscriber::{
    EnvFilter, Layer, filter::dynamic_filter_fn, fmt, layer::SubscriberExt, registry, util::SubscriberInitExt,
};

use crate::traces::{self, TraceConfig};

/// Whether the listening socket was shut down on purpose.
static LISTENER_CLOSED: AtomicBool = AtomicBool::new(false);

/// Stops logging what the web server's accept thread reports about the listening socket. The thread pauses some time
/// after the shutdown begins, and until then reports the closed socket as a failure.
pub fn expect_closed_listener() {
    LISTENER_CLOSED.store(true, Ordering::Relaxed);
}

/// What is logged, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogConfig {
    /// Filters in the syntax of `tracing`'s `EnvFilter`.
    pub filter: String,
    /// JSON lines; otherwise plain text.
    pub json: bool,
}

impl LogConfig {
    /// Reads `LOG` (default `info`) and `LOG_FORMAT` (`json` or `text`).
    pub fn read(vars: &Variables) -> Self {
        const LOG: &str = "LOG";
        let filter = vars.trimmed(LOG).unwrap_or_else(|| "info".to_owned());
        // A single word that is no level would be taken for the name of a module, and everything else would be silent.
        let is_silent = |one: &str| !one.contains(['=', '[', ':']) && one.parse::<LevelFilter>().is_err();
        if let Err(error) = EnvFilter::try_new(&filter) {
            vars.refuse(LOG, error.to_string());
        } else if filter.split(',').all(|one| is_silent(one.trim())) {
            vars.refuse(LOG, format!("is a level or filters, such as info,web=debug, not '{filter}'"));
        }
        Self { filter, json: vars.one_of("LOG_FORMAT", [("json", true), ("text", false)]).unwrap_or(true) }
    }
}

/// Initializes logging to standard error, and traces.
///
/// # Errors
/// The process has a log already, or traces can't be sent.
pub fn init(config: &LogConfig, traces: TraceConfig) -> anyhow::Result<()> {
    // Each layer has filters of its own: the log shows no spans of traces.
    let shown = EnvFilter::try_new(&config.filter)?;
    let log = if config.json {
        fmt::layer()
            .json()
            .flatten_event(true)
            .with_current_span(true)
            .with_span_list(false)
            .with_writer(stderr)
            .boxed()
    } else {
        fmt::layer().with_writer(stderr).boxed()
    };
    let log = log.with_filter(shown).with_filter(dynamic_filter_fn(|metadata, _| is_expected(metadata)));
    registry().with(log).with(traces::layer(traces)?).try_init()?;
    Ok(())
}

/// Whether something may be logged: anything but what the accept thread reports of a socket that was closed on purpose.
fn is_expected(metadata: &Metadata<'_>) -> bool {
    metadata.target() != "actix_server::accept" || !LISTENER_CLOSED.load(Ordering::Relaxed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_that_would_silence_the_log_are_refused() {
        let read = |filter: &str, format: &str| {
            let vars = Variables::new([("LOG", filter), ("LOG_FORMAT", format)]);
            let config = LogConfig::read(&vars);
            vars.finish(Some(config)).map_err(|error| error.to_string())
        };
        assert_eq!(read("", ""), Ok(LogConfig { filter: "info".to_owned(), json: true }));
        assert_eq!(read("warn,web=debug", "text"), Ok(LogConfig { filter: "warn,web=debug".to_owned(), json: false }));
        for filter in ["off", "web=debug", "TRACE", "info,hyper"] {
            assert!(read(filter, "").is_ok(), "{filter}");
        }
        for filter in ["verbose", "everything,all", "info=maybe"] {
            assert!(read(filter, "").unwrap_err().starts_with("LOG: "), "{filter}");
        }
        assert!(read("", "xml").unwrap_err().starts_with("LOG_FORMAT: is 'json' or 'text'"));
    }
}
