//! Loading content.

mod accounts;

pub use accounts::demo_accounts;

use std::path::Path;

use crate::app::App;

/// Loads the catalogue.
pub async fn catalogue(_: &App, _: Option<&Path>) -> anyhow::Result<()> {
    Ok(())
}

/// Makes synthetic books.
pub async fn synthetic(_: &App, _: u32) -> anyhow::Result<()> {
    Ok(())
}
