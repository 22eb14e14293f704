//! API tokens: by them a member's own programs call the API (`identity.api-tokens`).

use kernel::{ApiTokenId, Day, Timestamp, UserId};
use md5::{Digest, Md5};

use crate::SecretHash;

/// The largest number of tokens of a member.
pub const MAX_API_TOKENS: usize = 20;
/// The longest name of a token, in characters.
pub const API_TOKEN_NAME_CHARS: usize = 60;
/// The beginning of every token, by which scanners of code find one that was published.
pub(crate) const API_TOKEN_PREFIX: &str = "pat_";

/// What a token may be used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ApiScope {
    /// Reading and exporting highlights and review cards.
    StudyRead,
    /// Saving highlights, review cards and answers.
    StudyWrite,
    /// Listing what the member may read, and downloading it.
    CatalogRead,
    /// Reading and saving the positions of e-reader programs.
    PlacesWrite,
}

impl ApiScope {
    /// Every scope, in order.
    pub const ALL: [Self; 4] = [Self::StudyRead, Self::StudyWrite, Self::CatalogRead, Self::PlacesWrite];

    /// The stored name, and the one on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::StudyRead => "study:read",
            Self::StudyWrite => "study:write",
            Self::CatalogRead => "catalog:read",
            Self::PlacesWrite => "places:write",
        }
    }

    /// The scope with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.as_str() == name)
    }
}

/// A member's token. The text of the token itself is not stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiToken {
    pub id: ApiTokenId,
    pub user: UserId,
    pub name: String,
    /// In order, each once; not empty.
    pub scopes: Vec<ApiScope>,
    pub created_at: Timestamp,
    /// The day in UTC on which it was used last.
    pub last_used_on: Option<Day>,
}

/// A token to be stored.
#[derive(Clone, Debug)]
pub struct NewApiToken {
    pub user: UserId,
    pub name: String,
    pub scopes: Vec<ApiScope>,
    pub hash: SecretHash,
    /// Of the [sync key](sync_key); only with the scope [`ApiScope::PlacesWrite`].
    pub sync_key_hash: Option<SecretHash>,
    pub created_at: Timestamp,
}

/// What programs of KOReader's protocol send in the place of a token: its MD5 in hex (`delivery.koreader-sync`).
pub fn sync_key(token: &str) -> String {
    hex::encode(Md5::digest(token))
}

/// Whether a bearer token has the form of an API token.
pub fn is_api_token(token: &str) -> bool {
    token.starts_with(API_TOKEN_PREFIX)
}
