//! The addresses of the database, and the sizes of its pools.

use std::time::Duration;

use kernel::{ConfigError, config::Variables};
use postgres::DbConfig;

const DATABASE_URL: &str = "DATABASE_URL";

/// The database of a process with this many threads. `None` if something is wrong.
pub(super) fn read(vars: &Variables, threads: u32) -> Option<DbConfig> {
    let url = vars.trimmed(DATABASE_URL).ok_or_else(|| {
        ConfigError::new(DATABASE_URL, "is missing: the address of a Postgres database, like postgres://user@host/pith")
    });
    let url = vars.accept(url.and_then(|url| checked(DATABASE_URL, url)));
    let direct_url = vars.accept(optional(vars, "DATABASE_DIRECT_URL"));
    let replica_url = vars.accept(optional(vars, "DATABASE_REPLICA_URL"));
    let read_connections = vars.number("DATABASE_READ_CONNECTIONS", 4 * threads, 1..=10_000);
    let write_connections = vars.number("DATABASE_WRITE_CONNECTIONS", 8 * threads, 1..=10_000);
    let wait = Duration::from_millis(vars.number("DATABASE_WAIT_MS", 1_500, 1..=60_000));
    let (url, direct_url, replica_url) = (url?, direct_url?, replica_url?);
    Some(DbConfig { url, direct_url, replica_url, read_connections, write_connections, wait })
}

/// The address of the owner of the tables; `None` if it is not set.
pub(super) fn owner_url(vars: &Variables) -> Result<Option<String>, ConfigError> {
    optional(vars, "DATABASE_OWNER_URL")
}

fn optional(vars: &Variables, name: &'static str) -> Result<Option<String>, ConfigError> {
    vars.trimmed(name).map(|url| checked(name, url)).transpose()
}

/// Refuses what libpq would take for a list of `name=value` pairs, or misread. The address may hold a password and is not
/// repeated.
pub(super) fn checked(name: &'static str, url: String) -> Result<String, ConfigError> {
    const FORM: &str = "is postgres://user:password@host/database";
    match url.split_once("://") {
        Some(("postgres" | "postgresql", rest)) if !rest.is_empty() => Ok(url),
        Some((scheme, _)) if !matches!(scheme, "postgres" | "postgresql") => {
            Err(ConfigError::new(name, format!("{FORM}, and begins with '{scheme}://'")))
        }
        _ => Err(ConfigError::new(name, FORM)),
    }
}
