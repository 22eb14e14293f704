//! Gifts: from whom a code is, for whom, with which words, and when it is mailed (`billing.gift-delivery`).

use kernel::{DAY, Day, Email, TimeZone, Timestamp};

use crate::StoredCode;

/// How many days ahead a gift can be delivered: a year.
pub const GIFT_DAYS_AHEAD: i32 = 366;
/// The hour of the giver's day at which a gift is mailed.
const HOUR_OF_DELIVERY: u8 = 9;
/// How long a gift whose payment is disputed waits for the bank, in milliseconds.
const WAITS_FOR_BANK: i64 = 180 * DAY;

/// What is known of a gift besides its code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gift {
    /// The giver, as the recipient reads it; empty when it was left blank or forgotten.
    pub sender_name: String,
    pub recipient_name: String,
    /// Their address; `None`: the code goes to the giver.
    pub recipient: Option<Email>,
    /// A message to the recipient.
    pub message: String,
    /// When it is to be mailed.
    pub deliver_at: Timestamp,
    /// When it was mailed.
    pub delivered_at: Option<Timestamp>,
}

/// The day is none, is over, or is more than a year ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("Please choose a day between today and a year from now.")]
pub struct InvalidDeliveryDay;

/// When a gift is mailed for which a day of the giver's calendar was chosen: at [`HOUR_OF_DELIVERY`] of that day in the giver's time zone. `None`: today, so at once.
pub fn delivery_moment(day: &str, zone: &str, now: Timestamp) -> Result<Option<Timestamp>, InvalidDeliveryDay> {
    let zone = TimeZone::named(zone);
    let (day, today): (Day, Day) = (day.trim().parse().map_err(|_| InvalidDeliveryDay)?, zone.day_of(now));
    if day < today || day > today.plus(GIFT_DAYS_AHEAD) {
        return Err(InvalidDeliveryDay);
    }
    Ok((day > today).then(|| zone.moment(day, HOUR_OF_DELIVERY)))
}

/// What becomes of a gift that is to be mailed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GiftDelivery {
    /// It is mailed now.
    Now,
    /// It is looked at again then.
    Later(Timestamp),
    /// It is not mailed: it was before, or its code is not good any more.
    Never,
}

/// Whether a gift is mailed now, by its code. One whose payment is disputed waits for the bank: the code is suspended meanwhile.
pub fn delivery_of(gift: &Gift, code: &StoredCode, now: Timestamp) -> GiftDelivery {
    if gift.delivered_at.is_some() || code.revoked_at.is_some() || code.redeemed.is_some() {
        GiftDelivery::Never
    } else if now < gift.deliver_at {
        GiftDelivery::Later(gift.deliver_at)
    } else if code.suspended_at.is_none() {
        GiftDelivery::Now
    } else if now < gift.deliver_at.plus(WAITS_FOR_BANK) {
        GiftDelivery::Later(now.plus(DAY))
    } else {
        GiftDelivery::Never
    }
}

#[cfg(test)]
mod tests {
    use kernel::{FixedEnv, HOUR, PayerId};

    use super::*;
    use crate::{Code, CodeKind, CodeTerms, PurchaseKey};

    /// 2026-06-15T12:00:00Z.
    const NOW: Timestamp = Timestamp::from_millis(1_781_524_800_000);

    #[test]
    fn a_day_is_the_givers_and_from_today_on_within_a_year() {
        let at = |day: &str, zone: &str| delivery_moment(day, zone, NOW);
        assert_eq!(at("2026-06-15", "UTC"), Ok(None));
        assert_eq!(at("2026-06-16", "UTC"), Ok(Some(NOW.plus(21 * HOUR))));
        assert_eq!(at(" 2026-06-16 ", "Europe/Vienna"), Ok(Some(NOW.plus(19 * HOUR))));
        // There it is the 16th already.
        assert_eq!(at("2026-06-16", "Pacific/Kiritimati"), Ok(None));
        assert_eq!(at("2026-06-15", "Pacific/Kiritimati"), Err(InvalidDeliveryDay));
        assert!(at("2027-06-16", "UTC").is_ok_and(|at| at.is_some()));
        for day in ["2027-06-17", "2026-06-14", "2026-02-30", "", "tomorrow", "9999-12-31"] {
            assert_eq!(at(day, "UTC"), Err(InvalidDeliveryDay), "{day}");
        }
    }

    fn gift() -> Gift {
        Gift {
            sender_name: "Ada".to_owned(),
            recipient_name: "Grace".to_owned(),
            recipient: Some(Email::parse("grace@example.com").unwrap()),
            message: "Enjoy.".to_owned(),
            deliver_at: NOW,
            delivered_at: None,
        }
    }

    fn code() -> StoredCode {
        let terms = CodeTerms {
            kind: CodeKind::Gift,
            plan_id: "yearly".to_owned(),
            plan_name: "Yearly".to_owned(),
            months: Some(12),
            purchase: Some(PurchaseKey::new("p")),
            buyer: Some(PayerId::from_store(1)),
        };
        let code = Code::generate(&FixedEnv::at(NOW));
        StoredCode { code, terms, created_at: NOW, redeemed: None, revoked_at: None, sent_to: None, suspended_at: None }
    }

    #[test]
    fn a_gift_is_mailed_once_when_its_moment_has_come_and_its_code_is_good() {
        assert_eq!(delivery_of(&gift(), &code(), NOW.plus(-1)), GiftDelivery::Later(NOW));
        assert_eq!(delivery_of(&gift(), &code(), NOW), GiftDelivery::Now);
        let delivered = Gift { delivered_at: Some(NOW), ..gift() };
        assert_eq!(delivery_of(&delivered, &code(), NOW), GiftDelivery::Never);
        let revoked = StoredCode { revoked_at: Some(NOW), ..code() };
        assert_eq!(delivery_of(&gift(), &revoked, NOW), GiftDelivery::Never);
        let redeemed = StoredCode { redeemed: Some((PayerId::from_store(2), NOW)), ..code() };
        assert_eq!(delivery_of(&gift(), &redeemed, NOW), GiftDelivery::Never);
    }

    #[test]
    fn a_gift_whose_payment_is_disputed_waits_for_the_bank() {
        let suspended = StoredCode { suspended_at: Some(NOW), ..code() };
        assert_eq!(delivery_of(&gift(), &suspended, NOW), GiftDelivery::Later(NOW.plus(DAY)));
        assert_eq!(delivery_of(&gift(), &suspended, NOW.plus(WAITS_FOR_BANK)), GiftDelivery::Never);
    }
}
