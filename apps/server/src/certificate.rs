//! Checks the certificate with which the site's address answers, as a visitor would.

use std::time::Duration;

use kernel::{SECOND, Timestamp};
use operations::CertificateCheck;
use reqwest::{Client, Url, redirect::Policy, tls::TlsInfo};
use x509_parser::parse_x509_certificate;

/// How long the whole check may take.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Checks the certificate of an address; `None` if the address is not `https`.
pub async fn check_certificate(public_url: &str) -> Option<CertificateCheck> {
    let url = Url::parse(public_url).ok().filter(|url| url.scheme() == "https")?;
    let host = url.host_str()?.to_owned();
    Some(CertificateCheck { host, expires_at: expiry(url).await })
}

/// # Errors
/// Why the certificate can't be read, as a sentence without its full stop.
async fn expiry(url: Url) -> Result<Timestamp, String> {
    // Also one that has expired, or of an authority of the operator's own.
    let client = Client::builder().tls_info(true).danger_accept_invalid_certs(true).timeout(TIMEOUT);
    // Of this host itself: a redirect may lead to another one.
    let client = client.redirect(Policy::none()).no_proxy().build();
    let client = client.map_err(|error| innermost(&error))?;
    let response = client.head(url).send().await.map_err(|error| innermost(&error))?;
    let info = response.extensions().get::<TlsInfo>();
    let der = info.and_then(TlsInfo::peer_certificate).ok_or("it answered without a certificate")?;
    expiry_of(der).ok_or_else(|| "its certificate can’t be parsed".to_owned())
}

/// When a certificate in DER expires.
fn expiry_of(der: &[u8]) -> Option<Timestamp> {
    let (_, certificate) = parse_x509_certificate(der).ok()?;
    Some(Timestamp::from_millis(certificate.validity().not_after.timestamp().checked_mul(SECOND)?))
}

/// What is at the bottom of an error: "connection refused" rather than "error sending request".
fn innermost(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    cause.to_string().trim_end_matches('.').to_owned()
}
