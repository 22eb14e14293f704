//! The site in whose name mails are sent.

use kernel::Email;

/// The site in whose name mails are sent.
#[derive(Clone, Debug)]
pub struct Site {
    pub name: String,
    /// The site's URL, without a trailing slash.
    pub url: String,
    /// The mailbox that receives messages to support.
    pub support_email: Email,
}
