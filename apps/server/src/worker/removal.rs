//! Removing files that were replaced.

use jobs::Outcome;
use kernel::StoreError;

use workflows::recording_files;

use crate::app::App;

/// Removes the file whose key the payload is, unless something uses it again. As long as this is being done, nothing
/// begins to use it ([`recording_files`]).
pub(super) async fn remove(app: &App, payload: &[u8]) -> Outcome {
    let Ok(key) = String::from_utf8(payload.to_vec()) else {
        return Outcome::Failed { reason: "Its key can't be read.".to_owned(), for_good: true };
    };
    let asked = key.clone();
    let used = app.db.read::<_, StoreError, _>(move |pg| recording_files::is_in_use(pg, &asked)).await;
    let removed = match used {
        Ok(true) => return Outcome::Done,
        Ok(false) => app.media.delete(&key).await.map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    removed.map_or_else(|reason| Outcome::Failed { reason, for_good: false }, |()| Outcome::Done)
}
