//! Sending over SMTP, step by step, so that it is known which failures are certain.
//!
//! Until the last byte of a mail is on its way nothing has been delivered: every failure before is a certain one. After
//! that only the server's own answer says what happened; no answer means that nobody knows.

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

use super::message::Ready;
use crate::config::{SmtpServer, SmtpTls};

/// The server may take so many times as long as for other steps to say that it has the mail.
const ACCEPT: u32 = 3;
/// How long a connection is kept for the next mail. Servers close idle ones after some minutes.
const IDLE: Duration = Duration::from_secs(30);
/// How many connections are kept.
const KEPT: usize = 4;
/// How long a goodbye may take.
const GOODBYE: Duration = Duration::from_secs(2);
/// In the order in which they are tried.
const MECHANISMS: &[Mechanism] = &[Mechanism::Plain, Mechanism::Login];
/// `530`: the server wants to be logged in to. That is the operator's to mend, not the mail's fault.
const LOGIN_WANTED: u16 = 530;

/// A mail server, and connections to it that are kept for the next mail.
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

/// Why a step came to nothing.
enum Failure {
    /// No answer in time.
    Late,
    /// Anything else.
    Smtp(Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Smtp(error)
    }
}

/// Waits for a step for so long.
async fn within<T>(limit: Duration, step: impl Future<Output = Result<T, Error>>) -> Result<T, Failure> {
    match timeout(limit, step).await {
        Ok(done) => Ok(done?),
        Err(_) => Err(Failure::Late),
    }
}

impl Smtp {
    /// Prepares the way; connects with the first mail.
    pub(super) fn new(server: SmtpServer) -> anyhow::Result<Self> {
        let mut tls = TlsParameters::builder(server.host.clone());
        if server.tls == SmtpTls::Opportunistic {
            // Whoever takes a plain connection gains nothing by refusing a certificate.
            tls = tls.dangerous_accept_invalid_certs(true);
        }
        Ok(Self { tls: tls.build()?, server, idle: Mutex::default() })
    }

    /// Sends a mail and says what is known of it.
    pub(super) async fn send(&self, mail: &Ready) -> Outcome {
        let mut connection = match self.connection().await {
            Ok(connection) => connection,
            Err(failure) => return failed(failure.reason("the connection"), false),
        };
        match hand_over(&mut connection, mail, self.server.timeout).await {
            Ok(()) => {
                self.keep(connection);
                Outcome::Done
            }
            Err(outcome) => {
                goodbye(connection).await;
                outcome
            }
        }
    }

    /// Says goodbye on all connections.
    pub(super) async fn close(&self) {
        let idle = std::mem::take(&mut *self.idle.lock().unwrap_or_else(PoisonError::into_inner));
        for (_, connection) in idle {
            goodbye(connection).await;
        }
    }

    /// A kept connection that still lives, or a new one.
    async fn connection(&self) -> Result<AsyncSmtpConnection, Failure> {
        while let Some((since, mut connection)) = self.take_kept() {
            let lives =
                since.elapsed() < IDLE && timeout(self.server.timeout, connection.test_connected()).await == Ok(true);
            if lives {
                return Ok(connection);
            }
        }
        timeout(2 * self.server.timeout, self.connect()).await.unwrap_or(Err(Failure::Late))
    }

    fn take_kept(&self) -> Option<(Instant, AsyncSmtpConnection)> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    fn keep(&self, connection: AsyncSmtpConnection) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.retain(|(since, _)| since.elapsed() < IDLE);
        if idle.len() < KEPT {
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
        let mut connection = within(limit, connecting).await?;
        let upgrade = match server.tls {
            SmtpTls::Required => true,
            SmtpTls::Opportunistic => connection.can_starttls(),
            SmtpTls::Wrapped | SmtpTls::None => false,
        };
        if upgrade {
            within(limit, connection.starttls(self.tls.clone(), &hello)).await?;
        }
        if let Some((user, password)) = &server.credentials {
            let credentials = Credentials::new(user.clone(), password.clone());
            within(limit, connection.auth(MECHANISMS, &credentials)).await?;
        }
        Ok(connection)
    }
}

/// Hands a mail over on a connection.
async fn hand_over(connection: &mut AsyncSmtpConnection, mail: &Ready, limit: Duration) -> Result<(), Outcome> {
    let mut options = Vec::new();
    let has_letters = |address: &Address| !AsRef::<str>::as_ref(address).is_ascii();
    if mail.envelope.to().iter().chain(mail.envelope.from()).any(has_letters) {
        if !connection.server_info().supports_feature(Extension::SmtpUtfEight) {
            return Err(failed("The mail server takes no address with such letters.".to_owned(), true));
        }
        options.push(MailParameter::SmtpUtfEight);
    }
    let sender: Option<Address> = mail.envelope.from().cloned();
    step(connection, limit, "the sender", Mail::new(sender, options)).await?;
    for recipient in mail.envelope.to() {
        step(connection, limit, "the recipient", Rcpt::new(recipient.clone(), Vec::new())).await?;
    }
    step(connection, limit, "the mail", Data).await?;
    match within(ACCEPT * limit, connection.message(&mail.bytes)).await {
        Ok(_) => Ok(()),
        Err(failure) => match failure.status() {
            Some(_) => Err(failure.refused("the mail")),
            None => Err(Outcome::Uncertain {
                reason: "The mail server broke off before it said whether it has the mail.".to_owned(),
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
    within(limit, connection.command(command)).await.map(|_| ()).map_err(|failure| failure.refused(what))
}

fn failed(reason: String, for_good: bool) -> Outcome {
    Outcome::Failed { reason, for_good }
}

async fn goodbye(mut connection: AsyncSmtpConnection) {
    // A server that does not say goodbye is left without.
    let _ = timeout(GOODBYE, connection.abort()).await;
}

impl Failure {
    /// The server's answer, if it gave one.
    fn status(&self) -> Option<u16> {
        match self {
            Self::Smtp(error) => error.status().map(u16::from),
            Self::Late => None,
        }
    }

    /// A failure of which it is certain that nothing was delivered.
    fn refused(&self, what: &str) -> Outcome {
        let for_good = self.status().is_some_and(|status| status >= 500 && status != LOGIN_WANTED);
        failed(self.reason(what), for_good)
    }

    /// What happened, without the server's own words: they may name the recipient.
    fn reason(&self, what: &str) -> String {
        match self {
            Self::Late => format!("The mail server did not answer in time ({what})."),
            Self::Smtp(error) => match error.status() {
                Some(status) => {
                    let details =
                        enhanced_status(&error.to_string()).map(|code| format!(" {code}")).unwrap_or_default();
                    format!("The mail server refused {what} ({status}{details}).")
                }
                None if error.is_tls() => "No secure connection to the mail server could be made.".to_owned(),
                None if error.is_client() => format!("The mail server lacks what is needed for {what}."),
                None if error.is_timeout() => format!("The mail server did not answer in time ({what})."),
                None => format!("The mail server can't be reached ({what})."),
            },
        }
    }
}

/// The code of three numbers (RFC 3463) in a server's answer.
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
    fn the_codes_of_an_answer_are_found_and_nothing_else() {
        let answer = "permanent error (550): 5.1.1 <ada@example.com>: Recipient 10.0.0.1 rejected";
        assert_eq!(enhanced_status(answer), Some("5.1.1"));
        assert_eq!(enhanced_status("transient error (450): try 4.1 or 5.x.1 or 6.1.1"), None);
    }
}
