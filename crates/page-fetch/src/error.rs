//! Why a page was not fetched, in sentences for the person who requested it.

use std::time::Duration;

/// Why a page was not fetched. The message says what happened and what to do next; it reveals no IP address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FetchError {
    /// Not a valid URL.
    #[error("This is not a web address. It should look like https://example.com/article.")]
    InvalidUrl,
    /// Neither http nor https.
    #[error("We can only read pages whose address begins with http:// or https://.")]
    SchemeNotAllowed,
    /// The URL contains a user name or a password.
    #[error("This address has a user name or a password in it. Please remove it, or paste the text instead.")]
    CredentialsInUrl,
    /// The page, or one that it redirects to, has an IP address that is not public.
    #[error("This page is not on the public web, so we can't read it. You can paste its text instead.")]
    AddressNotPublic,
    /// The host name does not resolve.
    #[error("We can't find this site. Please check its address for typos.")]
    HostNotFound,
    /// The connection failed.
    #[error("We can't reach this site. Please try again later, or paste the text instead.")]
    Unreachable,
    /// More redirects than the limit.
    #[error("This page keeps redirecting us. Please open it yourself and use the address you end up at.")]
    TooManyRedirects,
    /// An error status, such as 403 or 404.
    #[error("{}", status_sentence(*.0))]
    Status(u16),
    #[error("This page took longer than {} seconds to answer. Please try again later, or paste the text instead.", .0.as_secs())]
    TimedOut(Duration),
    #[error("This page is larger than {} MB. Please choose a smaller one, or paste the part that matters.", limit / 1_048_576)]
    TooLarge {
        /// In bytes.
        limit: usize,
    },
    /// The content type is not supported.
    #[error(
        "This address leads to something other than a page or a document. We can read web pages, PDF, EPUB, Word (DOCX), Markdown and text."
    )]
    UnsupportedType,
    /// The body is compressed although the request asked for `identity`.
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
