//! Password rules and password hashing (`identity.password-rules`).

use std::{collections::HashSet, fmt, sync::LazyLock};

use argon2::{
    Algorithm, Argon2, Params, Version,
    password_hash::phc::{Output, ParamsString, PasswordHash as Phc, Salt},
};
use kernel::Env;

use crate::{IdentityError, hash_memory::HashMemory};

/// Memory of one hash, in KiB: with [`PASSES`] and [`LANES`], OWASP's recommendation for argon2id.
const MEMORY_KIB: u32 = 19_456;
/// Passes over the memory.
const PASSES: u32 = 2;
/// Lanes, filled one after the other.
const LANES: u32 = 1;
/// Bytes of a salt.
const SALT_BYTES: usize = 16;

/// The passwords that attackers try first, in lower case, one per line.
static COMMON: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| include_str!("common_passwords.txt").lines().collect());

/// A hash of random bytes with the current parameters, which no password matches. An unknown address is checked against
/// it, so that it takes as long as a known one.
const NOBODYS: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$R8aa5lOzkmV3f7CSUY8p3g$UhurCy8OUW4yR2x/y65yk/LeYlC95CNCBnH5R3bko8Q";

/// A password that satisfies the rules.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(String);

impl Password {
    /// The minimum length, in characters.
    pub const MIN_CHARS: usize = 8;
    /// The maximum length, in characters.
    pub const MAX_CHARS: usize = 256;

    /// Checks a password against the rules, without trimming or changing it.
    pub fn choose(text: &str) -> Result<Self, IdentityError> {
        let chars = text.chars().count();
        if chars < Self::MIN_CHARS {
            Err(IdentityError::PasswordTooShort)
        } else if chars > Self::MAX_CHARS {
            Err(IdentityError::PasswordTooLong)
        } else if COMMON.contains(text.to_lowercase().as_str()) {
            Err(IdentityError::PasswordTooCommon)
        } else {
            Ok(Self(text.to_owned()))
        }
    }

    /// Checks a password that was typed twice.
    pub fn choose_twice(text: &str, again: &str) -> Result<Self, IdentityError> {
        if text == again { Self::choose(text) } else { Err(IdentityError::PasswordsDiffer) }
    }

    /// Hashes the password. Takes about 20 ms of CPU time and 19 MiB of memory.
    pub fn hash(&self, env: &dyn Env) -> PasswordHash {
        PasswordHash::of(&self.0, env)
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(…)")
    }
}

/// An argon2id hash as a PHC string.
#[derive(Clone, PartialEq, Eq)]
pub struct PasswordHash(String);

impl PasswordHash {
    /// Hashes any text without checking the rules: for a login that renews its hash, where the password may be older
    /// than the rules.
    pub fn of(password: &str, env: &dyn Env) -> Self {
        let mut salt = [0; SALT_BYTES];
        env.fill_random(&mut salt);
        let phc = made_with(&params(), Algorithm::Argon2id, Version::V0x13, password, &salt)
            .expect("the parameters and the salt's length are constants within argon2's bounds");
        Self(phc.to_string())
    }

    /// A hash from the store: not checked.
    pub fn from_store(text: String) -> Self {
        Self(text)
    }

    /// The PHC string.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the hash was made with other than the current parameters; the next login then renews it.
    pub fn is_old(&self) -> bool {
        let Ok(phc) = Phc::new(&self.0) else { return true };
        let wanted = params();
        phc.algorithm != Algorithm::Argon2id.ident()
            || phc.version != Some(Version::V0x13.into())
            || Params::try_from(&phc).map_or(true, |p| {
                (p.m_cost(), p.t_cost(), p.p_cost()) != (wanted.m_cost(), wanted.t_cost(), wanted.p_cost())
            })
    }
}

impl fmt::Debug for PasswordHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PasswordHash(…)")
    }
}

/// Verifies a password. Takes about 20 ms of CPU time and 19 MiB of memory. Without a hash the result is `false` after
/// the same work, so that timing does not tell an unknown address from a wrong password.
pub fn verify_password(password: &str, hash: Option<&PasswordHash>) -> bool {
    let text = hash.map_or(NOBODYS, PasswordHash::as_str);
    let fits = Phc::new(text).is_ok_and(|phc| verify(password, &phc).is_some_and(|fits| fits));
    fits && hash.is_some()
}

/// Hashes the password with the parameters of `phc` and compares; `None` if `phc` is not a complete argon2 hash.
fn verify(password: &str, phc: &Phc) -> Option<bool> {
    let (salt, wanted) = (phc.salt.as_ref()?, phc.hash.as_ref()?);
    let version = phc.version.map_or(Ok(Version::default()), Version::try_from).ok()?;
    let algorithm = Algorithm::try_from(phc.algorithm.as_str()).ok()?;
    let made = made_with(&Params::try_from(phc).ok()?, algorithm, version, password, salt.as_ref())?;
    // `Output` compares in constant time.
    Some(made.hash.as_ref() == Some(wanted))
}

/// Hashes a password, in memory from the pool. `None` if the parameters or the salt are outside of argon2's bounds.
fn made_with(params: &Params, algorithm: Algorithm, version: Version, password: &str, salt: &[u8]) -> Option<Phc> {
    let mut buffer = [0; Output::MAX_LENGTH];
    let out = buffer.get_mut(..params.output_len().unwrap_or(Params::DEFAULT_OUTPUT_LEN))?;
    let memory = HashMemory::take(params.block_count());
    Argon2::new(algorithm, version, params.clone())
        .hash_password_into_with_memory(password.as_bytes(), salt, out, memory)
        .ok()?;
    Some(Phc {
        algorithm: algorithm.ident(),
        version: Some(version.into()),
        params: ParamsString::try_from(params).ok()?,
        salt: Some(Salt::new(salt).ok()?),
        hash: Some(Output::new(out).ok()?),
    })
}

fn params() -> Params {
    Params::new(MEMORY_KIB, PASSES, LANES, None).expect("constants within argon2's bounds")
}

#[cfg(test)]
mod tests {
    use kernel::{FixedEnv, Timestamp};

    use super::*;

    fn env() -> FixedEnv {
        FixedEnv::at(Timestamp::from_millis(0))
    }

    #[test]
    fn eight_to_256_characters_count_not_bytes() {
        assert!(matches!(Password::choose("short77"), Err(IdentityError::PasswordTooShort)));
        assert!(matches!(Password::choose("ééééééé"), Err(IdentityError::PasswordTooShort)));
        assert!(Password::choose("éàüßøçñ½").is_ok());
        assert!(Password::choose(&"ab".repeat(128)).is_ok());
        assert!(matches!(Password::choose(&"a".repeat(257)), Err(IdentityError::PasswordTooLong)));
    }

    #[test]
    fn common_passwords_are_refused_in_any_case() {
        for text in ["password", "PassWord", "12345678", "QwertyUiop", "iloveyou", "Welcome2026"] {
            assert!(matches!(Password::choose(text), Err(IdentityError::PasswordTooCommon)), "{text}");
        }
        assert!(Password::choose("pith-demo-2026").is_ok());
    }

    #[test]
    fn the_list_is_long_and_every_line_of_it_counts() {
        assert!(COMMON.len() >= 1_000);
        for line in COMMON.iter() {
            assert_eq!(line.to_lowercase(), *line);
            assert!(line.chars().count() >= Password::MIN_CHARS && line.trim() == *line, "{line:?}");
        }
    }

    #[test]
    fn only_the_password_itself_verifies() {
        let hash = Password::choose("correct horse").unwrap().hash(&env());
        assert!(verify_password("correct horse", Some(&hash)));
        assert!(!verify_password("Correct horse", Some(&hash)));
        assert!(!verify_password("correct horse ", Some(&hash)));
        assert!(!verify_password("correct horse", None));
        assert!(!verify_password("x", Some(&PasswordHash::from_store("no hash".to_owned()))));
    }

    #[test]
    fn a_password_that_is_typed_twice_is_the_same_twice() {
        assert_eq!(Password::choose_twice("correct horse", "correct horse").unwrap(), Password("correct horse".into()));
        for again in ["Correct horse", "correct horse ", ""] {
            let error = Password::choose_twice("correct horse", again).unwrap_err();
            assert!(matches!(error, IdentityError::PasswordsDiffer), "{again:?}");
            assert_eq!(error.to_string(), "The passwords do not match.");
        }
        assert!(matches!(Password::choose_twice("short", "short"), Err(IdentityError::PasswordTooShort)));
    }

    #[test]
    fn equal_passwords_have_different_hashes() {
        let (env, password) = (env(), Password::choose("correct horse").unwrap());
        assert_ne!(password.hash(&env), password.hash(&env));
    }

    #[test]
    fn a_hash_says_when_it_is_to_be_renewed() {
        let hash = PasswordHash::of("correct horse", &env());
        assert!(hash.as_str().starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{}", hash.as_str());
        assert!(!hash.is_old());
        let tail = hash.as_str().rsplitn(3, '$').take(2).map(str::to_owned).collect::<Vec<_>>();
        for head in ["$argon2id$v=19$m=4096,t=2,p=1", "$argon2i$v=19$m=19456,t=2,p=1", "$argon2id$v=16$m=19456,t=2,p=1"]
        {
            assert!(PasswordHash::from_store(format!("{head}${}${}", tail[1], tail[0])).is_old(), "{head}");
        }
        assert!(PasswordHash::from_store("bcrypt".to_owned()).is_old());
    }

    #[test]
    fn checking_an_unknown_address_is_the_same_work() {
        assert!(Phc::new(NOBODYS).is_ok());
        assert!(!PasswordHash::from_store(NOBODYS.to_owned()).is_old());
    }

    #[test]
    fn secrets_do_not_show_in_debug_output() {
        let password = Password::choose("correct horse").unwrap();
        let shown = format!("{password:?} {:?}", password.hash(&env()));
        assert_eq!(shown, "Password(…) PasswordHash(…)");
    }
}
