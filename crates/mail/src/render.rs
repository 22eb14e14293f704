//! Renders a mail as HTML and as plain text.

use askama::Template;

use crate::{
    attachment::Attachment,
    letter::{Letter, Part, ReplyTo},
    letters::letter,
    mail::Mail,
    site::Site,
};

/// A rendered mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RenderedMail {
    pub(crate) subject: String,
    pub(crate) html: String,
    pub(crate) text: String,
    pub(crate) reply_to: Option<ReplyTo>,
    /// The URL that ends mails of this kind; `None` for mails that are sent once.
    pub(crate) unsubscribe: Option<String>,
    pub(crate) file: Option<Attachment>,
}

#[derive(Template)]
#[template(path = "letter.html")]
struct Html<'a> {
    letter: &'a Letter,
    site: &'a str,
    url: &'a str,
    host: &'a str,
}

#[derive(Template)]
#[template(path = "letter.txt")]
struct Text<'a> {
    letter: &'a Letter,
    site: &'a str,
    url: &'a str,
}

/// Renders a mail as HTML and as plain text, without an attachment.
pub(crate) fn render(mail: &Mail, site: &Site) -> askama::Result<RenderedMail> {
    let letter = &letter(mail, site);
    let (site, url) = (site.name.as_str(), site.url.as_str());
    let host = url.split_once("://").map_or(url, |(_, host)| host);
    Ok(RenderedMail {
        html: Html { letter, site, url, host }.render()?,
        text: Text { letter, site, url }.render()?,
        subject: letter.subject.clone(),
        reply_to: letter.reply_to.clone(),
        unsubscribe: letter.unsubscribe.clone(),
        file: None,
    })
}
