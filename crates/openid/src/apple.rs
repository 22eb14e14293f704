//! Special cases of Apple: a client secret that is signed for each request, and a name that is sent with the first
//! sign-in only.

use jsonwebtoken::{Algorithm, EncodingKey, Header};
use kernel::{MINUTE, Timestamp};
use serde::{Deserialize, Serialize};

/// Validity of a client secret, in milliseconds: it is made for one request.
const SECRET_LIFETIME: i64 = 5 * MINUTE;

#[derive(Serialize)]
struct SecretClaims<'a> {
    iss: &'a str,
    iat: i64,
    exp: i64,
    aud: &'a str,
    sub: &'a str,
}

/// Signs a client secret for the next request.
pub(crate) fn client_secret(
    team: &str,
    key_id: &str,
    key: &EncodingKey,
    client_id: &str,
    issuer: &str,
    now: Timestamp,
) -> Result<String, jsonwebtoken::errors::Error> {
    let header = Header { kid: Some(key_id.to_owned()), ..Header::new(Algorithm::ES256) };
    let claims = SecretClaims {
        iss: team,
        iat: now.millis() / 1000,
        exp: now.plus(SECRET_LIFETIME).millis() / 1000,
        aud: issuer,
        sub: client_id,
    };
    jsonwebtoken::encode(&header, &claims, key)
}

/// The `user` field of Apple's form, which is sent with a person's first sign-in only. It is not signed, so it may
/// supply a name but proves nothing.
#[derive(Debug, Default, Deserialize)]
pub struct AppleUser {
    #[serde(default)]
    name: AppleName,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct AppleName {
    first_name: Option<String>,
    last_name: Option<String>,
}

impl AppleUser {
    /// Parses the form's field; `None` when it can't be parsed.
    pub fn read(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    pub(crate) fn names(self) -> (Option<String>, Option<String>) {
        (self.name.first_name, self.name.last_name)
    }
}

#[cfg(test)]
mod tests {
    use jsonwebtoken::{DecodingKey, Validation};
    use serde_json::Value;

    use super::*;

    #[test]
    fn a_client_secret_is_signed_with_the_key_and_valid_for_five_minutes() {
        let key = testing::EcKey::new([3; 32]);
        let signing = EncodingKey::from_ec_pem(key.private_pem().as_bytes()).unwrap();
        let now = Timestamp::from_millis(1_781_524_800_000);
        let secret = client_secret("TEAM", "KEY", &signing, "com.example", "https://appleid.apple.com", now).unwrap();
        let mut validation = Validation::new(Algorithm::ES256);
        validation.validate_exp = false;
        validation.set_audience(&["https://appleid.apple.com"]);
        let verifying = DecodingKey::from_ec_pem(key.public_pem().as_bytes()).unwrap();
        let read = jsonwebtoken::decode::<Value>(&secret, &verifying, &validation).unwrap();
        assert_eq!(read.header.kid.as_deref(), Some("KEY"));
        assert_eq!((read.claims["iss"].as_str(), read.claims["sub"].as_str()), (Some("TEAM"), Some("com.example")));
        assert_eq!(read.claims["exp"].as_i64().unwrap() - read.claims["iat"].as_i64().unwrap(), 300);
    }

    #[test]
    fn a_name_is_read_from_the_user_field() {
        let read = |text| AppleUser::read(text).map(AppleUser::names);
        let ada = (Some("Ada".to_owned()), Some("Lovelace".to_owned()));
        assert_eq!(read(r#"{"name":{"firstName":"Ada","lastName":"Lovelace"},"email":"a@b.c"}"#), Some(ada));
        assert_eq!(read("{}"), Some((None, None)));
        assert_eq!(read("nonsense"), None);
    }
}
