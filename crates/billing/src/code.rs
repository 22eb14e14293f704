//! Codes that give a plan: gifts, the seats of a bulk purchase, and a marketplace's codes (`billing.code-format`).

use std::fmt;

use kernel::{Email, Env, PayerId, StoreError, Timestamp};

use crate::{BillingError, Movement, MovementKind, PlanKind, PurchaseKey, ledger::named, random_text::random_text};

/// The characters of a code that is made here, without its dashes: 100 random bits.
const CODE_CHARS: usize = 20;
/// The fewest characters of any code.
pub const CODE_MIN_CHARS: usize = 16;
/// The most characters of any code.
const CODE_MAX_CHARS: usize = 64;
/// The most months for which a code gives a plan.
pub const CODE_MONTHS_MAX: u32 = 1_200;
/// After how many characters a dash makes a code easier to read.
const GROUP: usize = 5;

/// A code, compared without regard to case, dashes and blanks.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(String);

/// The text is no code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("Please provide a valid redemption code.")]
pub struct InvalidCode;

impl Code {
    /// A code that nobody can guess.
    pub fn generate(env: &dyn Env) -> Self {
        Self(random_text(env, CODE_CHARS))
    }

    /// Reads what was typed.
    pub fn parse(text: &str) -> Result<Self, InvalidCode> {
        let is_between = |c: char| c == '-' || c.is_whitespace();
        let code: String = text.chars().filter(|c| !is_between(*c)).map(|c| c.to_ascii_uppercase()).collect();
        let fits = (CODE_MIN_CHARS..=CODE_MAX_CHARS).contains(&code.len());
        if fits && code.bytes().all(|byte| byte.is_ascii_alphanumeric()) { Ok(Self(code)) } else { Err(InvalidCode) }
    }

    /// The code as it is stored: upper case, without dashes.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// As people read it: `ABCDE-FGHJK-LMNPQ-RSTUV`.
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

/// A code is redeemed by possession alone, so logs do not show it.
impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Code(…)")
    }
}

named! {
    /// Where a code comes from.
    CodeKind, UnknownCodeKind, "kind of code":
    /// A gift.
    Gift = "gift",
    /// A seat of a bulk purchase.
    Bulk = "bulk",
    /// Imported from a marketplace.
    Marketplace = "marketplace",
    /// Made by an admin.
    Admin = "admin",
}

/// What a code gives, and who bought it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeTerms {
    /// Where it comes from.
    pub kind: CodeKind,
    /// The plan that it gives.
    pub plan_id: String,
    /// The plan's name as people read it.
    pub plan_name: String,
    /// For how many months; `None`: for life.
    pub months: Option<u32>,
    /// The purchase that paid for it.
    pub purchase: Option<PurchaseKey>,
    /// Who bought it.
    pub buyer: Option<PayerId>,
}

/// How many months a gift and a seat give.
const PURCHASED_MONTHS: u32 = 12;

impl CodeTerms {
    /// What the codes of a purchase give: those of a gift and of seats. `None`: another plan makes none.
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

/// Why codes can't give a plan for so long. Each text can be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CodeMonthsError {
    /// A plan for life has no months.
    #[error("A lifetime plan has no months: it does not end.")]
    ForLife,
    /// Every other plan needs them, 1 to [`CODE_MONTHS_MAX`].
    #[error("Please choose 1 to 1200 months.")]
    Count,
}

/// For how many months new codes give a plan of this kind: a plan for life has none, every other plan needs them.
pub fn months_of_codes(kind: PlanKind, months: Option<u32>) -> Result<Option<u32>, CodeMonthsError> {
    match (kind, months) {
        (PlanKind::Lifetime, None) => Ok(None),
        (PlanKind::Lifetime, Some(_)) => Err(CodeMonthsError::ForLife),
        (_, Some(1..=CODE_MONTHS_MAX)) => Ok(months),
        (_, _) => Err(CodeMonthsError::Count),
    }
}

/// For how many months a redeemed code gives its plan; `None`: for life. The plan decides, where it is for life: a code of
/// before that has months beside it does not end.
pub fn months_of_redemption(kind: Option<PlanKind>, months: Option<u32>) -> Option<u32> {
    months.filter(|_| kind != Some(PlanKind::Lifetime))
}

/// A code as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredCode {
    /// The code.
    pub code: Code,
    /// What it gives.
    pub terms: CodeTerms,
    /// When it was made or imported.
    pub created_at: Timestamp,
    /// Who redeemed it, and when.
    pub redeemed: Option<(PayerId, Timestamp)>,
    /// When what paid for it was refunded.
    pub revoked_at: Option<Timestamp>,
    /// To whom its buyer has sent it.
    pub sent_to: Option<Email>,
    /// Since when it can't be redeemed because the payment for it is disputed.
    pub suspended_at: Option<Timestamp>,
}

impl StoredCode {
    /// Why it can't be redeemed or sent; `None`: it can.
    pub fn obstacle(&self) -> Option<CodeError> {
        match self {
            Self { revoked_at: Some(_), .. } => Some(CodeError::Revoked),
            Self { redeemed: Some(_), .. } => Some(CodeError::Redeemed),
            Self { suspended_at: Some(_), .. } => Some(CodeError::Suspended),
            Self { .. } => None,
        }
    }
}

/// How the codes of a purchase stand, by what became of the money (`billing.codes-follow-payment`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeStanding {
    /// They can be redeemed, and what they gave stays.
    Redeemable,
    /// A dispute is open: unused ones can't be redeemed until it is decided.
    Suspended,
    /// All went back, or a dispute was lost: none can be redeemed, and what they gave ends.
    Revoked,
}

impl CodeStanding {
    /// How codes stand by the movements of the purchase that paid for them, whatever their order. This is the one rule, whether
    /// money is refunded, disputed, or a dispute is decided.
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

/// Why a code was not redeemed. Each text can be shown.
#[derive(Debug, thiserror::Error)]
pub enum CodeError {
    /// There is none.
    #[error("This code does not exist.")]
    Unknown,
    /// It was redeemed before.
    #[error("This code has already been used.")]
    Redeemed,
    /// What paid for it was refunded.
    #[error("This code is no longer valid.")]
    Revoked,
    /// The payment for it is disputed.
    #[error("This code is on hold while the payment for it is being checked. Please try again later.")]
    Suspended,
    /// The member has everything for life: the code stays for another person.
    #[error("You already have a lifetime plan, so this code was not used.")]
    ForLife,
    /// What follows from it could not be recorded.
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
    use crate::random_text::ALPHABET;

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
        // 32 characters are five bits each.
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
