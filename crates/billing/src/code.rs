//! Codes that give a plan: gifts, the seats of a bulk purchase, and a marketplace's codes (`decisions.md` 41).

use std::fmt;

use kernel::{Email, Env, PayerId, StoreError, Timestamp};

use crate::{BillingError, PlanKind, PurchaseKey, ledger::named, random_text::random_text};

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
}

/// Why a code was not redeemed. Each text can be shown.
#[derive(Debug, thiserror::Error)]
pub enum CodeError {
    /// There is none.
    #[error("This code does not exist.")]
    Unknown,
    /// It was redeemed before.
    #[error("This code has been used already.")]
    Redeemed,
    /// What paid for it was refunded.
    #[error("This code is not valid any more.")]
    Revoked,
    /// The member has everything for life: the code stays for another person.
    #[error("You have a lifetime plan already, so this code is still unused.")]
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
