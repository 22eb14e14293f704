//! The userinfo endpoint: the claims of an access token's owner.

use openidconnect::http::{
    Request, StatusCode,
    header::{ACCEPT, AUTHORIZATION},
};
use serde::Deserialize;
use url::Url;

use crate::{claims::ProviderClaims, http::HttpClient};

/// The field names of OpenID Connect, and Facebook's.
#[derive(Deserialize)]
struct UserInfo {
    #[serde(alias = "id")]
    sub: String,
    email: Option<String>,
    email_verified: Option<Truth>,
    #[serde(alias = "first_name")]
    given_name: Option<String>,
    #[serde(alias = "last_name")]
    family_name: Option<String>,
    name: Option<String>,
}

/// A boolean, which some providers write as `"true"`.
#[derive(Deserialize)]
#[serde(untagged)]
enum Truth {
    Plain(bool),
    Text(String),
}

impl Truth {
    fn is_true(&self) -> bool {
        match self {
            Self::Plain(truth) => *truth,
            Self::Text(text) => text == "true",
        }
    }
}

/// Fetches the claims. The error is a text for the log.
pub(crate) async fn fetch_userinfo(
    http: &HttpClient,
    endpoint: &Url,
    access_token: &str,
) -> Result<ProviderClaims, String> {
    let request = Request::get(endpoint.as_str())
        .header(ACCEPT, "application/json")
        .header(AUTHORIZATION, format!("Bearer {access_token}"))
        .body(Vec::new())
        .map_err(|error| error.to_string())?;
    let response = http.send(request).await.map_err(|error| error.to_string())?;
    if response.status() != StatusCode::OK {
        return Err(format!("it answers {} to the question who a token is of", response.status()));
    }
    parse(response.body())
}

fn parse(body: &[u8]) -> Result<ProviderClaims, String> {
    let info: UserInfo = serde_json::from_slice(body).map_err(|error| error.to_string())?;
    Ok(ProviderClaims {
        subject: info.sub,
        email: info.email,
        email_verified: info.email_verified.map(|truth| truth.is_true()),
        first_name: info.given_name,
        last_name: info.family_name,
        full_name: info.name,
    })
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn field_names_of_openid_and_facebook_are_understood() {
        let facebook = parse(br#"{"id":"7","name":"Ada Lovelace","first_name":"Ada","last_name":"Lovelace"}"#).unwrap();
        assert_eq!((facebook.subject.as_str(), facebook.first_name.as_deref()), ("7", Some("Ada")));
        assert_eq!((facebook.email, facebook.email_verified), (None, None));
        for (written, verified) in [("true", true), ("\"true\"", true), ("false", false), ("\"false\"", false)] {
            let body = format!(r#"{{"sub":"7","email":"a@b.example","email_verified":{written}}}"#);
            assert_eq!(parse(body.as_bytes()).unwrap().email_verified, Some(verified));
        }
        assert!(parse(b"{}").is_err() && parse(b"<html>").is_err());
    }
}
