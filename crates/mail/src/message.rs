//! The MIME message of a mail: headers, both parts, attachment, envelope.

use std::time::{Duration, SystemTime};

use kernel::Timestamp;
use lettre::{
    Address, Message,
    address::Envelope,
    message::{
        Mailbox, MultiPart, SinglePart,
        header::{ContentType, HeaderName, HeaderValue},
    },
};

use crate::render::RenderedMail;

/// A mail as it is sent.
#[derive(Clone, Debug)]
pub(crate) struct EncodedMail {
    /// Sender and recipient.
    pub(crate) envelope: Envelope,
    /// Headers and body.
    pub(crate) bytes: Vec<u8>,
}

/// The message can't be built. The texts do not show the address, because reasons are stored and logged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum MessageError {
    /// SMTP has no form for the address.
    #[error("Mail can't be sent to this address.")]
    Address,
    /// A header could not be made.
    #[error("The mail's headers can't be written.")]
    Headers,
}

/// Builds the message of a mail. The same mail gives the same bytes at every attempt.
pub(crate) fn build_message(
    to: &str,
    id: &str,
    queued_at: Timestamp,
    mail: RenderedMail,
    from: &Mailbox,
) -> Result<EncodedMail, MessageError> {
    let to = parse_address(to).ok_or(MessageError::Address)?;
    let envelope = Envelope::new(Some(from.email.clone()), vec![to.clone()]).map_err(|_| MessageError::Headers)?;
    let mut builder = Message::builder()
        .from(from.clone())
        .to(Mailbox::new(None, to))
        .subject(one_line(&mail.subject))
        .date(date(queued_at))
        .message_id(Some(format!("<{id}@{}>", from.email.domain())))
        // Asks mail programs for no automatic reply.
        .raw_header(header("Auto-Submitted", "auto-generated"))
        .raw_header(header("X-Auto-Response-Suppress", "All"));
    if let Some((reply_to, address)) =
        mail.reply_to.and_then(|to| parse_address(&to.email).map(|address| (to.name, address)))
    {
        let name = one_line(&reply_to);
        builder = builder.reply_to(Mailbox::new((!name.is_empty()).then_some(name), address));
    }
    if let Some(url) = &mail.unsubscribe {
        // One press in the mail program ends these mails (RFC 8058). Servers sign both headers with DKIM, where they sign.
        let value = format!("<{}>", one_line(url));
        builder = builder
            .raw_header(unfolded("List-Unsubscribe", value))
            .raw_header(header("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"));
    }
    let parts = MultiPart::alternative()
        .boundary(format!("pith-{id}"))
        .singlepart(SinglePart::plain(mail.text))
        .singlepart(SinglePart::html(mail.html));
    let parts = match mail.file {
        None => parts,
        Some(file) => {
            let kind = ContentType::parse(file.content_type).map_err(|_| MessageError::Headers)?;
            let file = lettre::message::Attachment::new(file.name).body(file.bytes, kind);
            MultiPart::mixed().boundary(format!("pith-file-{id}")).multipart(parts).singlepart(file)
        }
    };
    let message = builder.multipart(parts).map_err(|_| MessageError::Headers)?;
    Ok(EncodedMail { envelope, bytes: message.formatted() })
}

/// Parses an address as SMTP takes it: the domain in ASCII.
pub(crate) fn parse_address(text: &str) -> Option<Address> {
    let (local, domain) = text.rsplit_once('@')?;
    let domain = match url::Host::parse(domain).ok()? {
        url::Host::Domain(domain) => domain,
        url::Host::Ipv4(_) | url::Host::Ipv6(_) => return None,
    };
    Address::new(local, domain).ok()
}

/// The text without line breaks and control characters, so that no header can begin another one.
fn one_line(text: &str) -> String {
    text.split(|c: char| c.is_control()).collect::<Vec<_>>().join(" ").trim().to_owned()
}

fn header(name: &'static str, value: &str) -> HeaderValue {
    HeaderValue::new(HeaderName::new_from_ascii_str(name), value.to_owned())
}

/// A header of ASCII that has no place at which it could be folded, such as a URL.
fn unfolded(name: &'static str, value: String) -> HeaderValue {
    HeaderValue::dangerous_new_pre_encoded(HeaderName::new_from_ascii_str(name), value.clone(), value)
}

fn date(at: Timestamp) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_millis(at.millis().unsigned_abs())
}
