//! All values that are sealed with the operator's secret, wherever they stand.

use diesel::{
    QueryableByName, RunQueryDsl, sql_query,
    sql_types::{Binary, Text},
};
use kernel::StoreError;

use crate::Pg;

/// Where sealed values stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SealedPlace {
    /// Private root keys; a value is bound to its public key.
    RootKeys,
    /// The server's other keys; a value is bound to its purpose.
    ServerKeys,
    /// Secrets of authenticator apps; a value is bound to its member's id.
    AuthenticatorApps,
    /// Payloads of jobs; a value is bound to the job's kind.
    Jobs,
    /// Details of checkouts that are not decided.
    Checkouts,
}

/// A sealed value.
#[derive(Clone, Debug, PartialEq, Eq, QueryableByName)]
pub struct SealedValue {
    /// The key of its row.
    #[diesel(sql_type = Text)]
    pub key: String,
    /// What it is bound to.
    #[diesel(sql_type = Binary)]
    pub bound_to: Vec<u8>,
    #[diesel(sql_type = Binary)]
    pub sealed: Vec<u8>,
}

impl SealedPlace {
    pub const ALL: [Self; 5] = [Self::RootKeys, Self::ServerKeys, Self::AuthenticatorApps, Self::Jobs, Self::Checkouts];

    /// Table, key, sealed column, and what a value is bound to as bytes.
    const fn columns(self) -> [&'static str; 4] {
        match self {
            Self::RootKeys => ["root_keys", "id", "sealed_private_key", "public_key"],
            Self::ServerKeys => ["server_keys", "purpose", "sealed_key", "convert_to(purpose, 'UTF8')"],
            Self::AuthenticatorApps => ["totp", "user_id", "sealed_secret", "convert_to(user_id::text, 'UTF8')"],
            Self::Jobs => ["jobs", "id", "payload", "convert_to(kind, 'UTF8')"],
            Self::Checkouts => ["checkouts", "reference", "sealed_details", "''::bytea"],
        }
    }
}

impl Pg<'_> {
    /// Locks and reads the sealed values of a place. Of jobs all payloads: most kinds have none that is sealed.
    pub fn lock_sealed_values(&mut self, place: SealedPlace) -> Result<Vec<SealedValue>, StoreError> {
        let [table, key, sealed, bound_to] = place.columns();
        let query = format!(
            "SELECT {key}::text AS key, {bound_to} AS bound_to, {sealed} AS sealed FROM {table} \
             WHERE {sealed} IS NOT NULL ORDER BY {key} FOR UPDATE"
        );
        self.run(|conn| sql_query(query).load(conn))
    }

    /// Stores a value that was sealed again.
    pub fn update_sealed_value(&mut self, place: SealedPlace, key: &str, sealed: &[u8]) -> Result<(), StoreError> {
        let [table, column, value, _] = place.columns();
        let query = format!("UPDATE {table} SET {value} = $1 WHERE {column}::text = $2");
        self.run(|conn| sql_query(query).bind::<Binary, _>(sealed).bind::<Text, _>(key).execute(conn)).map(|_| ())
    }
}
