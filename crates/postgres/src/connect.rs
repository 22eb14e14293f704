//! Opening a connection.

use diesel::{Connection, ConnectionResult, PgConnection};

/// Connects to the database at this URL.
pub(crate) fn connect(url: &str) -> ConnectionResult<PgConnection> {
    keep_tls_until_the_end();
    PgConnection::establish(url)
}

/// Sets up OpenSSL, which libpq uses, without its handler at exit. That handler frees OpenSSL's locks while threads of a pool may still
/// be connecting, and the process would end with a segmentation fault. Counts if it runs before the first connection.
pub(crate) fn keep_tls_until_the_end() {
    openssl_sys::init();
}
