//! Links that end a series of mails without a login. They never expire, because people keep mails.

use identity::Seal;
use kernel::UserId;

use crate::tx::Tx;

/// Mails that come again and again until the member ends them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MailSeries {
    /// The books of a ten-day plan.
    DailyBook,
    /// Reminders of due cards.
    ReviewReminder,
    /// Highlights.
    HighlightDigest,
}

impl MailSeries {
    pub const ALL: [Self; 3] = [Self::DailyBook, Self::ReviewReminder, Self::HighlightDigest];

    /// The purpose for which a link is sealed.
    const fn purpose(self) -> &'static [u8] {
        match self {
            Self::DailyBook => b"daily mail: unsubscribe",
            Self::ReviewReminder => b"review reminder: unsubscribe",
            Self::HighlightDigest => b"highlight digest: unsubscribe",
        }
    }

    /// The query of the link, by which its page says which mails end.
    const fn query(self) -> &'static str {
        match self {
            Self::DailyBook => "",
            Self::ReviewReminder => "?mails=reminder",
            Self::HighlightDigest => "?mails=digest",
        }
    }
}

/// The link that ends a series of mails to a member.
pub fn unsubscribe_link(tx: &Tx<'_, '_>, series: MailSeries, member: UserId) -> String {
    let sealed = tx.seal.close(&member.get().to_be_bytes(), series.purpose(), tx.env);
    tx.settings.link(&format!("/unsubscribe/{}{}", hex::encode(sealed), series.query()))
}

/// The series and the member of a link's token; `None` if the token is invalid.
pub fn open_unsubscribe_token(seal: &Seal, token: &str) -> Option<(MailSeries, UserId)> {
    let sealed = hex::decode(token).ok()?;
    MailSeries::ALL.into_iter().find_map(|series| {
        let opened = seal.open(&sealed, series.purpose()).ok()?;
        Some((series, UserId::from_store(i64::from_be_bytes(opened.try_into().ok()?))))
    })
}

#[cfg(test)]
mod tests {
    use kernel::{FixedEnv, Timestamp};

    use super::*;

    #[test]
    fn a_link_ends_one_series_of_its_member_only() {
        let seal = Seal::new(b"a secret of thirty-two characters").expect("a seal");
        let other = Seal::new(b"another one, of thirty-two letters").expect("a seal");
        let (env, member) = (FixedEnv::at(Timestamp::from_millis(0)), UserId::from_store(7));
        for series in MailSeries::ALL {
            let token = hex::encode(seal.close(&member.get().to_be_bytes(), series.purpose(), &env));
            assert_eq!(open_unsubscribe_token(&seal, &token), Some((series, member)));
            assert_eq!(open_unsubscribe_token(&other, &token), None);
            assert_eq!(open_unsubscribe_token(&seal, &token[2..]), None);
        }
        let elsewhere = hex::encode(seal.close(&7_i64.to_be_bytes(), b"archive", &env));
        for wrong in ["", "7", "zz", &elsewhere] {
            assert_eq!(open_unsubscribe_token(&seal, wrong), None, "{wrong}");
        }
    }
}
