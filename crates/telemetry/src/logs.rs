//! Structured logs.

use std::{
    io::stderr,
    sync::atomic::{AtomicBool, Ordering},
};

use kernel::config::Variables;
use tracing::{Metadata, Subscriber, level_filters::LevelFilter, subscriber::Interest};
use tracing_subscriber::{
    EnvFilter, Layer,
    filter::{FilterExt, dynamic_filter_fn},
    fmt,
    layer::{Context, SubscriberExt},
    registry,
    registry::LookupSpan,
    util::SubscriberInitExt,
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
    let shown = EnvFilter::try_new(&config.filter)?;
    match traces::layer(traces)? {
        // The filters are global: what the log does not show costs nothing.
        None => registry().with(shown).with(AcceptThread).with(output(config)).try_init()?,
        // Each layer has filters of its own: the log shows no spans of traces. One filter for the log, because an outer one around
        // another would have every callsite ask it.
        Some(traces) => {
            let expected = dynamic_filter_fn(|metadata, _| AcceptThread::is_expected(metadata))
                .with_callsite_filter(AcceptThread::interest)
                .with_max_level_hint(LevelFilter::TRACE);
            registry().with(output(config).with_filter(shown.and(expected))).with(traces).try_init()?;
        }
    }
    Ok(())
}

/// Writes lines to standard error.
fn output<S>(config: &LogConfig) -> Box<dyn Layer<S> + Send + Sync>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    if config.json {
        let json = fmt::layer().json().flatten_event(true).with_current_span(true).with_span_list(false);
        json.with_writer(stderr).boxed()
    } else {
        fmt::layer().with_writer(stderr).boxed()
    }
}

/// The log filter of [`expect_closed_listener`].
struct AcceptThread;

impl AcceptThread {
    fn spoke(metadata: &Metadata<'_>) -> bool {
        metadata.target() == "actix_server::accept"
    }

    fn is_expected(metadata: &Metadata<'_>) -> bool {
        !(Self::spoke(metadata) && LISTENER_CLOSED.load(Ordering::Relaxed))
    }

    fn interest(metadata: &'static Metadata<'static>) -> Interest {
        if Self::spoke(metadata) { Interest::sometimes() } else { Interest::always() }
    }
}

impl<S: Subscriber> Layer<S> for AcceptThread {
    fn register_callsite(&self, metadata: &'static Metadata<'static>) -> Interest {
        Self::interest(metadata)
    }

    fn enabled(&self, metadata: &Metadata<'_>, _: Context<'_, S>) -> bool {
        Self::is_expected(metadata)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_shown_is_not_even_made() {
        let config = LogConfig { filter: "info".to_owned(), json: true };
        init(&config, TraceConfig::default()).unwrap();
        assert_eq!(LevelFilter::current(), LevelFilter::INFO);
        assert!(!tracing::span_enabled!(target: "trace", tracing::Level::DEBUG), "no traces are sent");
        assert!(tracing::enabled!(tracing::Level::INFO));
    }

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
