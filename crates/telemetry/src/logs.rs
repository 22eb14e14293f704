//! Structured logs.

use std::sync::atomic::{AtomicBool, Ordering};

use tracing::{Metadata, Subscriber, subscriber::Interest};
use tracing_subscriber::{
    EnvFilter, Layer, fmt,
    layer::{Context, SubscriberExt},
    util::SubscriberInitExt,
};

/// Whether the listening socket was shut down on purpose.
static LISTENER_CLOSED: AtomicBool = AtomicBool::new(false);

/// Stops logging what the web server's accept thread reports about the listening socket. The thread pauses some time
/// after the shutdown begins, and until then reports the closed socket as a failure.
pub fn expect_closed_listener() {
    LISTENER_CLOSED.store(true, Ordering::Relaxed);
}

/// The log filter of [`expect_closed_listener`].
struct AcceptThread;

impl AcceptThread {
    fn spoke(metadata: &Metadata<'_>) -> bool {
        metadata.target() == "actix_server::accept"
    }
}

impl<S: Subscriber> Layer<S> for AcceptThread {
    fn register_callsite(&self, metadata: &'static Metadata<'static>) -> Interest {
        if Self::spoke(metadata) { Interest::sometimes() } else { Interest::always() }
    }

    fn enabled(&self, metadata: &Metadata<'_>, _: Context<'_, S>) -> bool {
        !(Self::spoke(metadata) && LISTENER_CLOSED.load(Ordering::Relaxed))
    }
}

/// Initializes logging to standard error: JSON lines, or plain text with `LOG_FORMAT=text`. `LOG` filters the events
/// (default `info`), in the syntax of `tracing`'s `EnvFilter`.
pub fn init() -> anyhow::Result<()> {
    let filter = EnvFilter::builder().with_env_var("LOG").try_from_env().or_else(|error| {
        if std::env::var_os("LOG").is_some() {
            Err(anyhow::anyhow!("LOG: {error}"))
        } else {
            Ok(EnvFilter::new("info"))
        }
    })?;
    let registry = tracing_subscriber::registry().with(filter).with(AcceptThread);
    match std::env::var("LOG_FORMAT").as_deref() {
        Ok("text") => registry.with(fmt::layer().with_writer(std::io::stderr)).try_init()?,
        Ok("json") | Err(_) => {
            let json = fmt::layer().json().flatten_event(true).with_current_span(true).with_span_list(false);
            registry.with(json.with_writer(std::io::stderr)).try_init()?;
        }
        Ok(other) => anyhow::bail!("LOG_FORMAT: is 'json' or 'text', not '{other}'"),
    }
    Ok(())
}
