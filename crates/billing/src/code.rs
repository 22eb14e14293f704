//! Redemption codes that give a plan: gifts, seats of a bulk purchase, and imported marketplace codes
//! (`billing.code-format`).

use std::fmt;

use kernel::{Email, Env, PayerId, Period, StoreError, Timestamp, UserId, random_text};

use crate::{BillingError, CODE_MONTHS_MAX, Movement, MovementKind, PlanKind, PurchaseKey, ledger::named};

/// The length of a generated code without dashes: 100 random bits.
const CODE_CHARS: usize = 20;
/// The minimum length of a code, without dashes.
pub const CODE_MIN_CHARS: usize = 16;
/// The maximum length of a code, without dashes.
const CODE_MAX_CHARS: usize = 64;
/// The number of characters between dashes in the displayed form.
const GROUP: usize = 5;

/// A redemption code, compared ignoring case, dashes and whitespace.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(String);

/// The text is not a valid code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("Please provide a valid redemption code.")]
pub struct InvalidCode;

impl Code {
    pub fn generate(env: &dyn Env) -> Self {
        Self(random_text(env, CODE_CHARS))
    }

    /// Parses user input: letters and digits, ignoring case, dashes and whitespace.
    pub fn parse(text: &str) -> Result<Self, InvalidCode> {
        let is_between = |c: char| c == '-' || c.is_whitespace();
        let code: String = text.chars().filter(|c| !is_between(*c)).map(|c| c.to_ascii_uppercase()).collect();
        let fits = (CODE_MIN_CHARS..=CODE_MAX_CHARS).contains(&code.len());
        if fits && code.bytes().all(|byte| byte.is_ascii_alphanumeric()) { Ok(Self(code)) } else { Err(InvalidCode) }
    }

    /// The stored form: upper case, without dashes.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The displayed form: `ABCDE-FGHJK-LMNPQ-RSTUV`.
impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, c) in self.0.chars().enumerate() {
            if n > 0 && n % GROUP == 0 {
                f.write_str("-")?;
            }
            write!(f, "{c}")?;
        }
        Ok(())
    }
}

/// Redacted, because possession of a code is enough to redeem it.
impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Code(…)")
    }
}

named! {
    /// The origin of a code.
    CodeKind, UnknownCodeKind, "kind of code":
    Gift = "gift",
    /// A seat of a bulk purchase.
    Bulk = "bulk",
    /// Imported from a marketplace.
    Marketplace = "marketplace",
    /// Created by an admin.
    Admin = "admin",
}

/// What a code gives, and who bought it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeTerms {
    pub kind: CodeKind,
    /// The plan that the code gives.
    pub plan_id: String,
    /// The plan's display name.
    pub plan_name: String,
    /// The number of months; `None` for life.
    pub months: Option<u32>,
    /// The purchase that paid for the code; `None` if it was imported or created by an admin.
    pub purchase: Option<PurchaseKey>,
    /// The payer who bought the code; `None` as for `purchase`.
    pub buyer: Option<PayerId>,
}

/// The number of months that a gift or a seat gives.
const PURCHASED_MONTHS: u32 = 12;

impl CodeTerms {
    /// The terms of the codes that a gift or bulk purchase creates; `None` for other plan kinds, which create none.
    pub fn of_purchase(kind: PlanKind, purchase: PurchaseKey, buyer: PayerId) -> Option<Self> {
        let kind = match kind {
            PlanKind::Gift => CodeKind::Gift,
            PlanKind::Bulk => CodeKind::Bulk,
            PlanKind::Monthly | PlanKind::Yearly | PlanKind::Lifetime | PlanKind::Once => return None,
        };
        Some(Self {
            kind,
            plan_id: "yearly".to_owned(),
            plan_name: "Yearly".to_owned(),
            months: Some(PURCHASED_MONTHS),
            purchase: Some(purchase),
            buyer: Some(buyer),
        })
    }
}

/// Why a number of months is invalid for new codes. The messages are shown to admins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CodeMonthsError {
    /// Months were given for a lifetime plan.
    #[error("A lifetime plan has no months: it does not end.")]
    ForLife,
    /// The months of another plan are missing or not 1 to [`CODE_MONTHS_MAX`].
    #[error("Please choose 1 to 1200 months.")]
    Count,
}

/// Validates the months of new codes: none for a lifetime plan, required for every other plan.
pub fn months_of_codes(kind: PlanKind, months: Option<u32>) -> Result<Option<u32>, CodeMonthsError> {
    match (kind, months) {
        (PlanKind::Lifetime, None) => Ok(None),
        (PlanKind::Lifetime, Some(_)) => Err(CodeMonthsError::ForLife),
        (_, Some(1..=CODE_MONTHS_MAX)) => Ok(months),
        (_, _) => Err(CodeMonthsError::Count),
    }
}

/// The number of months that a redeemed code gives; `None` for life. A lifetime plan overrides the months that older
/// codes still store.
pub fn months_of_redemption(kind: Option<PlanKind>, months: Option<u32>) -> Option<u32> {
    months.filter(|_| kind != Some(PlanKind::Lifetime))
}

/// A code as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredCode {
    pub code: Code,
    pub terms: CodeTerms,
    /// When the code was created or imported.
    pub created_at: Timestamp,
    /// Who redeemed it, and when.
    pub redeemed: Option<(PayerId, Timestamp)>,
    /// When it was revoked: its payment was refunded or its dispute lost, or an admin revoked it.
    pub revoked_at: Option<Timestamp>,
    /// The person to whom the buyer has sent the code.
    pub sent_to: Option<Email>,
    /// Set while the payment for the code is disputed; it can't be redeemed meanwhile.
    pub suspended_at: Option<Timestamp>,
}

impl StoredCode {
    /// Why the code can't be redeemed or sent; `None` if it can.
    pub fn obstacle(&self) -> Option<CodeError> {
        match self {
            Self { revoked_at: Some(_), .. } => Some(CodeError::Revoked),
            Self { redeemed: Some(_), .. } => Some(CodeError::Redeemed),
            Self { suspended_at: Some(_), .. } => Some(CodeError::Suspended),
            Self { .. } => None,
        }
    }
}

/// A seat of a team that a member has redeemed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TeamSeat {
    pub redeemed_at: Timestamp,
    /// Who has bought it.
    pub buyer: UserId,
    pub member: UserId,
    /// How long it lasts; `None`: for life.
    pub months: Option<u32>,
}

impl TeamSeat {
    /// Whether its months are not over (`study.team-lists`).
    pub fn lasts_at(&self, now: Timestamp) -> bool {
        let ends_at = self.months.map(|months| self.redeemed_at.plus_months(months));
        Period { starts_at: self.redeemed_at, ends_at }.contains(now)
    }
}

/// The status of a purchase's codes, derived from its payments (`billing.codes-follow-payment`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeStanding {
    /// Codes can be redeemed, and redeemed plans stay.
    Redeemable,
    /// A dispute is open: unused codes can't be redeemed until it is decided.
    Suspended,
    /// Everything was refunded or a dispute was lost: no code can be redeemed, and redeemed plans end.
    Revoked,
}

impl CodeStanding {
    /// Derives the status from the movements of the purchase, in any order. It is the only rule, for refunds and disputes
    /// alike.
    pub fn of(movements: &[Movement]) -> Self {
        let charges = || movements.iter().filter(|one| one.kind == MovementKind::Charged && one.amount.cents() > 0);
        let of_kind = |charge: &Movement, kind: MovementKind| {
            let is_about = |one: &&Movement| one.kind == kind && one.reference.as_ref() == Some(&charge.key);
            movements
                .iter()
                .filter(is_about)
                .map(|one| one.amount.cents())
                .fold((0, 0), |(n, sum), one| (n + 1, sum + one))
        };
        let is_lost = |charge: &Movement| of_kind(charge, MovementKind::DisputeLost).0 > 0;
        let is_refunded = |charge: &Movement| of_kind(charge, MovementKind::Refunded).1 >= charge.amount.cents();
        let is_disputed =
            |charge: &Movement| of_kind(charge, MovementKind::Disputed).1 > of_kind(charge, MovementKind::DisputeWon).1;
        if charges().any(is_lost) || charges().next().is_some() && charges().all(is_refunded) {
            Self::Revoked
        } else if charges().any(is_disputed) {
            Self::Suspended
        } else {
            Self::Redeemable
        }
    }
}

/// Why a code was not redeemed. The messages are shown to members.
#[derive(Debug, thiserror::Error)]
pub enum CodeError {
    /// There is no such code.
    #[error("This code does not exist.")]
    Unknown,
    /// It was already redeemed.
    #[error("This code has already been used.")]
    Redeemed,
    /// It was revoked, for example because its payment was refunded.
    #[error("This code is no longer valid.")]
    Revoked,
    /// The payment for it is disputed.
    #[error("This code is on hold while the payment for it is being checked. Please try again later.")]
    Suspended,
    /// The member already has a lifetime plan, so the code stays unused and can be given to another person.
    #[error("You already have a lifetime plan, so this code was not used.")]
    ForLife,
    /// The redemption could not be recorded.
    #[error(transparent)]
    Billing(#[from] BillingError),
}

impl From<StoreError> for CodeError {
    fn from(error: StoreError) -> Self {
        Self::Billing(error.into())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use kernel::FixedEnv;
    use proptest::prelude::*;

    use super::*;
    use kernel::READABLE_ALPHABET as ALPHABET;

    #[test]
    fn a_gift_and_seats_give_a_year_and_nothing_else_gives_a_code() {
        let terms = |kind| CodeTerms::of_purchase(kind, PurchaseKey::new("co_1"), PayerId::from_store(1));
        for (kind, code) in [(PlanKind::Gift, CodeKind::Gift), (PlanKind::Bulk, CodeKind::Bulk)] {
            let one = terms(kind).unwrap();
            assert_eq!((one.kind, one.plan_id.as_str(), one.months), (code, "yearly", Some(12)));
            assert_eq!((one.purchase, one.buyer), (Some(PurchaseKey::new("co_1")), Some(PayerId::from_store(1))));
        }
        for kind in [PlanKind::Monthly, PlanKind::Yearly, PlanKind::Lifetime, PlanKind::Once] {
            assert_eq!(terms(kind), None, "{kind:?}");
        }
    }

    #[test]
    fn a_code_has_at_least_16_readable_characters_and_80_bits() {
        let env = FixedEnv::at(Timestamp::from_millis(0));
        let codes: BTreeSet<Code> = (0..100).map(|_| Code::generate(&env)).collect();
        assert_eq!(codes.len(), 100);
        assert!(codes.iter().all(|code| code.as_str().bytes().all(|byte| ALPHABET.contains(&byte))));
        assert!(codes.iter().all(|code| code.as_str().len() == CODE_CHARS && code.as_str().len() >= CODE_MIN_CHARS));
        let distinct: BTreeSet<u8> = ALPHABET.iter().copied().collect();
        assert!(distinct.len() == 32 && [b'0', b'1', b'O', b'I'].iter().all(|byte| !distinct.contains(byte)));
        // An alphabet of 32 characters: five bits each.
        assert_eq!((CODE_CHARS * 5, CODE_MIN_CHARS), (100, 16));
        let seen: BTreeSet<u8> = codes.iter().flat_map(|code| code.as_str().bytes()).collect();
        assert_eq!(seen, distinct, "all characters occur");
    }

    #[test]
    fn case_dashes_and_blanks_do_not_count() {
        let code = Code::parse("ABCDEFGHJKLMNPQRSTUV").unwrap();
        assert_eq!(code.to_string(), "ABCDE-FGHJK-LMNPQ-RSTUV");
        for text in [" abcde-fghjk-lmnpq-rstuv ", "ABCDEFGHJK LMNPQRSTUV", "A-B-C-D-E-fghjklmnpqrstuv\n"] {
            assert_eq!(Code::parse(text).as_ref(), Ok(&code));
        }
        for text in ["", "-", "ABCDEFGHJKLMNPQ", "ABCDEFGHJKLMNPQ!", "ÄBCDEFGHJKLMNPQRST", &"x".repeat(65)] {
            assert_eq!(Code::parse(text), Err(InvalidCode), "{text:?}");
        }
        assert!(Code::parse(&"x".repeat(16)).is_ok() && Code::parse(&"x".repeat(64)).is_ok());
        assert_eq!(InvalidCode.to_string(), "Please provide a valid redemption code.");
        assert_eq!(format!("{code:?}"), "Code(…)");
    }

    /// A movement of the purchase, about its charge of 899.80.
    fn about(kind: MovementKind, cents: i64, at: i64) -> Movement {
        Movement {
            amount: kernel::Money::from_cents(cents),
            reference: (kind != MovementKind::Charged).then(|| "charge".to_owned()),
            ..Movement::new(
                kind,
                if kind == MovementKind::Charged { "charge".to_owned() } else { format!("{kind:?}:{at}") },
                &PurchaseKey::new("co_1"),
                Timestamp::from_millis(at),
            )
        }
    }

    #[test]
    fn codes_are_suspended_while_a_dispute_is_open_end_when_it_is_lost_and_come_back_when_it_is_won() {
        use MovementKind as Kind;
        let charge = about(Kind::Charged, 89_980, 0);
        let dispute = about(Kind::Disputed, 89_980, 1);
        let (won, lost) = (about(Kind::DisputeWon, 89_980, 2), about(Kind::DisputeLost, 0, 2));
        let (part, rest) = (about(Kind::Refunded, 80_000, 3), about(Kind::Refunded, 9_980, 4));
        for (history, standing) in [
            (vec![&charge], CodeStanding::Redeemable),
            (vec![&charge, &part], CodeStanding::Redeemable),
            (vec![&charge, &part, &rest], CodeStanding::Revoked),
            (vec![&charge, &dispute], CodeStanding::Suspended),
            (vec![&charge, &dispute, &won], CodeStanding::Redeemable),
            (vec![&charge, &dispute, &lost], CodeStanding::Revoked),
            (vec![&charge, &dispute, &won, &part, &rest], CodeStanding::Revoked),
            (vec![], CodeStanding::Redeemable),
        ] {
            let mut history: Vec<Movement> = history.into_iter().cloned().collect();
            assert_eq!(CodeStanding::of(&history), standing, "{history:?}");
            history.reverse();
            assert_eq!(CodeStanding::of(&history), standing, "in another order");
        }
    }

    #[test]
    fn a_lifetime_plan_has_no_months_and_every_other_plan_has_some() {
        use PlanKind::{Gift, Lifetime, Monthly, Yearly};
        for (kind, months, result) in [
            (Lifetime, None, Ok(None)),
            (Lifetime, Some(12), Err(CodeMonthsError::ForLife)),
            (Lifetime, Some(0), Err(CodeMonthsError::ForLife)),
            (Yearly, Some(12), Ok(Some(12))),
            (Monthly, Some(1), Ok(Some(1))),
            (Gift, Some(CODE_MONTHS_MAX), Ok(Some(1_200))),
            (Yearly, None, Err(CodeMonthsError::Count)),
            (Yearly, Some(0), Err(CodeMonthsError::Count)),
            (Yearly, Some(CODE_MONTHS_MAX + 1), Err(CodeMonthsError::Count)),
        ] {
            assert_eq!(months_of_codes(kind, months), result, "{kind:?} {months:?}");
        }
        assert_eq!(months_of_redemption(Some(Lifetime), Some(12)), None);
        assert_eq!(months_of_redemption(Some(Yearly), Some(12)), Some(12));
        assert_eq!(months_of_redemption(None, Some(12)), Some(12), "a plan that was deleted gives what was promised");
        assert_eq!(months_of_redemption(Some(Yearly), None), None, "so does a code that was made for life");
    }

    proptest! {
        #[test]
        fn a_code_that_is_shown_is_read_back(text in "[A-Za-z0-9 -]{0,80}") {
            if let Ok(code) = Code::parse(&text) {
                prop_assert_eq!(Code::parse(&code.to_string()), Ok(code.clone()));
                prop_assert_eq!(Code::parse(&code.to_string().to_lowercase()), Ok(code));
            }
        }
    }
}
