//! Sets a letter as HTML and as text that stands on its own.

use askama::Template;

use super::{
    Mail,
    letter::{Letter, Part, ReplyTo},
    letters,
    message::Attachment,
};
use crate::config::Config;

/// A mail that is ready to be put into an envelope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rendered {
    pub(super) subject: String,
    pub(super) html: String,
    pub(super) text: String,
    pub(super) reply_to: Option<ReplyTo>,
    /// What the mail bears.
    pub(super) file: Option<Attachment>,
}

#[derive(Template)]
#[template(path = "mail/letter.html")]
struct Html<'a> {
    letter: &'a Letter,
    site: &'a str,
    url: &'a str,
    host: &'a str,
}

#[derive(Template)]
#[template(path = "mail/letter.txt")]
struct Text<'a> {
    letter: &'a Letter,
    site: &'a str,
    url: &'a str,
}

/// Writes both parts of a mail.
pub(super) fn render(mail: &Mail, config: &Config) -> askama::Result<Rendered> {
    let letter = &letters::letter(mail, config);
    let (site, url) = (config.site.name.as_str(), config.public_url.as_str());
    let host = url.split_once("://").map_or(url, |(_, host)| host);
    Ok(Rendered {
        html: Html { letter, site, url, host }.render()?,
        text: Text { letter, site, url }.render()?,
        subject: letter.subject.clone(),
        reply_to: letter.reply_to.clone(),
        file: None,
    })
}
