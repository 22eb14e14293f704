//! Files that mails carry.

/// An attached file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    /// Its name, in ASCII: some e-readers take no other.
    pub name: String,
    pub content_type: &'static str,
    /// Its content.
    pub bytes: Vec<u8>,
}
