//! Passkeys: registration and authentication ceremonies with browsers (`WebAuthn`, by `webauthn-rs`).
//!
//! Creates the options for a browser and verifies its response. Stores nothing: the caller keeps the state of a
//! ceremony and the credential, both JSON. Pure computation, so it may run between two queries of one transaction.
//!
//! Invariants: passkeys require a host name and a secure context; every passkey is discoverable, so that a sign-in
//! needs no user name; a signature counter that goes backwards is reported as a possible copy of the key.

use std::net::IpAddr;

use identity::StoredPasskey;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use url::{Host, Url};
use webauthn_rs::prelude::{
    DiscoverableAuthentication, DiscoverableKey, Passkey, PasskeyRegistration, PublicKeyCredential,
    RegisterPublicKeyCredential, Uuid, Webauthn, WebauthnBuilder, WebauthnError,
};

/// The `WebAuthn` relying party of one site.
#[derive(Debug)]
pub struct Passkeys(Webauthn);

/// A started ceremony: the options for the browser, and the state to keep until it responds.
#[derive(Debug)]
pub struct Ceremony {
    /// For the browser: `PublicKeyCredentialCreationOptionsJSON` or `PublicKeyCredentialRequestOptionsJSON`.
    pub options: Value,
    /// For [`Passkeys::finish_registration`] or [`Passkeys::finish_authentication`]: kept on the server, used once.
    pub state: String,
}

/// A passkey that a browser created.
#[derive(Debug)]
pub struct RegisteredPasskey {
    /// The credential id, by which a sign-in finds the passkey.
    pub credential_id: Vec<u8>,
    /// The user handle: the same for all passkeys of a member.
    pub user_handle: Vec<u8>,
    /// The public key and signature counter, as JSON. Signatures are verified against it.
    pub credential: String,
}

/// Why a browser's response is refused.
#[derive(Debug, thiserror::Error)]
pub enum PasskeyError {
    /// The response, or the kept state, can't be parsed.
    #[error("the browser's answer can't be read: {0}")]
    Unreadable(#[from] serde_json::Error),
    /// Verification failed: another site, ceremony or key, or a counter which shows that the key was copied.
    #[error("the browser's answer is refused: {0:?}")]
    Wrong(#[from] WebauthnError),
    /// The user handle in the response is not that of the passkey.
    #[error("the device names another owner")]
    OtherOwner,
}

/// The state of a registration.
#[derive(Serialize, Deserialize)]
struct Registration {
    user_handle: Uuid,
    state: PasskeyRegistration,
}

impl Passkeys {
    /// The relying party for the site at this URL. `None` if browsers offer no passkeys there: without TLS (except on
    /// localhost), or at an IP address instead of a host name.
    pub fn for_site(public_url: &str, name: &str) -> Option<Self> {
        let origin = Url::parse(public_url).ok()?;
        let Some(Host::Domain(domain)) = origin.host() else { return None };
        let is_secure = origin.scheme() == "https" || domain == "localhost" || domain.ends_with(".localhost");
        if !is_secure || domain.parse::<IpAddr>().is_ok() {
            return None;
        }
        let webauthn = WebauthnBuilder::new(domain, &origin).ok()?.rp_name(name).build().ok()?;
        Some(Self(webauthn))
    }

    /// Starts the registration of a passkey. `owned` are the member's passkeys: a device that has one of them creates
    /// no other. `fresh` is the user handle for a member without passkeys.
    pub fn start_registration(
        &self,
        account: &str,
        name: &str,
        owned: &[StoredPasskey],
        fresh: [u8; 16],
    ) -> Result<Ceremony, PasskeyError> {
        let user_handle = owned.first().and_then(|passkey| Uuid::from_slice(&passkey.user_handle).ok());
        let user_handle = user_handle.unwrap_or(Uuid::from_bytes(fresh));
        let exclude = owned.iter().map(|passkey| passkey.credential_id.clone()).collect();
        let (challenge, state) = self.0.start_passkey_registration(user_handle, account, name, Some(exclude))?;
        let mut options = serde_json::to_value(challenge.public_key)?;
        // A sign-in with a passkey names no user, so the device has to know whose it is.
        options["authenticatorSelection"]["residentKey"] = "required".into();
        options["authenticatorSelection"]["requireResidentKey"] = true.into();
        Ok(Ceremony { options, state: serde_json::to_string(&Registration { user_handle, state })? })
    }

    /// Verifies the response to a registration; returns the new passkey.
    pub fn finish_registration(&self, state: &str, response: Value) -> Result<RegisteredPasskey, PasskeyError> {
        let Registration { user_handle, state } = serde_json::from_str(state)?;
        let response: RegisterPublicKeyCredential = serde_json::from_value(response)?;
        let passkey = self.0.finish_passkey_registration(&response, &state)?;
        Ok(RegisteredPasskey {
            credential_id: passkey.cred_id().clone(),
            user_handle: user_handle.as_bytes().to_vec(),
            credential: serde_json::to_string(&passkey)?,
        })
    }

    /// Starts a sign-in with any passkey of this site.
    pub fn start_authentication(&self) -> Result<Ceremony, PasskeyError> {
        let (challenge, state) = self.0.start_discoverable_authentication()?;
        Ok(Ceremony { options: serde_json::to_value(challenge.public_key)?, state: serde_json::to_string(&state)? })
    }

    /// The credential id in a browser's response.
    pub fn credential_id(response: &Value) -> Result<Vec<u8>, PasskeyError> {
        let response: PublicKeyCredential = serde_json::from_value(response.clone())?;
        Ok(response.get_credential_id().to_vec())
    }

    /// Verifies the response to a sign-in against the stored passkey; returns the updated credential, to be stored.
    pub fn finish_authentication(
        &self,
        state: &str,
        response: Value,
        stored: &StoredPasskey,
    ) -> Result<String, PasskeyError> {
        let state: DiscoverableAuthentication = serde_json::from_str(state)?;
        let response: PublicKeyCredential = serde_json::from_value(response)?;
        let mut passkey: Passkey = serde_json::from_str(&stored.credential)?;
        if response.get_user_unique_id() != Some(&stored.user_handle) {
            return Err(PasskeyError::OtherOwner);
        }
        let key = DiscoverableKey::from(&passkey);
        let result = self.0.finish_discoverable_authentication_v2(&response, state, &key)?;
        passkey.update_credential(&result).ok_or(WebauthnError::CredentialNotFound)?;
        Ok(serde_json::to_string(&passkey)?)
    }
}

impl PasskeyError {
    /// Whether the signature counter shows that two devices may have the key.
    pub const fn is_possible_copy(&self) -> bool {
        matches!(self, Self::Wrong(WebauthnError::CredentialPossibleCompromise))
    }
}

#[cfg(test)]
mod tests {
    use super::Passkeys;

    #[test]
    fn passkeys_need_a_host_name_and_a_secure_context() {
        let there = |url: &str| Passkeys::for_site(url, "Pith").is_some();
        assert!(there("https://pith.example") && there("https://pith.example:8443"));
        assert!(there("http://localhost:4000") && there("http://pith.localhost"));
        for url in ["http://pith.example", "http://127.0.0.1:4000", "https://192.0.2.1", "https://[::1]", "nonsense"] {
            assert!(!there(url), "{url}");
        }
    }
}
