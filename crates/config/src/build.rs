//! What this program was built from.

/// The version of the release.
pub const RELEASE: &str = env!("CARGO_PKG_VERSION");

/// The commit, abbreviated; `unknown` where the build was not told it (`PITH_COMMIT`).
pub const COMMIT: &str = match option_env!("PITH_COMMIT") {
    Some(commit) => commit,
    None => "unknown",
};
