//! Webhook signatures in Stripe's scheme: `t={seconds},v1={HMAC-SHA256 over "{seconds}.{body}"}`.

use billing::gateway::{WEBHOOK_TOLERANCE, WebhookError};
use hmac::{Hmac, Mac};
use kernel::{Secret, Timestamp};
use sha2::Sha256;

fn mac(secret: &Secret, seconds: &str, body: &[u8]) -> Hmac<Sha256> {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.bytes()).expect("HMAC takes keys of any length");
    mac.update(seconds.as_bytes());
    mac.update(b".");
    mac.update(body);
    mac
}

/// The value of the signature header for a body.
pub fn sign_webhook(secret: &Secret, at: Timestamp, body: &[u8]) -> String {
    let seconds = (at.millis() / 1000).to_string();
    format!("t={seconds},v1={}", hex::encode(mac(secret, &seconds, body).finalize().into_bytes()))
}

/// Verifies the signature header for a raw body, in constant time. One matching `v1` of several is enough, because
/// secrets are rotated.
pub(crate) fn verify(secret: &Secret, header: Option<&str>, body: &[u8], now: Timestamp) -> Result<(), WebhookError> {
    let header = header.ok_or(WebhookError::Unsigned)?;
    let parts = || header.split(',').filter_map(|part| part.trim().split_once('='));
    let seconds = parts().find(|(name, _)| *name == "t").map(|(_, value)| value).ok_or(WebhookError::Unsigned)?;
    let at: i64 = seconds.parse().map_err(|_| WebhookError::WrongSignature)?;
    let is_signed = parts().filter(|(name, _)| *name == "v1").any(|(_, signature)| {
        hex::decode(signature).is_ok_and(|bytes| mac(secret, seconds, body).verify_slice(&bytes).is_ok())
    });
    if !is_signed {
        return Err(WebhookError::WrongSignature);
    }
    let age = (now.millis() / 1000).abs_diff(at);
    if age > WEBHOOK_TOLERANCE.as_secs() { Err(WebhookError::TooOld) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_781_524_800_000);

    fn check(header: Option<&str>, body: &[u8], now: Timestamp) -> Result<(), WebhookError> {
        verify(&Secret::new("whsec_test"), header, body, now)
    }

    #[test]
    fn a_signature_counts_for_its_bytes_and_for_300_seconds() {
        let header = sign_webhook(&Secret::new("whsec_test"), NOW, b"{\"id\": 1}");
        assert_eq!(check(Some(&header), b"{\"id\": 1}", NOW), Ok(()));
        assert_eq!(check(Some(&header), b"{\"id\":1}", NOW), Err(WebhookError::WrongSignature), "encoded again");
        for (millis, result) in [
            (300_000, Ok(())),
            (301_000, Err(WebhookError::TooOld)),
            (-300_000, Ok(())),
            (-301_000, Err(WebhookError::TooOld)),
        ] {
            assert_eq!(check(Some(&header), b"{\"id\": 1}", NOW.plus(millis)), result, "{millis}");
        }
        let other = sign_webhook(&Secret::new("another"), NOW, b"{\"id\": 1}");
        assert_eq!(check(Some(&other), b"{\"id\": 1}", NOW), Err(WebhookError::WrongSignature));
        let both = format!("{header},{}", other.split_once(',').unwrap().1);
        assert_eq!(check(Some(&both), b"{\"id\": 1}", NOW), Ok(()), "one of two secrets");
    }

    #[test]
    fn a_header_that_is_no_signature_is_refused() {
        assert_eq!(check(None, b"", NOW), Err(WebhookError::Unsigned));
        for header in ["", "v1=00", "t"] {
            assert_eq!(check(Some(header), b"", NOW), Err(WebhookError::Unsigned), "{header}");
        }
        for header in ["t=x,v1=00", "t=1781524800", "t=1781524800,v1=", "t=1781524800,v1=zz", "t=1781524800,v0=00"] {
            assert_eq!(check(Some(header), b"", NOW), Err(WebhookError::WrongSignature), "{header}");
        }
    }

    #[test]
    fn it_is_the_scheme_of_stripe() {
        // python3: hmac.new(b"whsec_test_secret", b"1492774577.{\"foo\":\"bar\"}", "sha256").hexdigest()
        let header = sign_webhook(
            &Secret::new("whsec_test_secret"),
            Timestamp::from_millis(1_492_774_577_000),
            b"{\"foo\":\"bar\"}",
        );
        assert_eq!(header, "t=1492774577,v1=9ddde51132a880f05c5a69f5f8d312115dd70e67c76b68f1015397ecd5caa4df");
    }
}
