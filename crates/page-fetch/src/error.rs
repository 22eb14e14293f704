//! Why a page was not fetched, in sentences for the person who asked for it.

use std::time::Duration;

/// Why a page was not fetched. The text says what happened and what to do next; it names no address of a network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FetchError {
    /// The text is no URL.
    #[error("This is not a web address. It should look like https://example.com/article.")]
    InvalidUrl,
    /// Neither http nor https.
    #[error("We can only read pages whose address begins with http:// or https://.")]
    SchemeNotAllowed,
    /// A user name or a password stands in the URL.
    #[error("This address has a user name or a password in it. Please remove it, or paste the text instead.")]
    CredentialsInUrl,
    /// The page, or one that it redirects to, is not on the public web.
    #[error("This page is not on the public web, so we can't read it. You can paste its text instead.")]
    AddressNotPublic,
    /// The name has no address.
    #[error("We can't find this site. Please check its address for typos.")]
    HostNotFound,
    /// The site can't be reached.
    #[error("We can't reach this site. Please try again later, or paste the text instead.")]
    Unreachable,
    /// Redirects do not end.
    #[error("This page keeps redirecting us. Please open it yourself and use the address you end up at.")]
    TooManyRedirects,
    /// The site refused or does not have the page.
    #[error("{}", status_sentence(*.0))]
    Status(u16),
    /// It took too long.
    #[error("This page took longer than {} seconds to answer. Please try again later, or paste the text instead.", .0.as_secs())]
    TimedOut(Duration),
    /// It is too large.
    #[error("This page is larger than {} MB. Please choose a smaller one, or paste the part that matters.", limit / 1_048_576)]
    TooLarge {
        /// The limit, in bytes.
        limit: usize,
    },
    /// It is of a kind that is not read.
    #[error(
        "This address leads to something other than a page or a document. We can read web pages, PDF, EPUB, Word (DOCX), Markdown and text."
    )]
    UnsupportedType,
    /// It is compressed although we asked for it plain.
    #[error("This site sends its pages in a form that we can't read. Please paste the text instead.")]
    UnsupportedEncoding,
}

fn status_sentence(status: u16) -> String {
    match status {
        401..=403 => "This page is only for people who are logged in there. Please paste its text instead.".to_owned(),
        404 | 410 => "This page does not exist. Please check its address.".to_owned(),
        429 | 500..=599 => "This site is having trouble at the moment. Please try again later.".to_owned(),
        _ => format!("This site did not give us the page (status {status}). Please paste its text instead."),
    }
}
