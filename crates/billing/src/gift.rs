//! Gifts: sender, recipient, message and delivery time of a gifted code (`billing.gift-delivery`).

use kernel::{DAY, Day, Email, TimeZone, Timestamp};

use crate::StoredCode;

/// The maximum number of days between purchase and delivery: a year.
pub const GIFT_DAYS_AHEAD: i32 = 366;
/// The hour at which a gift is mailed, in the giver's time zone.
const HOUR_OF_DELIVERY: u8 = 9;
/// How long a gift waits for the decision about its disputed payment, in milliseconds after its delivery time.
const WAITS_FOR_BANK: i64 = 180 * DAY;

/// The details of a gift besides its code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gift {
    /// The giver's name as shown to the recipient; empty if left blank, or deleted with the giver's account.
    pub sender_name: String,
    pub recipient_name: String,
    /// The recipient's e-mail address; `None`: the code is sent to the giver.
    pub recipient: Option<Email>,
    pub message: String,
    pub deliver_at: Timestamp,
    pub delivered_at: Option<Timestamp>,
}

/// The text is not a date, or the date is past or more than a year ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("Please choose a day between today and a year from now.")]
pub struct InvalidDeliveryDay;

/// The delivery time for a date in the giver's time zone, at [`HOUR_OF_DELIVERY`]; `None` if the date is today, for
/// immediate delivery.
pub fn delivery_moment(day: &str, zone: &str, now: Timestamp) -> Result<Option<Timestamp>, InvalidDeliveryDay> {
    let zone = TimeZone::named(zone);
    let (day, today): (Day, Day) = (day.trim().parse().map_err(|_| InvalidDeliveryDay)?, zone.day_of(now));
    if day < today || day > today.plus(GIFT_DAYS_AHEAD) {
        return Err(InvalidDeliveryDay);
    }
    Ok((day > today).then(|| zone.moment(day, HOUR_OF_DELIVERY)))
}

/// What the delivery job does with a gift.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GiftDelivery {
    Now,
    /// Check it again at that time.
    Later(Timestamp),
    /// It was already mailed, its code was redeemed or revoked, or its payment has been disputed for too long.
    Never,
}

/// Decides whether a gift is mailed now. While its payment is disputed its code is suspended, so delivery waits.
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
        // In Kiritimati it is already the 16th.
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
