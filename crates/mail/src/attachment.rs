//! Attachments of mails.

/// A file attached to a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    /// The file name, in ASCII: some e-readers accept nothing else.
    pub name: String,
    pub content_type: &'static str,
    pub bytes: Vec<u8>,
}
