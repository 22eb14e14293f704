//! The addresses of a database, for its owner and for the server.

/// The addresses of a database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DatabaseUrls {
    /// `DATABASE_URL`: what the server runs with.
    pub(crate) application: String,
    /// `DATABASE_OWNER_URL`: what its tables are made with, where that is another user.
    pub(crate) owner: Option<String>,
}
