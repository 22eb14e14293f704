//! SMTP, one command at a time, in order to tell certain failures from uncertain ones.
//!
//! Before the last byte of a mail is sent, nothing has been delivered: every failure up to then is certain, and the mail can
//! be retried. After that, only the server's reply tells; without one, the outcome is uncertain.

use std::{
    fmt,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use jobs::Outcome;
use lettre::{
    Address,
    transport::smtp::{
        Error,
        authentication::{Credentials, Mechanism},
        client::{AsyncSmtpConnection, TlsParameters},
        commands::{Data, Mail, Rcpt},
        extension::{ClientId, Extension, MailParameter},
    },
};
use tokio::time::{Instant, timeout};

use crate::{
    config::{SmtpServer, SmtpTls},
    message::EncodedMail,
};

/// The server may take this many step timeouts to accept the complete mail.
const ACCEPT_FACTOR: u32 = 3;
/// How long an idle connection is kept for the next mail. Servers close idle connections after some minutes.
const MAX_IDLE: Duration = Duration::from_secs(30);
/// Further connections are closed after their mail.
const MAX_IDLE_CONNECTIONS: usize = 4;
/// Timeout of `QUIT`.
const QUIT_TIMEOUT: Duration = Duration::from_secs(2);
/// Authentication mechanisms, in the order in which they are tried.
const MECHANISMS: &[Mechanism] = &[Mechanism::Plain, Mechanism::Login];
/// `530`, authentication required: a configuration error, so the mail is retried although the status is permanent.
const AUTHENTICATION_REQUIRED: u16 = 530;

/// The client of a mail server, with its idle connections.
pub struct Smtp {
    server: SmtpServer,
    tls: TlsParameters,
    idle: Mutex<Vec<(Instant, AsyncSmtpConnection)>>,
}

impl fmt::Debug for Smtp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Smtp").field("server", &self.server).finish_non_exhaustive()
    }
}

/// Why a step failed.
enum Failure {
    /// No reply in time.
    TimedOut,
    /// Anything else.
    Smtp(Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Smtp(error)
    }
}

async fn with_timeout<T>(limit: Duration, step: impl Future<Output = Result<T, Error>>) -> Result<T, Failure> {
    match timeout(limit, step).await {
        Ok(done) => Ok(done?),
        Err(_) => Err(Failure::TimedOut),
    }
}

impl Smtp {
    /// Prepares TLS. The first mail opens a connection.
    pub(crate) fn new(server: SmtpServer) -> Result<Self, Error> {
        let mut tls = TlsParameters::builder(server.host.clone());
        if server.tls == SmtpTls::Opportunistic {
            // An unencrypted connection would be accepted too, so refusing a certificate gains nothing.
            tls = tls.dangerous_accept_invalid_certs(true);
        }
        Ok(Self { tls: tls.build()?, server, idle: Mutex::default() })
    }

    pub(crate) fn host(&self) -> &str {
        &self.server.host
    }

    /// Sends a mail; reports whether it was delivered, was not delivered, or may have been.
    pub(crate) async fn send(&self, mail: &EncodedMail) -> Outcome {
        let mut connection = match self.connection().await {
            Ok(connection) => connection,
            Err(failure) => return failed(failure.reason("the connection"), false),
        };
        match transmit(&mut connection, mail, self.server.timeout).await {
            Ok(()) => {
                self.keep_idle(connection);
                Outcome::Done
            }
            Err(outcome) => {
                quit(connection).await;
                outcome
            }
        }
    }

    /// Connects and logs in. The next mail uses the connection.
    ///
    /// # Errors
    /// Why the server can't be used, in a sentence.
    pub(crate) async fn check(&self) -> Result<(), String> {
        match self.connection().await {
            Ok(connection) => {
                self.keep_idle(connection);
                Ok(())
            }
            Err(failure) => Err(failure.reason("the connection")),
        }
    }

    /// Closes all idle connections.
    pub(crate) async fn close(&self) {
        let idle = std::mem::take(&mut *self.idle.lock().unwrap_or_else(PoisonError::into_inner));
        for (_, connection) in idle {
            quit(connection).await;
        }
    }

    /// An idle connection that is still alive, or a new one.
    async fn connection(&self) -> Result<AsyncSmtpConnection, Failure> {
        while let Some((since, mut connection)) = self.take_idle() {
            let is_alive = since.elapsed() < MAX_IDLE
                && timeout(self.server.timeout, connection.test_connected()).await == Ok(true);
            if is_alive {
                return Ok(connection);
            }
        }
        timeout(2 * self.server.timeout, self.connect()).await.unwrap_or(Err(Failure::TimedOut))
    }

    fn take_idle(&self) -> Option<(Instant, AsyncSmtpConnection)> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    fn keep_idle(&self, connection: AsyncSmtpConnection) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.retain(|(since, _)| since.elapsed() < MAX_IDLE);
        if idle.len() < MAX_IDLE_CONNECTIONS {
            idle.push((Instant::now(), connection));
        }
    }

    async fn connect(&self) -> Result<AsyncSmtpConnection, Failure> {
        let server = &self.server;
        let limit = server.timeout;
        let hello = ClientId::Domain(server.hello.clone());
        let wrapped = (server.tls == SmtpTls::Wrapped).then(|| self.tls.clone());
        let address = (server.host.as_str(), server.port);
        let connecting = AsyncSmtpConnection::connect_tokio1(address, Some(limit), &hello, wrapped, None);
        let mut connection = with_timeout(limit, connecting).await?;
        let upgrade = match server.tls {
            SmtpTls::Required => true,
            SmtpTls::Opportunistic => connection.can_starttls(),
            SmtpTls::Wrapped | SmtpTls::None => false,
        };
        if upgrade {
            with_timeout(limit, connection.starttls(self.tls.clone(), &hello)).await?;
        }
        if let Some((user, password)) = &server.credentials {
            let credentials = Credentials::new(user.clone(), password.clone());
            with_timeout(limit, connection.auth(MECHANISMS, &credentials)).await?;
        }
        Ok(connection)
    }
}

/// Sends a mail on an open connection.
async fn transmit(connection: &mut AsyncSmtpConnection, mail: &EncodedMail, limit: Duration) -> Result<(), Outcome> {
    let mut options = Vec::new();
    let is_international = |address: &Address| !AsRef::<str>::as_ref(address).is_ascii();
    if mail.envelope.to().iter().chain(mail.envelope.from()).any(is_international) {
        if !connection.server_info().supports_feature(Extension::SmtpUtfEight) {
            return Err(failed("The mail server does not accept addresses with these characters.".to_owned(), true));
        }
        options.push(MailParameter::SmtpUtfEight);
    }
    let sender: Option<Address> = mail.envelope.from().cloned();
    step(connection, limit, "the sender", Mail::new(sender, options)).await?;
    for recipient in mail.envelope.to() {
        step(connection, limit, "the recipient", Rcpt::new(recipient.clone(), Vec::new())).await?;
    }
    step(connection, limit, "the mail", Data).await?;
    match with_timeout(ACCEPT_FACTOR * limit, connection.message(&mail.bytes)).await {
        Ok(_) => Ok(()),
        Err(failure) => match failure.status() {
            Some(_) => Err(failure.not_delivered("the mail")),
            None => Err(Outcome::Uncertain {
                reason: "The mail server disconnected before confirming that it had the mail.".to_owned(),
            }),
        },
    }
}

async fn step(
    connection: &mut AsyncSmtpConnection,
    limit: Duration,
    what: &str,
    command: impl fmt::Display,
) -> Result<(), Outcome> {
    with_timeout(limit, connection.command(command)).await.map(|_| ()).map_err(|failure| failure.not_delivered(what))
}

fn failed(reason: String, is_permanent: bool) -> Outcome {
    Outcome::Failed { reason, is_permanent }
}

async fn quit(mut connection: AsyncSmtpConnection) {
    // A server that does not reply is disconnected anyway.
    let _ = timeout(QUIT_TIMEOUT, connection.abort()).await;
}

impl Failure {
    /// The status code of the server's reply; `None` without a reply.
    fn status(&self) -> Option<u16> {
        match self {
            Self::Smtp(error) => error.status().map(u16::from),
            Self::TimedOut => None,
        }
    }

    /// The outcome if certainly nothing was delivered. 5xx is permanent, except `530`.
    fn not_delivered(&self, what: &str) -> Outcome {
        let is_permanent = self.status().is_some_and(|status| status >= 500 && status != AUTHENTICATION_REQUIRED);
        failed(self.reason(what), is_permanent)
    }

    /// The failure as text, without the server's reply, which may name the recipient.
    fn reason(&self, what: &str) -> String {
        match self {
            Self::TimedOut => format!("The mail server did not answer in time ({what})."),
            Self::Smtp(error) => match error.status() {
                Some(status) => {
                    let details =
                        enhanced_status(&error.to_string()).map(|code| format!(" {code}")).unwrap_or_default();
                    format!("The mail server refused {what} ({status}{details}).")
                }
                None if error.is_tls() => "No secure connection to the mail server could be made.".to_owned(),
                None if error.is_client() => format!("The mail server does not support what {what} needs."),
                None if error.is_timeout() => format!("The mail server did not answer in time ({what})."),
                None => format!("The mail server can't be reached ({what})."),
            },
        }
    }
}

/// The enhanced status code (RFC 3463) in a server's reply, such as `5.1.1`.
fn enhanced_status(answer: &str) -> Option<&str> {
    answer.split_whitespace().find(|word| {
        let numbers: Vec<&str> = word.split('.').collect();
        matches!(numbers[0], "4" | "5")
            && numbers.len() == 3
            && numbers[1..].iter().all(|n| (1..=3).contains(&n.len()) && n.bytes().all(|b| b.is_ascii_digit()))
    })
}

#[cfg(test)]
mod tests {
    use super::enhanced_status;

    #[test]
    fn the_enhanced_status_code_of_a_reply_is_found() {
        let answer = "permanent error (550): 5.1.1 <ada@example.com>: Recipient 10.0.0.1 rejected";
        assert_eq!(enhanced_status(answer), Some("5.1.1"));
        assert_eq!(enhanced_status("transient error (450): try 4.1 or 5.x.1 or 6.1.1"), None);
    }
}
