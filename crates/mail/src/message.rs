//! Builds the MIME message of a mail: headers, text and HTML parts, attachment, envelope.

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

/// An encoded mail, ready for the transport.
#[derive(Clone, Debug)]
pub(crate) struct EncodedMail {
    /// SMTP sender and recipient.
    pub(crate) envelope: Envelope,
    /// Headers and body.
    pub(crate) bytes: Vec<u8>,
}

/// The message can't be built. The error texts leave out the address, because failure reasons are stored and logged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum MessageError {
    /// The address has no valid SMTP form.
    #[error("Mail can't be sent to this address.")]
    Address,
    /// The envelope, the attachment's content type or the body could not be built.
    #[error("The mail's headers can't be written.")]
    Headers,
}

/// Builds the message of a mail. The same mail yields the same bytes on every attempt.
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
        // Asks mail clients and servers to send no automatic reply.
        .raw_header(header("Auto-Submitted", "auto-generated"))
        .raw_header(header("X-Auto-Response-Suppress", "All"));
    if let Some((reply_to, address)) =
        mail.reply_to.and_then(|to| parse_address(&to.email).map(|address| (to.name, address)))
    {
        let name = one_line(&reply_to);
        builder = builder.reply_to(Mailbox::new((!name.is_empty()).then_some(name), address));
    }
    if let Some(url) = &mail.unsubscribe {
        // One-click unsubscribe (RFC 8058). A mail server that signs with DKIM must sign both headers.
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

/// Parses an e-mail address and converts its domain to ASCII, as SMTP requires. `None` if it is invalid or the domain is an IP.
pub(crate) fn parse_address(text: &str) -> Option<Address> {
    let (local, domain) = text.rsplit_once('@')?;
    let domain = match url::Host::parse(domain).ok()? {
        url::Host::Domain(domain) => domain,
        url::Host::Ipv4(_) | url::Host::Ipv6(_) => return None,
    };
    Address::new(local, domain).ok()
}

/// Replaces control characters and line breaks with spaces, so that text can't inject another header.
fn one_line(text: &str) -> String {
    text.split(|c: char| c.is_control()).collect::<Vec<_>>().join(" ").trim().to_owned()
}

fn header(name: &'static str, value: &str) -> HeaderValue {
    HeaderValue::new(HeaderName::new_from_ascii_str(name), value.to_owned())
}

/// An ASCII header value that must not be folded, such as a URL.
fn unfolded(name: &'static str, value: String) -> HeaderValue {
    HeaderValue::dangerous_new_pre_encoded(HeaderName::new_from_ascii_str(name), value.clone(), value)
}

fn date(at: Timestamp) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_millis(at.millis().unsigned_abs())
}
