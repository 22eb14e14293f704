//! Version, commit and time of a release. Everything in it that could depend on the moment is taken from here.
//!
//! `time` and `jiff` format a time too, but bring more than the ten lines that they would replace.

use std::process::Command;

use anyhow::{Context, Result};

use crate::checkout::Checkout;
use crate::process;

/// What a release is made from.
#[derive(Clone, Debug)]
pub(crate) struct Stamp {
    /// The workspace's version.
    pub(crate) version: String,
    /// The short hash of the commit, with `-dirty` when files differ from it.
    pub(crate) commit: String,
    /// The time of the commit, or `SOURCE_DATE_EPOCH`, in seconds since 1970.
    pub(crate) seconds: u64,
}

impl Stamp {
    /// Reads the checkout. `PITH_COMMIT` and `SOURCE_DATE_EPOCH` stand in for git where the sources are not a checkout.
    pub(crate) fn read(checkout: &Checkout) -> Result<Self> {
        let metadata = checkout.metadata()?;
        let packages = metadata["packages"].as_array().context("cargo metadata lists no packages")?;
        let server =
            packages.iter().find(|package| package["name"] == "server").context("there is no crate `server`")?;
        let version = server["version"].as_str().context("the crate `server` has no version")?.to_owned();
        let git = |arguments: &[&str]| -> Result<String> {
            let output = process::output(Command::new("git").current_dir(checkout.root()).args(arguments));
            Ok(output.context("not a git checkout: set PITH_COMMIT and SOURCE_DATE_EPOCH")?.trim().to_owned())
        };
        let commit = match variable("PITH_COMMIT") {
            Some(commit) => commit,
            None if git(&["status", "--porcelain"])?.is_empty() => git(&["rev-parse", "--short=12", "HEAD"])?,
            None => format!("{}-dirty", git(&["rev-parse", "--short=12", "HEAD"])?),
        };
        let seconds = match variable("SOURCE_DATE_EPOCH") {
            Some(seconds) => seconds,
            None => git(&["log", "-1", "--format=%ct"])?,
        };
        let seconds = seconds.parse().context("SOURCE_DATE_EPOCH is a number of seconds since 1970")?;
        Ok(Self { version, commit, seconds })
    }

    /// The time as in RFC 3339, in UTC.
    pub(crate) fn timestamp(&self) -> String {
        let (days, rest) = (self.seconds / 86_400, self.seconds % 86_400);
        let (year, month, day) = date(days);
        format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", rest / 3_600, rest / 60 % 60, rest % 60)
    }
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// Year, month and day of a day since 1970-01-01, in the Gregorian calendar.
fn date(days: u64) -> (u64, u64, u64) {
    const ERA: u64 = 146_097;
    // Days since 0000-03-01, so that a leap day is the last one of a year.
    let days = days + 719_468;
    let (era, day) = (days / ERA, days % ERA);
    let year = (day - day / 1_460 + day / 36_524 - day / (ERA - 1)) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let first = (153 * month + 2) / 5;
    let calendar = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year + u64::from(calendar < 3), calendar, day - first + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_written_in_utc() {
        let at = |seconds| Stamp { version: String::new(), commit: String::new(), seconds }.timestamp();
        assert_eq!(at(0), "1970-01-01T00:00:00Z");
        assert_eq!(at(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(at(1_709_251_199), "2024-02-29T23:59:59Z");
        assert_eq!(at(1_767_225_599), "2025-12-31T23:59:59Z");
    }
}
