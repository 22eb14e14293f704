//! The claims of a provider about a person.

/// The claims of an id token or a userinfo response: verified, but their texts are not parsed yet.
#[derive(Debug)]
pub(crate) struct ProviderClaims {
    pub(crate) subject: String,
    pub(crate) email: Option<String>,
    pub(crate) email_verified: Option<bool>,
    pub(crate) first_name: Option<String>,
    pub(crate) last_name: Option<String>,
    pub(crate) full_name: Option<String>,
}
