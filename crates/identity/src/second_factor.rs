//! The second factor: codes of an authenticator app (TOTP), and recovery codes for people who have lost the app.

use std::fmt;

use kernel::{Env, HOUR, SECOND, Timestamp, UserId};
use sha2::{Digest, Sha256};
use totp_rs::{Algorithm, TOTP};

use crate::{Role, Seal, SealError, SecretHash, Session};

/// The period of a code, in milliseconds.
pub const TOTP_STEP: i64 = 30 * SECOND;
/// The clock skew that is tolerated, in periods either way.
pub const TOTP_SKEW: i64 = 1;
/// The number of digits of a code.
pub const TOTP_DIGITS: usize = 6;
/// How long a new authenticator app may wait for its first code, in milliseconds.
pub const TOTP_BEGUN: i64 = HOUR;
/// The number of recovery codes of a person.
pub const RECOVERY_CODES: usize = 10;

const SECRET_BYTES: usize = 20;

/// The secret that an authenticator app and the server share.
#[derive(Clone, PartialEq, Eq)]
pub struct TotpSecret([u8; SECRET_BYTES]);

impl TotpSecret {
    /// A random secret.
    pub fn generate(env: &dyn Env) -> Self {
        let mut bytes = [0; SECRET_BYTES];
        env.fill_random(&mut bytes);
        Self(bytes)
    }

    pub(crate) fn close(&self, user: UserId, seal: &Seal, env: &dyn Env) -> Vec<u8> {
        seal.close(&self.0, &totp_purpose(user), env)
    }

    pub(crate) fn open(sealed: &[u8], user: UserId, seal: &Seal) -> Result<Self, SealError> {
        let bytes = seal.open(sealed, &totp_purpose(user))?;
        bytes.try_into().map(Self).map_err(|_| SealError::Damaged)
    }

    /// The secret as a person types it into an app: 32 characters in base32.
    pub fn encode(&self) -> String {
        self.totp("", "").get_secret_base32()
    }

    /// The `otpauth:` URL that an app reads from a QR code, with the names of the site and the account.
    pub fn address(&self, site: &str, account: &str) -> String {
        self.totp(site, account).get_url()
    }

    /// The code that an app shows at this time.
    pub fn code_at(&self, moment: Timestamp) -> String {
        self.code_of(step_at(moment))
    }

    /// The time step of a code: the current one or its neighbors, and later than `last`, because a code works once. All
    /// are compared, so that timing reveals nothing.
    pub(crate) fn step_of(&self, code: &str, now: Timestamp, last: Option<i64>) -> Option<i64> {
        let present = step_at(now);
        let steps = (present - TOTP_SKEW).max(0)..=present + TOTP_SKEW;
        // The latest, when codes of two steps are the same by chance.
        steps
            .filter(|step| is_same(&self.code_of(*step), code))
            .filter(|step| last.is_none_or(|last| *step > last))
            .max()
    }

    fn code_of(&self, step: i64) -> String {
        let seconds = step.max(0).unsigned_abs() * TOTP_STEP.unsigned_abs() / SECOND.unsigned_abs();
        self.totp("", "").generate(seconds)
    }

    fn totp(&self, site: &str, account: &str) -> TOTP {
        // A colon separates the two names in the address.
        let name = |text: &str| text.replace(':', " ");
        TOTP::new_unchecked(
            Algorithm::SHA1,
            TOTP_DIGITS,
            1,
            TOTP_STEP.unsigned_abs() / SECOND.unsigned_abs(),
            self.0.to_vec(),
            (!site.is_empty()).then(|| name(site)),
            name(account),
        )
    }
}

impl fmt::Debug for TotpSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TotpSecret(…)")
    }
}

/// The purpose that the secret of an authenticator app is sealed for: bound to its user.
pub fn totp_purpose(user: UserId) -> Vec<u8> {
    format!("authenticator app of user {user}").into_bytes()
}

/// The time step of a moment.
pub(crate) fn step_at(moment: Timestamp) -> i64 {
    moment.millis().div_euclid(TOTP_STEP)
}

/// Compares in constant time, for texts of the same length.
fn is_same(one: &str, other: &str) -> bool {
    one.len() == other.len() && one.bytes().zip(other.bytes()).fold(0, |found, (a, b)| found | (a ^ b)) == 0
}

/// A code that replaces the authenticator app once: 80 bits in a readable alphabet.
#[derive(Clone, PartialEq, Eq)]
pub struct RecoveryCode(String);

impl RecoveryCode {
    /// Characters that are not confused with each other: 32, so that each carries five bits.
    const ALPHABET: &[u8; 32] = b"23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
    /// The length of a code, in characters.
    pub const CHARS: usize = 16;
    /// The number of characters between two dashes.
    const GROUP: usize = 4;

    /// A random code.
    pub fn generate(env: &dyn Env) -> Self {
        let mut bytes = [0; 16];
        // Eighty bits, the last of 128: five for each character.
        env.fill_random(&mut bytes[6..]);
        let number = u128::from_be_bytes(bytes);
        let character = |n| char::from(Self::ALPHABET[(number >> (5 * n)) as usize % 32]);
        Self((0..Self::CHARS).map(character).collect())
    }

    /// Parses a typed code; case, dashes and whitespace are ignored.
    pub fn parse(text: &str) -> Option<Self> {
        let code: String = text
            .chars()
            .filter(|c| !c.is_whitespace() && !matches!(c, '-' | '–' | '—'))
            .take(Self::CHARS + 1)
            .map(|c| c.to_ascii_uppercase())
            .collect();
        let fine = code.len() == Self::CHARS && code.bytes().all(|byte| Self::ALPHABET.contains(&byte));
        fine.then_some(Self(code))
    }

    /// The code as it is shown: `XXXX-XXXX-XXXX-XXXX`.
    pub fn show(&self) -> String {
        let groups: Vec<&str> = (0..Self::CHARS).step_by(Self::GROUP).map(|at| &self.0[at..at + Self::GROUP]).collect();
        groups.join("-")
    }

    /// The stored hash. A plain hash suffices: nobody can guess 80 random bits.
    pub fn hash(&self) -> SecretHash {
        SecretHash::from_bytes(Sha256::digest(&self.0).into())
    }
}

impl fmt::Debug for RecoveryCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RecoveryCode(…)")
    }
}

/// A stored authenticator app.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredTotp {
    pub sealed_secret: Vec<u8>,
    pub begun_at: Timestamp,
    /// When its first code was entered; `None` if not yet, and then it protects nothing.
    pub confirmed_at: Option<Timestamp>,
    /// The time step of the last accepted code: codes of this and earlier steps are refused.
    pub last_step: Option<i64>,
}

/// What protects an account besides its password.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Protection {
    /// Whether an authenticator app was confirmed.
    pub totp: bool,
    /// The number of unused recovery codes.
    pub recovery_codes: u32,
    /// The number of passkeys.
    pub passkeys: u32,
}

impl Protection {
    /// Whether there is a factor that can make a session strong.
    pub const fn is_strong(self) -> bool {
        self.totp || self.passkeys > 0
    }

    /// Whether there is a second factor that the password alone must not bypass: an authenticator app always is one,
    /// passkeys are for roles above member.
    pub fn is_second_factor(self, role: Role) -> bool {
        self.totp || (self.passkeys > 0 && role != Role::Member)
    }

    /// Whether a session must first prove that it receives the owner's mail. The first factor of an account with a role
    /// makes its session strong, and a stolen password alone must not be enough for that.
    pub fn needs_proof_of_address(self, role: Role, session: &Session, now: Timestamp) -> bool {
        role != Role::Member && !self.is_strong() && !session.has_fresh_proof_of_address(now)
    }

    /// Whether a session may add or remove factors; `typed_password`: the right password was just typed. It requires
    /// the password or a fresh session. If there is a second factor ([`Protection::is_second_factor`]), it also
    /// requires a strong session: otherwise a stolen password would be enough to add a factor to an account that
    /// requires two.
    pub fn may_be_changed(self, role: Role, session: &Session, typed_password: bool, now: Timestamp) -> bool {
        (session.strong || !self.is_second_factor(role)) && (typed_password || session.is_fresh(now))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use kernel::{FixedEnv, SessionId};
    use proptest::prelude::*;

    use super::*;
    use crate::FRESH_PROOF_LIFETIME;

    const NOW: Timestamp = Timestamp::from_millis(1_795_226_400_000);

    fn env() -> FixedEnv {
        FixedEnv::at(NOW)
    }

    #[test]
    fn the_numbers_are_those_that_apps_expect() {
        assert_eq!((TOTP_STEP, TOTP_SKEW, TOTP_DIGITS, RECOVERY_CODES), (30_000, 1, 6, 10));
        assert_eq!(FRESH_PROOF_LIFETIME, 10 * 60 * 1000);
        assert_eq!(RecoveryCode::CHARS * 5, 80);
    }

    #[test]
    fn codes_are_those_of_the_standard() {
        // RFC 6238, appendix B; the last six of its eight digits.
        let secret = TotpSecret(*b"12345678901234567890");
        for (seconds, code) in [
            (59, "287082"),
            (1_111_111_109, "081804"),
            (1_111_111_111, "050471"),
            (1_234_567_890, "005924"),
            (2_000_000_000, "279037"),
            (20_000_000_000, "353130"),
        ] {
            assert_eq!(secret.code_at(Timestamp::from_millis(seconds * SECOND)), code);
        }
        assert_eq!(secret.encode(), "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
    }

    #[test]
    fn a_code_is_good_for_its_step_and_the_neighbours_and_once() {
        let secret = TotpSecret::generate(&env());
        let (code, step) = (secret.code_at(NOW), step_at(NOW));
        for (millis, good) in [(-2, false), (-1, true), (0, true), (1, true), (2, false)] {
            let at = NOW.plus(millis * TOTP_STEP);
            assert_eq!(secret.step_of(&code, at, None), good.then_some(step), "{millis} steps later");
        }
        assert_eq!(secret.step_of(&code, NOW, Some(step - 1)), Some(step));
        assert_eq!(secret.step_of(&code, NOW, Some(step)), None);
        // Once the next one was used, the one before it is worthless.
        assert_eq!(secret.step_of(&code, NOW, Some(step + 1)), None);
        for wrong in ["", "12345", "1234567", "abcdef", "١٢٣٤٥٦"] {
            assert_eq!(secret.step_of(wrong, NOW, None), None);
        }
        assert_eq!(
            secret.step_of(&secret.code_at(Timestamp::from_millis(0)), Timestamp::from_millis(0), None),
            Some(0)
        );
    }

    #[test]
    fn an_app_reads_site_account_and_secret() {
        let secret = TotpSecret(*b"12345678901234567890");
        assert_eq!(
            secret.address("Pith: Books", "ada@example.com"),
            "otpauth://totp/Pith%20%20Books:ada%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Pith%20%20Books"
        );
    }

    #[test]
    fn a_secret_is_sealed_for_one_person() {
        let (env, seal) = (env(), Seal::new(&[6; 32]).unwrap());
        let (ada, bob) = (UserId::from_store(1), UserId::from_store(2));
        let secret = TotpSecret::generate(&env);
        let sealed = secret.close(ada, &seal, &env);
        assert_eq!(TotpSecret::open(&sealed, ada, &seal), Ok(secret.clone()));
        assert_eq!(TotpSecret::open(&sealed, bob, &seal), Err(SealError::OtherSecret));
        assert!(!sealed.windows(SECRET_BYTES).any(|part| part == secret.0));
    }

    #[test]
    fn nothing_secret_shows() {
        let shown = format!("{:?} {:?}", TotpSecret::generate(&env()), RecoveryCode::generate(&env()));
        assert_eq!(shown, "TotpSecret(…) RecoveryCode(…)");
    }

    #[test]
    fn recovery_codes_are_readable_and_differ() {
        let env = env();
        let codes: Vec<RecoveryCode> = (0..100).map(|_| RecoveryCode::generate(&env)).collect();
        assert_eq!(codes.iter().map(RecoveryCode::show).collect::<HashSet<_>>().len(), 100);
        for code in codes {
            let shown = code.show();
            assert_eq!((shown.len(), shown.matches('-').count()), (19, 3));
            assert!(!shown.contains(['0', 'O', '1', 'I']));
        }
        assert_eq!(RecoveryCode::ALPHABET.iter().collect::<HashSet<_>>().len(), 32);
    }

    fn session(strong: bool) -> Session {
        Session {
            id: SessionId::from_store(1),
            user: UserId::from_store(1),
            created_at: NOW,
            last_seen_at: NOW,
            expires_at: NOW.plus(FRESH_PROOF_LIFETIME * 9),
            proved_at: None,
            address_proved_at: None,
            password_typed: false,
            revoked_at: None,
            strong,
        }
    }

    #[test]
    fn the_first_factor_of_a_role_needs_a_proof_of_the_address() {
        let (none, key) = (Protection::default(), Protection { passkeys: 1, ..Protection::default() });
        let proved = Session { address_proved_at: Some(NOW), ..session(false) };
        for role in [Role::Editor, Role::Admin] {
            assert!(none.needs_proof_of_address(role, &session(false), NOW));
            assert!(!none.needs_proof_of_address(role, &proved, NOW.plus(FRESH_PROOF_LIFETIME)));
            assert!(none.needs_proof_of_address(role, &proved, NOW.plus(FRESH_PROOF_LIFETIME + 1)));
            assert!(!key.needs_proof_of_address(role, &session(true), NOW));
        }
        assert!(!none.needs_proof_of_address(Role::Member, &session(false), NOW));
    }

    #[test]
    fn a_fresh_factor_allows_a_change_of_factors() {
        let (none, app) = (Protection::default(), Protection { totp: true, ..Protection::default() });
        let key = Protection { passkeys: 1, ..Protection::default() };
        let may = |what: Protection, role, strong, typed, age| {
            what.may_be_changed(role, &session(strong), typed, NOW.plus(age))
        };
        for role in Role::ALL {
            // Nothing is there yet: a fresh sign-in or the password.
            assert!(
                may(none, role, false, false, FRESH_PROOF_LIFETIME)
                    && !may(none, role, false, false, FRESH_PROOF_LIFETIME + 1)
            );
            assert!(may(none, role, false, true, FRESH_PROOF_LIFETIME + 1));
            // An app is there: it must have been used.
            assert!(!may(app, role, false, false, 0) && !may(app, role, false, true, 0));
            assert!(
                may(app, role, true, false, FRESH_PROOF_LIFETIME)
                    && !may(app, role, true, false, FRESH_PROOF_LIFETIME + 1)
            );
            assert!(may(app, role, true, true, FRESH_PROOF_LIFETIME + 1));
            assert_eq!(may(key, role, false, true, 0), role == Role::Member);
            assert!(may(key, role, true, false, 0));
        }
    }

    proptest! {
        #[test]
        fn a_recovery_code_is_read_however_it_is_typed(seed in 0_usize..200, lower: bool, dash in prop::sample::select(vec!["", "-", " ", " - ", "–"])) {
            let env = env();
            env.fill_random(&mut vec![0; seed]);
            let code = RecoveryCode::generate(&env);
            let typed = code.show().replace('-', dash);
            let typed = if lower { typed.to_lowercase() } else { typed };
            prop_assert_eq!(RecoveryCode::parse(&typed).map(|read| read.hash()), Some(code.hash()));
        }

        #[test]
        fn any_other_text_is_no_code_and_no_panic(text in ".{0,40}") {
            if let Some(code) = RecoveryCode::parse(&text) {
                prop_assert_eq!(code.show().len(), 19);
            }
            prop_assert!(TotpSecret::generate(&env()).step_of(&text, NOW, None).is_none() || text.len() == 6);
        }

        #[test]
        fn no_code_is_taken_twice(moments in prop::collection::vec(0_i64..10 * TOTP_STEP, 1..60)) {
            let secret = TotpSecret::generate(&env());
            let (mut last, mut taken) = (None, HashSet::new());
            for offset in moments {
                let now = NOW.plus(offset);
                if let Some(step) = secret.step_of(&secret.code_at(now), now, last) {
                    prop_assert!(taken.insert(step));
                    last = Some(step);
                }
            }
        }
    }
}
