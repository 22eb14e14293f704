//! The addresses of the database.

use kernel::{ConfigError, config::Variables};

const DATABASE_URL: &str = "DATABASE_URL";
const DATABASE_OWNER_URL: &str = "DATABASE_OWNER_URL";

/// The address that `serve` and `worker` connect to.
pub(super) fn url(vars: &Variables) -> Result<String, ConfigError> {
    let url = vars.trimmed(DATABASE_URL).ok_or_else(|| {
        ConfigError::new(DATABASE_URL, "is missing: the address of a Postgres database, like postgres://user@host/pith")
    })?;
    checked(DATABASE_URL, url)
}

/// The address of the owner of the tables; `None` if it is not set.
pub(super) fn owner_url(vars: &Variables) -> Result<Option<String>, ConfigError> {
    vars.trimmed(DATABASE_OWNER_URL).map(|url| checked(DATABASE_OWNER_URL, url)).transpose()
}

/// Refuses what libpq would take for a list of `name=value` pairs, or misread. The address may hold a password and is not
/// repeated.
fn checked(name: &'static str, url: String) -> Result<String, ConfigError> {
    const FORM: &str = "is postgres://user:password@host/database";
    match url.split_once("://") {
        Some(("postgres" | "postgresql", rest)) if !rest.is_empty() => Ok(url),
        Some((scheme, _)) if !matches!(scheme, "postgres" | "postgresql") => {
            Err(ConfigError::new(name, format!("{FORM}, and begins with '{scheme}://'")))
        }
        _ => Err(ConfigError::new(name, FORM)),
    }
}
