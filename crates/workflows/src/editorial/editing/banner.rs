//! Editing the banner.

use admin::{EditQueries, SubjectKind};
use editorial::{Banner, Editorial, EditorialQueries};
use kernel::{StoreError, Timestamp};

use crate::{
    audit::AuditTrail,
    editing::{EditError, Field, Versioned, begin, changed, row_ref},
    tx::Tx,
};

/// The id of the only banner among the row versions.
const BANNER: i64 = 1;

/// The banner with its version; empty and off if none was ever saved.
pub fn banner<A>(tx: &mut Tx<'_, '_, A>) -> Result<Versioned<Banner>, StoreError> {
    let row = tx.pg.banner()?.unwrap_or_default();
    Ok(Versioned { row, version: tx.pg.row_version(row_ref(SubjectKind::Banner, BANNER))? })
}

/// Saves the banner, based on the version that the editor has read.
pub fn edit_banner(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    read: Option<i64>,
    edit: &Banner,
) -> Result<Versioned<Banner>, EditError> {
    let row = row_ref(SubjectKind::Banner, BANNER);
    begin(tx, row, read)?;
    let before = tx.pg.banner()?.unwrap_or_default();
    let after = tx.pg.save_banner(edit)?;
    let moment = |at: Option<Timestamp>| at.map(|at| at.millis().to_string());
    let [was, is] = [&before, &after].map(|one| [moment(one.from), moment(one.until)]);
    let (was_on, is_on) = (before.is_on.to_string(), after.is_on.to_string());
    let fields: [Field<'_>; 6] = [
        ("text", Some(&before.text), Some(&after.text)),
        ("linkText", Some(&before.link_text), Some(&after.link_text)),
        ("href", Some(&before.href), Some(&after.href)),
        ("from", was[0].as_deref(), is[0].as_deref()),
        ("until", was[1].as_deref(), is[1].as_deref()),
        ("on", Some(&was_on), Some(&is_on)),
    ];
    changed(tx, trail, (row, "banner"), "banner.update", &fields)?;
    Ok(banner(tx)?)
}
