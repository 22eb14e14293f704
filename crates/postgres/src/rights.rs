//! The database role of `serve` and `worker`: created by the owner, with the rights that it needs and no others.

use std::borrow::Cow;

use diesel::{
    Connection, PgConnection, QueryResult, QueryableByName, RunQueryDsl,
    connection::SimpleConnection,
    sql_query,
    sql_types::{Bool, Nullable, Text},
};
use kernel::StoreError;
use percent_encoding::percent_decode_str;
use url::Url;

use crate::{
    connect::connect,
    error::{connection_error, store_error},
    migrate::lock_migrations,
    pg::Pg,
};

/// The SQL that grants the rights to the role named by the setting `pith.application_role`.
const RIGHTS: &str = include_str!("rights.sql");

/// The outcome of [`grant_rights`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RightsOutcome {
    /// The owner and the application are the same user: nothing to grant.
    Owner,
    /// The role has its rights.
    Role {
        name: String,
        /// Whether the role was created.
        is_new: bool,
    },
}

/// The application's role: its name, and the password to create it with.
struct ApplicationRole {
    name: String,
    /// `None` if the role exists, or if the URL has no password.
    password: Option<String>,
}

#[derive(QueryableByName)]
struct Statement {
    #[diesel(sql_type = Text)]
    statement: String,
}

#[derive(QueryableByName)]
struct Found {
    #[diesel(sql_type = Bool)]
    found: bool,
}

#[derive(QueryableByName)]
struct UserName {
    #[diesel(sql_type = Text)]
    name: String,
}

impl ApplicationRole {
    /// The role that this URL connects as. If it can't connect, the user name and password in the URL.
    fn of(url: &str) -> Result<Self, StoreError> {
        match connect(url) {
            Ok(mut connection) => {
                let user: UserName =
                    sql_query("SELECT current_user::text AS name").get_result(&mut connection).map_err(store_error)?;
                Ok(Self { name: user.name, password: None })
            }
            Err(error) => Self::named_in(url).ok_or_else(|| connection_error(error)),
        }
    }

    fn named_in(url: &str) -> Option<Self> {
        let url = Url::parse(url).ok().filter(|url| !url.username().is_empty())?;
        let decoded = |text: &str| percent_decode_str(text).decode_utf8().ok().map(Cow::into_owned);
        Some(Self { name: decoded(url.username())?, password: url.password().and_then(decoded) })
    }
}

/// Grants the role of the application's URL its rights on all tables of the owner. Creates the role if it is missing and the
/// owner may create roles. Idempotent.
pub fn grant_rights(owner_url: &str, application_url: &str) -> Result<RightsOutcome, StoreError> {
    let role = ApplicationRole::of(application_url)?;
    let mut connection = connect(owner_url).map_err(connection_error)?;
    lock_migrations(&mut connection)?;
    connection.transaction(|connection| grant(connection, &role)).map_err(store_error)
}

fn grant(
    connection: &mut PgConnection,
    ApplicationRole { name, password }: &ApplicationRole,
) -> QueryResult<RightsOutcome> {
    let owner: UserName = sql_query("SELECT current_user::text AS name").get_result(connection)?;
    if owner.name == *name {
        return Ok(RightsOutcome::Owner);
    }
    let known: Found = sql_query("SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1) AS found")
        .bind::<Text, _>(name)
        .get_result(connection)?;
    if !known.found {
        // Without a password this yields PASSWORD NULL, which allows no log-in by password.
        let create = "SELECT format('CREATE ROLE %I LOGIN PASSWORD %L', $1, $2) AS statement";
        let create: Statement = sql_query(create)
            .bind::<Text, _>(name)
            .bind::<Nullable<Text>, _>(password.as_deref())
            .get_result(connection)?;
        sql_query(create.statement).execute(connection)?;
    }
    sql_query("SELECT set_config('pith.application_role', $1, true)").bind::<Text, _>(name).execute(connection)?;
    connection.batch_execute(RIGHTS)?;
    Ok(RightsOutcome::Role { name: name.clone(), is_new: !known.found })
}

impl<A> Pg<'_, A> {
    /// Whether this connection's role could change or delete rows of the append-only tables: the ledger and the audit log.
    pub fn can_change_ledger(&mut self) -> Result<bool, StoreError> {
        let rights = "SELECT coalesce(bool_or(
                pg_has_role(c.relowner, 'MEMBER') OR has_any_column_privilege(c.oid, 'UPDATE')
                OR has_table_privilege(c.oid, 'DELETE') OR has_table_privilege(c.oid, 'TRUNCATE')
                OR has_table_privilege(c.oid, 'TRIGGER')), false) AS found
            FROM pg_class c
            WHERE c.relnamespace = current_schema()::regnamespace
                AND c.relname IN ('ledger_transactions', 'ledger_entries', 'audit_entries', 'audit_personal_changes')";
        self.run(|conn| sql_query(rights).get_result::<Found>(conn)).map(|rights| rights.found)
    }
}

#[cfg(test)]
mod tests {
    use super::ApplicationRole;

    #[test]
    fn a_role_that_is_not_there_is_named_by_the_address() {
        let named = |url| ApplicationRole::named_in(url).map(|role| (role.name, role.password));
        let some = |name: &str, password: Option<&str>| Some((name.to_owned(), password.map(str::to_owned)));
        assert_eq!(named("postgres://pith_app:a%26b+c@db/pith"), some("pith_app", Some("a&b+c")));
        assert_eq!(named("postgres://app@%2Fvar%2Frun:5432/pith?sslmode=require"), some("app", None));
        assert_eq!(named("postgres://db/pith"), None);
        assert_eq!(named("host=db user=app"), None);
    }
}
