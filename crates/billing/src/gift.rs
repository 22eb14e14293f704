//! Gifts: from whom a code is, for whom, with which words, and when it is mailed (`decisions.md` 41).

use kernel::{DAY, Day, Email, TimeZone, Timestamp};

use crate::{Movement, MovementKind, StoredCode};

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
    /// The recipient.
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
#[error("Please choose a day from today on, at most a year ahead.")]
pub struct InvalidDeliveryDay;

/// When a gift is mailed for which a day of the giver's calendar was chosen: on that morning. `None`: today, so at once.
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

/// Whether a gift is mailed now, by its code and the movements of its giver. A gift whose payment is disputed waits for the bank.
pub fn delivery_of(gift: &Gift, code: &StoredCode, movements: &[Movement], now: Timestamp) -> GiftDelivery {
    if gift.delivered_at.is_some() || code.revoked_at.is_some() || code.redeemed.is_some() {
        return GiftDelivery::Never;
    }
    if now < gift.deliver_at {
        return GiftDelivery::Later(gift.deliver_at);
    }
    let sum = |kind: MovementKind| -> i64 {
        let of_purchase = |one: &&Movement| one.kind == kind && Some(&one.purchase) == code.terms.purchase.as_ref();
        movements.iter().filter(of_purchase).map(|one| one.amount.cents()).sum()
    };
    let (charged, refunded) = (sum(MovementKind::Charged), sum(MovementKind::Refunded));
    if refunded > 0 && refunded >= charged {
        return GiftDelivery::Never;
    }
    if sum(MovementKind::Disputed) <= sum(MovementKind::DisputeWon) {
        GiftDelivery::Now
    } else if now < gift.deliver_at.plus(WAITS_FOR_BANK) {
        GiftDelivery::Later(now.plus(DAY))
    } else {
        GiftDelivery::Never
    }
}

#[cfg(test)]
mod tests {
    use kernel::{FixedEnv, HOUR, Money, PayerId};

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
        StoredCode { code, terms, created_at: NOW, redeemed: None, revoked_at: None, sent_to: None }
    }

    fn moved(kind: MovementKind, cents: i64) -> Movement {
        let amount = Money::from_cents(cents);
        Movement { amount, ..Movement::new(kind, format!("{kind:?}"), &PurchaseKey::new("p"), NOW) }
    }

    #[test]
    fn a_gift_is_mailed_once_when_its_moment_has_come_and_its_code_is_good() {
        let paid = [moved(MovementKind::Charged, 4_499)];
        let of = |gift: &Gift, code: &StoredCode, now| delivery_of(gift, code, &paid, now);
        assert_eq!(of(&gift(), &code(), NOW.plus(-1)), GiftDelivery::Later(NOW));
        assert_eq!(of(&gift(), &code(), NOW), GiftDelivery::Now);
        let delivered = Gift { delivered_at: Some(NOW), ..gift() };
        assert_eq!(of(&delivered, &code(), NOW), GiftDelivery::Never);
        let revoked = StoredCode { revoked_at: Some(NOW), ..code() };
        assert_eq!(of(&gift(), &revoked, NOW), GiftDelivery::Never);
        let redeemed = StoredCode { redeemed: Some((PayerId::from_store(2), NOW)), ..code() };
        assert_eq!(of(&gift(), &redeemed, NOW), GiftDelivery::Never);
    }

    #[test]
    fn a_gift_is_not_mailed_while_its_payment_is_disputed_nor_after_it_went_back() {
        let charged = moved(MovementKind::Charged, 4_499);
        let of = |after: &[Movement], now| delivery_of(&gift(), &code(), &[&[charged.clone()], after].concat(), now);
        assert_eq!(of(&[moved(MovementKind::Refunded, 4_499)], NOW), GiftDelivery::Never);
        assert_eq!(of(&[moved(MovementKind::Refunded, 1_000)], NOW), GiftDelivery::Now);
        let disputed = moved(MovementKind::Disputed, 4_499);
        assert_eq!(of(std::slice::from_ref(&disputed), NOW), GiftDelivery::Later(NOW.plus(DAY)));
        assert_eq!(of(std::slice::from_ref(&disputed), NOW.plus(WAITS_FOR_BANK)), GiftDelivery::Never);
        assert_eq!(of(&[disputed, moved(MovementKind::DisputeWon, 4_499)], NOW), GiftDelivery::Now);
        // What cost nothing was not taken back.
        assert_eq!(delivery_of(&gift(), &code(), &[moved(MovementKind::Charged, 0)], NOW), GiftDelivery::Now);
    }
}
