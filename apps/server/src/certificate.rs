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

#[cfg(test)]
mod tests {
    use webpki_root_certs::TLS_SERVER_ROOT_CERTS;

    use super::*;

    #[test]
    fn the_end_of_a_certificate_is_read() {
        // Those of authorities are valid for many years.
        let year_2026 = Timestamp::from_millis(1_767_225_600_000);
        for certificate in TLS_SERVER_ROOT_CERTS {
            assert!(expiry_of(certificate).is_some_and(|expires_at| expires_at > year_2026));
        }
        assert_eq!(expiry_of(b"no certificate"), None);
    }

    #[tokio::test]
    async fn an_address_without_a_certificate_says_why() {
        let _ = rustls::crypto::ring::default_provider().install_default();
        assert_eq!(check_certificate("http://pith.example").await, None);
        // Nothing listens at a port that was free a moment ago, or something that speaks no TLS.
        let free = std::net::TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a port");
        let check = check_certificate(&format!("https://127.0.0.1:{}", free.port())).await.expect("an https address");
        assert_eq!(check.host, "127.0.0.1");
        assert!(check.expires_at.is_err_and(|why| !why.is_empty() && !why.ends_with('.')));
    }
}
