//! What a member has switched on or off, and when they are reminded and get highlights by mail (`study.study-switches`,
//! `study.due-reminder`, `study.highlight-digest`).

use identity::IdentityQueries;
use kernel::{StoreError, TimeZone, UserId};
use study::{
    Digest, Notice, NoticeCommands, NoticeKind, Reminder, Study, StudyCommands, StudyError, StudyQueries, StudySettings,
};

use crate::{error::ViewError, study::highlights::HighlightError, tx::Tx};

/// Changes the member's settings, and with them when the next notices are due.
pub fn save_settings(
    tx: &mut Tx<'_, '_>,
    member: UserId,
    change: impl FnOnce(StudySettings) -> Result<StudySettings, StudyError>,
) -> Result<StudySettings, HighlightError> {
    // Two devices may change two settings at the same moment.
    tx.pg.lock_records(member)?.ok_or(ViewError::SignedOut)?;
    let before = tx.pg.study_settings(member)?;
    let settings = change(before)?;
    settings.check()?;
    if !tx.pg.put_study_settings(member, settings)? {
        return Err(ViewError::SignedOut.into());
    }
    schedule_notices(tx, member, &settings)?;
    Ok(settings)
}

/// Switches a kind of notice off, as a link in a mail does.
pub fn stop_notice(tx: &mut Tx<'_, '_>, member: UserId, kind: NoticeKind) -> Result<(), HighlightError> {
    let stopped = |settings: StudySettings| match kind {
        NoticeKind::Reminder => StudySettings { reminder: Reminder::Off, ..settings },
        NoticeKind::Digest => StudySettings { digest: Digest::Off, ..settings },
    };
    match save_settings(tx, member, |settings| Ok(stopped(settings))) {
        // The account is gone, and nothing will be sent.
        Ok(_) | Err(HighlightError::View(ViewError::SignedOut)) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Puts the member's notices at their hour of another time zone.
pub fn follow_time_zone(tx: &mut Tx<'_, '_>, member: UserId) -> Result<(), StoreError> {
    if tx.pg.lock_records(member)?.is_none() {
        return Ok(());
    }
    let settings = tx.pg.study_settings(member)?;
    schedule_notices(tx, member, &settings)
}

/// Stores when the member's next notices are due. The member's records are locked.
fn schedule_notices(tx: &mut Tx<'_, '_>, member: UserId, settings: &StudySettings) -> Result<(), StoreError> {
    let (zone, now) = (time_zone(tx, member)?, tx.now());
    let known = tx.pg.lock_notices(member)?;
    for kind in NoticeKind::ALL.iter().copied() {
        let stored = known.iter().find(|notice| notice.kind == kind).copied();
        let notice = stored.unwrap_or(Notice::new(kind));
        let next = notice.rescheduled(settings, &zone, now);
        if next != notice {
            tx.pg.put_notice(member, next)?;
        }
    }
    Ok(())
}

/// The time zone of the member's calendar.
pub(crate) fn time_zone<A>(tx: &mut Tx<'_, '_, A>, member: UserId) -> Result<TimeZone, StoreError> {
    Ok(tx.pg.user(member)?.map_or(TimeZone::UTC, |user| TimeZone::named(&user.timezone)))
}
