//! The site in whose name mails are sent.

use kernel::Email;

/// The site in whose name mails are sent.
#[derive(Clone, Debug)]
pub struct Site {
    /// The product's name.
    pub name: String,
    /// The site's URL, without a slash at the end.
    pub url: String,
    /// The support mailbox.
    pub support_email: Email,
}
