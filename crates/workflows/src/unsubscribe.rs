//! Ends a series of mails by the link in one of them, without a login (RFC 8058).

use challenge::Challenge;
use study::NoticeKind;

use crate::{
    study::{highlights::HighlightError, settings::stop_notice},
    tx::Tx,
    unsubscribe_link::{MailSeries, open_unsubscribe_token},
};

/// Ends the series of mails of the member that a link names; `false` if the link is invalid. A second call changes nothing.
pub fn unsubscribe(tx: &mut Tx<'_, '_>, token: &str) -> Result<bool, HighlightError> {
    let Some((series, member)) = open_unsubscribe_token(tx.seal, token) else { return Ok(false) };
    match series {
        MailSeries::DailyBook => tx.pg.stop_daily_mail(member)?,
        MailSeries::ReviewReminder => stop_notice(tx, member, NoticeKind::Reminder)?,
        MailSeries::HighlightDigest => stop_notice(tx, member, NoticeKind::Digest)?,
    }
    Ok(true)
}
