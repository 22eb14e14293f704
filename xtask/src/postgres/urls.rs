//! The URLs of a database, for its owner and for the server.

/// The URLs of a database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DatabaseUrls {
    /// `DATABASE_URL`, which the server uses.
    pub(crate) application: String,
    /// `DATABASE_OWNER_URL`, which migrations use, if that is another role.
    pub(crate) owner: Option<String>,
}
