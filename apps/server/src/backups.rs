//! Wires up backups.

use std::sync::Arc;

use backup::{MakeBackup, Source};
use web::app::App;

/// What is backed up of a site.
pub fn source(app: &App) -> Source {
    Source {
        database_url: app.config.database.session_url().to_owned(),
        media: Arc::clone(&app.media),
        key: app.config.backup.key.clone(),
        env: Arc::clone(&app.env),
    }
}

/// The job that makes backups by a schedule.
pub(crate) fn job(app: &App) -> MakeBackup {
    MakeBackup {
        db: app.db.clone(),
        source: source(app),
        scheduled: app.config.backup.scheduled.clone(),
        home: app.config.home.clone(),
    }
}
