//! Ctrl-C, SIGTERM and SIGHUP: recorded here, checked by every wait.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

use anyhow::{Context, Result};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

static STOP: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// The user or the system asked this process to end. It is returned as an error, so that every guard on the way cleans up.
#[derive(Debug)]
pub(crate) struct Interrupted;

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("interrupted")
    }
}

impl std::error::Error for Interrupted {}

/// Installs the handlers: from now on the signals don't end the process by themselves.
pub(crate) fn listen() -> Result<()> {
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        signal_hook::flag::register(signal, Arc::clone(&STOP)).context("cannot listen for signals")?;
    }
    Ok(())
}

/// Whether this process was asked to end.
pub(crate) fn stop_asked() -> bool {
    STOP.load(Ordering::Relaxed)
}

/// Fails with [`Interrupted`] once this process was asked to end.
pub(crate) fn check() -> Result<()> {
    if stop_asked() { Err(Interrupted.into()) } else { Ok(()) }
}
