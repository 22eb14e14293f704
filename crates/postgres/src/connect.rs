//! Opening a connection.

use diesel::{Connection, ConnectionResult, PgConnection};

/// Connects to the database at this URL.
pub(crate) fn connect(url: &str) -> ConnectionResult<PgConnection> {
    init_openssl();
    PgConnection::establish(url)
}

/// Initializes OpenSSL, which libpq uses, without its handler at exit. That handler frees OpenSSL's locks while threads of a pool may
/// still be connecting, and the process would end with a segmentation fault. Must run before the first connection.
pub(crate) fn init_openssl() {
    openssl_sys::init();
}
