//! Passkeys: what is asked of a browser, and whether its answer is right (`webauthn-rs`). Pure computation, so it may
//! stand between two queries of one transaction.

use std::net::IpAddr;

use identity::StoredPasskey;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use url::{Host, Url};
use webauthn_rs::prelude::{
    DiscoverableAuthentication, DiscoverableKey, Passkey, PasskeyRegistration, PublicKeyCredential,
    RegisterPublicKeyCredential, Uuid, Webauthn, WebauthnBuilder, WebauthnError,
};

/// Checks passkeys for one site.
#[derive(Debug)]
pub struct Passkeys(Webauthn);

/// What a browser is asked, and what has to be remembered until it answers.
#[derive(Debug)]
pub struct Ceremony {
    /// For the browser: `PublicKeyCredentialCreationOptionsJSON` or `PublicKeyCredentialRequestOptionsJSON`.
    pub options: Value,
    /// For [`Passkeys::added`] or [`Passkeys::signed_in`]: kept at the server, good once.
    pub state: String,
}

/// A passkey that a browser has made.
#[derive(Debug)]
pub struct Made {
    /// What devices call it.
    pub credential_id: Vec<u8>,
    /// What devices call its owner.
    pub user_handle: Vec<u8>,
    /// What its signatures are checked against.
    pub credential: String,
}

/// Why an answer of a browser is refused.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// It has not the form that browsers give it.
    #[error("the browser's answer can't be read: {0}")]
    Unreadable(#[from] serde_json::Error),
    /// It is wrong; of another site, ceremony or key; or its counter shows that the key was copied.
    #[error("the browser's answer is refused: {0:?}")]
    Wrong(#[from] WebauthnError),
    /// The owner whom the device names is another one.
    #[error("the device names another owner")]
    OtherOwner,
}

/// What a registration has to remember.
#[derive(Serialize, Deserialize)]
struct Registration {
    user_handle: Uuid,
    state: PasskeyRegistration,
}

impl Passkeys {
    /// For the site at this address; `None` where browsers have no passkeys: without TLS (but on this machine
    /// itself), and at an address of the network instead of a name.
    pub fn of_site(public_url: &str, name: &str) -> Option<Self> {
        let origin = Url::parse(public_url).ok()?;
        let Some(Host::Domain(domain)) = origin.host() else { return None };
        let is_secure = origin.scheme() == "https" || domain == "localhost" || domain.ends_with(".localhost");
        if !is_secure || domain.parse::<IpAddr>().is_ok() {
            return None;
        }
        let webauthn = WebauthnBuilder::new(domain, &origin).ok()?.rp_name(name).build().ok()?;
        Some(Self(webauthn))
    }

    /// Asks a browser to make a passkey. `owned` are the person's passkeys: a device that has one of them makes none.
    /// `fresh` is what devices are to call somebody who has none.
    pub fn to_add(
        &self,
        account: &str,
        name: &str,
        owned: &[StoredPasskey],
        fresh: [u8; 16],
    ) -> Result<Ceremony, Refusal> {
        let user_handle = owned.first().and_then(|passkey| Uuid::from_slice(&passkey.user_handle).ok());
        let user_handle = user_handle.unwrap_or(Uuid::from_bytes(fresh));
        let exclude = owned.iter().map(|passkey| passkey.credential_id.clone()).collect();
        let (asked, state) = self.0.start_passkey_registration(user_handle, account, name, Some(exclude))?;
        let mut options = serde_json::to_value(asked.public_key)?;
        // Nobody types an address to sign in with a passkey, so the device has to know whose it is.
        options["authenticatorSelection"]["residentKey"] = "required".into();
        options["authenticatorSelection"]["requireResidentKey"] = true.into();
        Ok(Ceremony { options, state: serde_json::to_string(&Registration { user_handle, state })? })
    }

    /// The passkey that a browser has made.
    pub fn added(&self, state: &str, answer: Value) -> Result<Made, Refusal> {
        let Registration { user_handle, state } = serde_json::from_str(state)?;
        let answer: RegisterPublicKeyCredential = serde_json::from_value(answer)?;
        let passkey = self.0.finish_passkey_registration(&answer, &state)?;
        Ok(Made {
            credential_id: passkey.cred_id().clone(),
            user_handle: user_handle.as_bytes().to_vec(),
            credential: serde_json::to_string(&passkey)?,
        })
    }

    /// Asks a browser for any passkey of this site.
    pub fn to_sign_in(&self) -> Result<Ceremony, Refusal> {
        let (asked, state) = self.0.start_discoverable_authentication()?;
        Ok(Ceremony { options: serde_json::to_value(asked.public_key)?, state: serde_json::to_string(&state)? })
    }

    /// What the device calls the passkey with which a browser answers.
    pub fn credential_id(answer: &Value) -> Result<Vec<u8>, Refusal> {
        let answer: PublicKeyCredential = serde_json::from_value(answer.clone())?;
        Ok(answer.get_credential_id().to_vec())
    }

    /// Checks a browser's answer against the passkey of that name; gives what is to be stored of it from now on.
    pub fn signed_in(&self, state: &str, answer: Value, stored: &StoredPasskey) -> Result<String, Refusal> {
        let state: DiscoverableAuthentication = serde_json::from_str(state)?;
        let answer: PublicKeyCredential = serde_json::from_value(answer)?;
        let mut passkey: Passkey = serde_json::from_str(&stored.credential)?;
        if answer.get_user_unique_id() != Some(&stored.user_handle) {
            return Err(Refusal::OtherOwner);
        }
        let key = DiscoverableKey::from(&passkey);
        let result = self.0.finish_discoverable_authentication_v2(&answer, state, &key)?;
        passkey.update_credential(&result).ok_or(WebauthnError::CredentialNotFound)?;
        Ok(serde_json::to_string(&passkey)?)
    }
}

impl Refusal {
    /// Whether the answer's counter shows that two devices have the key.
    pub const fn shows_a_copy(&self) -> bool {
        matches!(self, Self::Wrong(WebauthnError::CredentialPossibleCompromise))
    }
}

#[cfg(test)]
mod tests {
    use super::Passkeys;

    #[test]
    fn passkeys_need_a_name_and_a_secure_context() {
        let there = |url: &str| Passkeys::of_site(url, "Pith").is_some();
        assert!(there("https://pith.example") && there("https://pith.example:8443"));
        assert!(there("http://localhost:4000") && there("http://pith.localhost"));
        for url in ["http://pith.example", "http://127.0.0.1:4000", "https://192.0.2.1", "https://[::1]", "nonsense"] {
            assert!(!there(url), "{url}");
        }
    }
}
