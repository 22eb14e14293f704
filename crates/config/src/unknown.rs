//! Names of variables that nothing reads, and that most likely were meant for this program.

use std::collections::BTreeSet;

use kernel::config::Variables;

/// How the names of our variables begin, except those that other programs use too.
const PREFIXES: [&str; 13] = [
    "PITH_",
    "DATABASE_",
    "BACKUP_",
    "S3_",
    "SMTP_",
    "STRIPE_",
    "PAYPAL_",
    "OAUTH_",
    "RATE_LIMIT",
    "SUMMARISER_",
    "SPEECH_",
    "SUPPORT_",
    "SANDBOX_",
];
/// Names that begin so and are read by other programs or by the commands around this one.
const OTHERS: [&str; 1] = ["PITH_COMMIT"];
/// The largest edit distance of a slip: letters that were added, left out, changed or swapped.
const MAX_EDITS: usize = 2;
/// Shorter names differ by so few letters from what other programs read.
const MIN_LENGTH: usize = 7;

/// One warning for each unknown name. All readers must have run.
pub(super) fn names(vars: &Variables) -> Vec<String> {
    let known = vars.known();
    vars.set().filter_map(|name| warning(name, &known)).collect()
}

fn warning(name: &str, known: &BTreeSet<&'static str>) -> Option<String> {
    if known.contains(name) || OTHERS.contains(&name) {
        return None;
    }
    let distance = |one: &str| strsim::damerau_levenshtein(&name.to_uppercase(), one);
    let nearest = known.iter().copied().min_by_key(|one| distance(one)).filter(|one| distance(one) <= MAX_EDITS);
    match nearest {
        Some(nearest) if name.len() >= MIN_LENGTH => {
            Some(format!("{name} is not a setting, and has no effect: is {nearest} meant?"))
        }
        _ if PREFIXES.iter().any(|prefix| name.starts_with(prefix)) => {
            Some(format!("{name} is not a setting, and has no effect"))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn warned(name: &str) -> Option<String> {
        warning(name, &BTreeSet::from(["SMTP_URL", "PORT", "LOG", "PUBLIC_URL", "PITH_HOME", "RATE_LIMIT_LOGIN"]))
    }

    #[test]
    fn a_slip_is_named_with_what_was_meant() {
        for (slip, meant) in [
            ("SMPT_URL", "SMTP_URL"),
            ("SMTP_URI", "SMTP_URL"),
            ("smtp_url", "SMTP_URL"),
            ("PUBLIC_ULR", "PUBLIC_URL"),
            ("PUBLICURL", "PUBLIC_URL"),
            ("RATE_LIMITS_LOGIN", "RATE_LIMIT_LOGIN"),
        ] {
            let said = format!("{slip} is not a setting, and has no effect: is {meant} meant?");
            assert_eq!(warned(slip), Some(said));
        }
        assert_eq!(warned("PITH_COLOUR").as_deref(), Some("PITH_COLOUR is not a setting, and has no effect"));
    }

    #[test]
    fn what_is_known_or_of_another_program_is_not_named() {
        for name in [
            "SMTP_URL",
            "PATH",
            "HOME",
            "LANG",
            "LC_ALL",
            "TERM",
            "SHELL",
            "PWD",
            "USER",
            "PGPASSWORD",
            "RUST_LOG",
            "HOSTNAME",
        ] {
            assert_eq!(warned(name), None, "{name}");
        }
    }
}
