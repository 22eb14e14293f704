//! Asking a provider who an access token is of.

use openidconnect::http::{
    Request, StatusCode,
    header::{ACCEPT, AUTHORIZATION},
};
use serde::Deserialize;
use url::Url;

use super::{http::Http, keys::Told};

/// OpenID's names, and Facebook's.
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

/// Some providers write `"true"`.
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

/// Asks; the failure is for the log.
pub(super) async fn ask(http: &Http, address: &Url, access_token: &str) -> Result<Told, String> {
    let request = Request::get(address.as_str())
        .header(ACCEPT, "application/json")
        .header(AUTHORIZATION, format!("Bearer {access_token}"))
        .body(Vec::new())
        .map_err(|error| error.to_string())?;
    let answer = http.send(request).await.map_err(|error| error.to_string())?;
    if answer.status() != StatusCode::OK {
        return Err(format!("it answers {} to the question who a token is of", answer.status()));
    }
    read(answer.body())
}

fn read(body: &[u8]) -> Result<Told, String> {
    let info: UserInfo = serde_json::from_slice(body).map_err(|error| error.to_string())?;
    Ok(Told {
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
    use super::read;

    #[test]
    fn openids_and_facebooks_names_are_understood() {
        let facebook = read(br#"{"id":"7","name":"Ada Lovelace","first_name":"Ada","last_name":"Lovelace"}"#).unwrap();
        assert_eq!((facebook.subject.as_str(), facebook.first_name.as_deref()), ("7", Some("Ada")));
        assert_eq!((facebook.email, facebook.email_verified), (None, None));
        for (written, verified) in [("true", true), ("\"true\"", true), ("false", false), ("\"false\"", false)] {
            let body = format!(r#"{{"sub":"7","email":"a@b.example","email_verified":{written}}}"#);
            assert_eq!(read(body.as_bytes()).unwrap().email_verified, Some(verified));
        }
        assert!(read(b"{}").is_err() && read(b"<html>").is_err());
    }
}
