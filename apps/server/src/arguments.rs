//! The command line of `pith`.

use std::{path::PathBuf, sync::LazyLock};

use clap::{Parser, Subcommand};
use clap_complete::Shell;
use config::build::{COMMIT, RELEASE};
use identity::Role;
use kernel::{Day, Email};

/// Release, commit and schema, such as `0.1.0 (commit 1f2e3d4, schema 20261127000022)`.
pub static VERSION: LazyLock<String> =
    LazyLock::new(|| format!("{RELEASE} (commit {COMMIT}, schema {})", postgres::schema_version()));

/// A subscription service for short non-fiction book summaries: its server and the commands of its operators.
#[derive(Debug, Parser)]
#[command(
    name = "pith",
    version = VERSION.as_str(),
    after_help = "Configuration is environment variables: see OPERATING.md. `pith check` tries them.",
    disable_help_subcommand = true
)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

/// What `pith` does.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve the site and its API, and do its jobs
    Serve,
    /// Do jobs only: send mails, make recordings, sweep; its own port answers health checks and metrics
    Worker,
    /// Check the configuration, and try the database, the file store and the mail server
    ///
    /// Names everything that is wrong at once, and warns of what most likely is not meant, such as names that nothing reads. Fails
    /// if the site could not run so. Changes nothing, except that it stores and deletes one small file.
    Check,
    /// Ask the server on this machine whether it is ready; fail if it is not
    ///
    /// Reads BIND and PORT, or the port of a worker. For service managers and containers.
    Healthcheck {
        /// Ask a worker instead of a server
        #[arg(long)]
        worker: bool,
    },
    /// Bring the database up to date, as its owner, and give `serve` its rights
    Migrate,
    /// Write database and media into a new file, as of one moment; the site may be running
    Backup {
        /// The file, which must not exist yet
        file: PathBuf,
    },
    /// Fill a new, empty database and the media from a backup; the site is not running
    Restore {
        /// What `pith backup` wrote
        file: PathBuf,
    },
    /// Move old entries of the audit log into a new file, as the owner of its tables; the site may be running
    ///
    /// The file has a line of JSON for each entry, compressed with gzip, without the values that name a person. A month that is not over
    /// can't be archived.
    ArchiveAudit {
        /// The first month that stays, such as 2026-01
        #[arg(value_parser = month)]
        month: Day,
        /// The file, which must not exist yet
        file: PathBuf,
    },
    /// Load books and what belongs to them: the demo content, or a folder of your own
    Seed {
        /// A folder in the format of `pith export`
        folder: Option<PathBuf>,
    },
    /// Write the content into a new folder, in the format that `seed` loads; the site may be running
    Export {
        /// The folder, which must not exist yet
        folder: PathBuf,
    },
    /// Sign access tokens with a new key; those of the previous one stay good until they expire
    RotateKeys,
    /// Replace the secret that seals the keys by another one; the site may be running with both
    RotateSecret,
    /// Make a person a member, editor or admin; a changed role ends their sessions
    GrantRole {
        /// The person's address
        #[arg(value_parser = email)]
        email: Email,
        /// member, editor or admin
        role: Role,
    },
    /// Remove the authenticator app and passkeys of a person who has lost them, and end their sessions
    ResetSecondFactor {
        /// The person's address
        #[arg(value_parser = email)]
        email: Email,
    },
    /// Prove that ledger, entitlements and payment providers agree; name what does not, and fail
    LedgerCheck,
    /// Print the API's description (OpenAPI)
    Openapi,
    /// Print a shell's completions of these commands
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page, in roff
    Man,
}

fn email(text: &str) -> Result<Email, String> {
    Email::parse(text).map_err(|_| format!("'{text}' is not an email address"))
}

/// The first day of a month.
fn month(text: &str) -> Result<Day, String> {
    format!("{text}-01").parse().map_err(|_| format!("'{text}' is not a month, such as 2026-01"))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn arguments_are_read_and_wrong_ones_named() {
        let read = |line: &str| Arguments::try_parse_from(line.split(' ')).map_err(|error| error.to_string());
        assert!(matches!(read("pith seed").unwrap().command, Command::Seed { folder: None }));
        assert!(matches!(read("pith backup here").unwrap().command, Command::Backup { .. }));
        for (line, named) in [
            ("pith grant-role ada admin", "'ada' is not an email address"),
            ("pith grant-role ada@example.com root", "a role is one of member, editor, admin"),
            ("pith grant-role ada@example.com", "<ROLE>"),
            ("pith archive-audit January old.gz", "'January' is not a month"),
            ("pith seed one two", "unexpected argument 'two'"),
            ("pith seed --all", "unexpected argument '--all'"),
            ("pith migrat", "a similar subcommand exists: 'migrate'"),
        ] {
            let error = read(line).unwrap_err();
            assert!(error.contains(named), "{line}: {error}");
        }
    }

    #[test]
    fn the_version_names_commit_and_schema() {
        let said = Arguments::try_parse_from(["pith", "--version"]).unwrap_err().to_string();
        assert!(said.starts_with(concat!("pith ", env!("CARGO_PKG_VERSION"), " (commit ")), "{said}");
        assert!(said.trim_end().ends_with(')') && said.contains(", schema 20"), "{said}");
    }
}
