//! The archive's chapter about entries of imported archives whose book is not here (`identity.kept-entries`).

use identity::{ImportQueries, KeptEntry};
use serde_json::{Value, json};

use crate::identity::archive::{ArchiveError, Draft};
use crate::tx::Tx;

/// What is kept, each entry as it stood in the archive that it is from.
pub(super) fn kept_entries<A>(tx: &mut Tx<'_, '_, A>, draft: &mut Draft<'_>) -> Result<(), ArchiveError> {
    let kept = tx.pg.kept_entries(draft.owner.id)?;
    let page = &mut draft.reading;
    page.heading("Kept for books that are not here");
    for KeptEntry { kind, book, .. } in &kept {
        page.item(&book.title, &format!("by {}: {}", book.author, kind.as_str()));
    }
    if kept.is_empty() {
        page.nothing("None.");
    }
    draft.zip.json_list(
        "kept-entries.json",
        kept.iter().map(|kept| {
            let entry: Value = serde_json::from_str(&kept.entry).unwrap_or(Value::Null);
            json!({
                "kind": kept.kind.as_str(),
                "subid": kept.book.subid,
                "title": kept.book.title,
                "author": kept.book.author,
                "entry": entry,
            })
        }),
    )?;
    Ok(())
}
