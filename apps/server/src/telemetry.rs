//! Structured logs.

use tracing_subscriber::{EnvFilter, fmt, layer::SubscriberExt, util::SubscriberInitExt};

/// Sends events to the standard error: as JSON lines, or as text for people with `LOG_FORMAT=text`. `LOG` chooses
/// what is heard (`info` when unset), in the syntax of `tracing`'s filters.
pub fn init() -> anyhow::Result<()> {
    let filter = EnvFilter::builder().with_env_var("LOG").try_from_env().or_else(|error| {
        if std::env::var_os("LOG").is_some() {
            Err(anyhow::anyhow!("LOG: {error}"))
        } else {
            Ok(EnvFilter::new("info"))
        }
    })?;
    let registry = tracing_subscriber::registry().with(filter);
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
