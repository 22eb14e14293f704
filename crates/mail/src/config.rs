//! Configuration of mail: the SMTP server and the sender.

use std::{fmt, time::Duration};

use kernel::{ConfigError, config::Variables};
use lettre::{Address, message::Mailbox};

/// How mails are sent, read from the environment.
#[derive(Clone, Debug)]
pub struct MailConfig {
    /// `None`: mails go to the outbox.
    pub smtp: Option<SmtpServer>,
    /// The `From` address of all mails.
    pub from: Mailbox,
}

/// An SMTP server.
#[derive(Clone, PartialEq, Eq)]
pub struct SmtpServer {
    /// Host name or IP.
    pub host: String,
    pub port: u16,
    pub tls: SmtpTls,
    /// User and password.
    pub credentials: Option<(String, String)>,
    /// The name by which this client introduces itself in `EHLO`.
    pub hello: String,
    /// Timeout of each SMTP step.
    pub timeout: Duration,
}

impl fmt::Debug for SmtpServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SmtpServer")
            .field("host", &self.host)
            .field("port", &self.port)
            .field("tls", &self.tls)
            .finish_non_exhaustive()
    }
}

/// How a connection to a mail server is secured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SmtpTls {
    /// TLS from the first byte on.
    Wrapped,
    /// `STARTTLS` is required.
    Required,
    /// `STARTTLS` if the server offers it; any certificate is accepted.
    Opportunistic,
    /// No TLS.
    None,
}

const SMTP_URL: &str = "SMTP_URL";
const MAIL_FROM: &str = "MAIL_FROM";
/// Default timeout of each SMTP step, in seconds: all steps together end before the job's lease expires.
const DEFAULT_TIMEOUT: u64 = 10;
const LONGEST_TIMEOUT: u64 = 15;

impl MailConfig {
    /// The sender's address, as members see it.
    pub fn sender_address(&self) -> String {
        self.from.email.to_string()
    }

    /// Reads `SMTP_URL` and `MAIL_FROM`; `None` if something is wrong. `public_host` is the host of the site's URL, without the
    /// port.
    pub fn read(vars: &Variables, public_host: &str, site_name: &str) -> Option<Self> {
        // The domain of a mail address must be a name, not an IP.
        let host = if public_host.parse::<std::net::IpAddr>().is_ok() || public_host.starts_with('[') {
            "localhost"
        } else {
            public_host
        };
        let from = vars.accept(vars.trimmed(MAIL_FROM).map_or_else(|| no_reply(host), |text| sender(&text)));
        let smtp = match vars.get(SMTP_URL) {
            Some(url) => vars.accept(server(&url, host)).map(Some),
            None => Some(None),
        };
        let from = from?;
        let from = Mailbox { name: from.name.or_else(|| Some(site_name.to_owned())), ..from };
        Some(Self { smtp: smtp?, from })
    }
}

/// Reads `address` or `Name <address>`.
fn sender(text: &str) -> Result<Mailbox, ConfigError> {
    text.parse().map_err(|_| ConfigError::new(MAIL_FROM, format!("is an address, or Name <address>, not '{text}'")))
}

fn no_reply(host: &str) -> Result<Mailbox, ConfigError> {
    let address = Address::new("no-reply", host);
    let missing = |_| ConfigError::new(MAIL_FROM, format!("is missing: no mail can come from no-reply@{host}"));
    address.map(|address| Mailbox::new(None, address)).map_err(missing)
}

/// Parses the URL of an SMTP server. Error texts leave out the URL, which may contain a password.
fn server(text: &str, hello: &str) -> Result<SmtpServer, ConfigError> {
    const FORM: &str =
        "is smtp://[user:password@]host[:port][?tls=required|opportunistic|none&timeout=seconds], or smtps://…";
    let form = || ConfigError::new(SMTP_URL, FORM);
    let url = url::Url::parse(text.trim()).map_err(|_| form())?;
    let host = url.host_str().filter(|host| !host.is_empty()).ok_or_else(form)?;
    let wrapped = match url.scheme() {
        "smtps" => true,
        "smtp" => false,
        _ => return Err(form()),
    };
    if !matches!(url.path(), "" | "/") || url.fragment().is_some() {
        return Err(form());
    }
    let credentials = match (url.username(), url.password()) {
        ("", None) => None,
        (user, Some(password)) if !user.is_empty() => {
            Some((percent_decode(user).ok_or_else(form)?, percent_decode(password).ok_or_else(form)?))
        }
        _ => return Err(form()),
    };
    let is_here = host == "localhost"
        || host
            .trim_start_matches('[')
            .trim_end_matches(']')
            .parse::<std::net::IpAddr>()
            .is_ok_and(|ip| ip.is_loopback());
    let mut tls = match (wrapped, is_here && credentials.is_none()) {
        (true, _) => SmtpTls::Wrapped,
        (false, true) => SmtpTls::Opportunistic,
        (false, false) => SmtpTls::Required,
    };
    let mut timeout = DEFAULT_TIMEOUT;
    for (name, value) in url.query_pairs() {
        match (&*name, &*value) {
            ("tls", _) if wrapped => {
                return Err(ConfigError::new(
                    SMTP_URL,
                    "takes tls= with smtp:// only: smtps:// is secured from the start",
                ));
            }
            ("tls", "required") => tls = SmtpTls::Required,
            ("tls", "opportunistic") => tls = SmtpTls::Opportunistic,
            ("tls", "none") => tls = SmtpTls::None,
            ("timeout", seconds) => match seconds.parse() {
                Ok(seconds @ 1..=LONGEST_TIMEOUT) => timeout = seconds,
                _ => {
                    return Err(ConfigError::new(
                        SMTP_URL,
                        format!("takes a timeout of 1 to {LONGEST_TIMEOUT} seconds"),
                    ));
                }
            },
            _ => return Err(form()),
        }
    }
    if tls == SmtpTls::Opportunistic && credentials.is_some() {
        return Err(ConfigError::new(
            SMTP_URL,
            "has a password, which tls=opportunistic would show to whoever asks for it",
        ));
    }
    let port = url.port().unwrap_or(if wrapped { 465 } else { 587 });
    let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
    let timeout = Duration::from_secs(timeout);
    Ok(SmtpServer { host, port, tls, credentials, hello: hello.to_owned(), timeout })
}

/// Decodes percent-encoding. `None` if it is invalid.
fn percent_decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        if *first == b'%' {
            let (digits, after) = rest.split_at_checked(2)?;
            bytes.push(u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?);
            rest = after;
        } else {
            bytes.push(*first);
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(smtp: Option<&str>, from: Option<&str>) -> Result<MailConfig, String> {
        let vars = Variables::new([(SMTP_URL, smtp.unwrap_or_default()), (MAIL_FROM, from.unwrap_or_default())]);
        let read = MailConfig::read(&vars, "pith.example", "Pith");
        vars.finish(read).map_err(|error| error.to_string())
    }

    fn smtp(url: &str) -> SmtpServer {
        read(Some(url), None).unwrap().smtp.unwrap()
    }

    #[test]
    fn tls_is_required_unless_the_server_is_local_or_configured_otherwise() {
        for (url, host, port, tls) in [
            ("smtp://mail.example", "mail.example", 587, SmtpTls::Required),
            ("smtp://mail.example:25?tls=none", "mail.example", 25, SmtpTls::None),
            ("smtp://mail.example?tls=opportunistic", "mail.example", 587, SmtpTls::Opportunistic),
            ("smtps://mail.example", "mail.example", 465, SmtpTls::Wrapped),
            ("smtp://127.0.0.1:1025", "127.0.0.1", 1025, SmtpTls::Opportunistic),
            ("smtp://[::1]:1025", "::1", 1025, SmtpTls::Opportunistic),
            ("smtp://localhost:1025?tls=required", "localhost", 1025, SmtpTls::Required),
            ("smtp://u:p@localhost:1025", "localhost", 1025, SmtpTls::Required),
        ] {
            let server = smtp(url);
            assert_eq!((server.host.as_str(), server.port, server.tls), (host, port, tls), "{url}");
            assert_eq!(server.hello, "pith.example");
        }
    }

    #[test]
    fn a_password_is_read_and_never_printed() {
        let server = smtp("smtps://post%40pith.example:s%3Acret%2F%25@mail.example");
        assert_eq!(server.credentials, Some(("post@pith.example".to_owned(), "s:cret/%".to_owned())));
        assert!(!format!("{server:?}").contains("cret"));
        for url in [
            "http://u:cret@mail.example",
            "smtp://u:cret@mail.example?tls=opportunistic",
            "smtp://u:cret@mail.example/x",
            "smtp://u:cret@",
        ] {
            assert!(!read(Some(url), None).unwrap_err().contains("cret"), "{url}");
        }
    }

    #[test]
    fn a_url_that_names_no_mail_server_is_refused() {
        for url in [
            "mail.example",
            "smtp://",
            "smtp://mail.example?tls=maybe",
            "smtp://mail.example?x=1",
            "smtps://mail.example?tls=none",
            "smtp://u@mail.example",
        ] {
            assert!(read(Some(url), None).unwrap_err().starts_with("SMTP_URL: "), "{url}");
        }
    }

    #[test]
    fn the_sender_has_the_sites_name() {
        assert_eq!(read(None, None).unwrap().from.to_string(), "Pith <no-reply@pith.example>");
        assert_eq!(read(None, Some("post@pith.example")).unwrap().from.to_string(), "Pith <post@pith.example>");
        let named = read(None, Some("Readers' Post <post@pith.example>")).unwrap().from;
        assert_eq!(named.name.as_deref(), Some("Readers' Post"));
        assert!(read(None, Some("post")).unwrap_err().starts_with("MAIL_FROM: "));
        let local = MailConfig::read(&Variables::new::<&str, &str>([]), "127.0.0.1", "Pith").unwrap();
        assert_eq!(local.from.email.to_string(), "no-reply@localhost");
    }
}
