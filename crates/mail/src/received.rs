//! Parses a sent message into what its recipient sees.

use mail_parser::{Addr, Address, MessageParser};

use crate::OutboxMail;

/// The parts of a message that people see.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReceivedMail {
    /// Names and addresses, as a mail client shows them.
    pub to: String,
    pub from: String,
    /// The `Reply-To`; `None` if replies go to the sender.
    pub reply_to: Option<String>,
    /// `None` if the message has no subject.
    pub subject: Option<String>,
    /// The plain-text part.
    pub text: String,
    pub html: String,
}

impl OutboxMail {
    /// Parses the message. Parts that can't be parsed are empty.
    pub fn read(&self) -> ReceivedMail {
        let Some(message) = MessageParser::default().parse(&self.bytes) else { return ReceivedMail::default() };
        ReceivedMail {
            to: message.to().map(names).unwrap_or_default(),
            from: message.from().map(names).unwrap_or_default(),
            reply_to: message.reply_to().map(names).filter(|text| !text.is_empty()),
            subject: message.subject().map(str::to_owned),
            text: message.body_text(0).unwrap_or_default().into_owned(),
            html: message.body_html(0).unwrap_or_default().into_owned(),
        }
    }
}

/// Names and addresses as text.
fn names(address: &Address<'_>) -> String {
    let one = |addr: &Addr<'_>| match (addr.name(), addr.address()) {
        (Some(name), Some(address)) => format!("{name} <{address}>"),
        (name, address) => address.or(name).unwrap_or_default().to_owned(),
    };
    address.iter().map(one).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use kernel::Timestamp;

    use super::*;

    fn read(message: &str) -> ReceivedMail {
        let mail = OutboxMail {
            name: String::new(),
            queued_at: Timestamp::from_millis(0),
            bytes: message.replace('\n', "\r\n").into_bytes(),
        };
        mail.read()
    }

    #[test]
    fn headers_and_text_are_as_the_recipient_sees_them() {
        let mail = read(
            "From: Pith <a@pith.example>\nTo: =?utf-8?q?Zo=C3=AB?= <z@x.example>, b@x.example\nSubject: Hi\n\nText.\n",
        );
        assert_eq!((mail.from.as_str(), mail.to.as_str()), ("Pith <a@pith.example>", "Zoë <z@x.example>, b@x.example"));
        assert_eq!((mail.subject.as_deref(), mail.reply_to, mail.text.trim()), (Some("Hi"), None, "Text."));
    }

    #[test]
    fn what_is_no_message_is_empty() {
        assert_eq!(read(""), ReceivedMail::default());
    }
}
