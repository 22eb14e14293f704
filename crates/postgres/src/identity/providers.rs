//! Accounts linked to sign-in providers, in Postgres.

use chrono::{DateTime, Utc};
use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, Queryable, RunQueryDsl, Selectable, SelectableHelper, delete,
    insert_into, update,
};
use identity::{
    FactorQueries, Provider, ProviderCommands, ProviderConnection, ProviderQueries, ProviderStore, SignInMethods,
};
use kernel::{Email, SessionId, StoreError, UserId};

use crate::{
    Pg,
    schema::{provider_identities, users},
    time::{from_db, to_db},
};

#[derive(Queryable, Selectable)]
#[diesel(table_name = provider_identities)]
struct ConnectionRow {
    provider: String,
    subject: String,
    user_id: i64,
    email: Option<String>,
    connected_at: DateTime<Utc>,
    session_id: Option<i64>,
}

impl ConnectionRow {
    fn into_connection(self) -> Result<ProviderConnection, StoreError> {
        Ok(ProviderConnection {
            provider: self.provider.parse().map_err(StoreError::new)?,
            subject: self.subject,
            email: self.email.as_deref().map(Email::parse).transpose().map_err(StoreError::new)?,
            user: UserId::from_store(self.user_id),
            connected_at: from_db(self.connected_at),
            session: self.session_id.map(SessionId::from_store),
        })
    }
}

impl<A> ProviderQueries for Pg<'_, A> {
    fn providers_of(&mut self, user: UserId) -> Result<Vec<ProviderConnection>, StoreError> {
        let rows = self.run(|conn| {
            provider_identities::table
                .filter(provider_identities::user_id.eq(user.get()))
                .select(ConnectionRow::as_select())
                .load(conn)
        })?;
        let mut found: Vec<_> = rows.into_iter().map(ConnectionRow::into_connection).collect::<Result<_, _>>()?;
        found.sort_by_key(|connection| connection.provider);
        Ok(found)
    }
}

impl ProviderCommands for Pg<'_> {
    fn record_provider_session(
        &mut self,
        user: UserId,
        provider: Provider,
        session: SessionId,
    ) -> Result<(), StoreError> {
        self.run(|conn| {
            update(
                provider_identities::table
                    .filter(provider_identities::user_id.eq(user.get()))
                    .filter(provider_identities::provider.eq(provider.as_str()))
                    .filter(provider_identities::session_id.is_null()),
            )
            .set(provider_identities::session_id.eq(session.get()))
            .execute(conn)
            .map(|_| ())
        })
    }

    fn disconnect_all_providers(&mut self, user: UserId) -> Result<(), StoreError> {
        self.run(|conn| {
            delete(provider_identities::table.filter(provider_identities::user_id.eq(user.get())))
                .execute(conn)
                .map(|_| ())
        })
    }
}

impl ProviderStore for Pg<'_> {
    fn provider_connection(
        &mut self,
        provider: Provider,
        subject: &str,
    ) -> Result<Option<ProviderConnection>, StoreError> {
        let row = self.run(|conn| {
            provider_identities::table
                .find((provider.as_str(), subject))
                .select(ConnectionRow::as_select())
                .first(conn)
                .optional()
        })?;
        row.map(ConnectionRow::into_connection).transpose()
    }

    fn insert_provider_connection(&mut self, new: &ProviderConnection) -> Result<bool, StoreError> {
        let row = (
            provider_identities::provider.eq(new.provider.as_str()),
            provider_identities::subject.eq(&new.subject),
            provider_identities::user_id.eq(new.user.get()),
            provider_identities::email.eq(new.email.as_ref().map(Email::as_str)),
            provider_identities::connected_at.eq(to_db(new.connected_at)),
            provider_identities::session_id.eq(new.session.map(SessionId::get)),
        );
        let inserted = self
            .run(|conn| insert_into(provider_identities::table).values(row).on_conflict_do_nothing().execute(conn))?;
        Ok(inserted == 1)
    }

    fn update_provider_email(
        &mut self,
        provider: Provider,
        subject: &str,
        email: Option<&Email>,
    ) -> Result<(), StoreError> {
        self.run(|conn| {
            update(provider_identities::table.find((provider.as_str(), subject)))
                .set(provider_identities::email.eq(email.map(Email::as_str)))
                .execute(conn)
                .map(|_| ())
        })
    }

    fn delete_provider_connection(&mut self, user: UserId, provider: Provider) -> Result<(), StoreError> {
        self.run(|conn| {
            delete(
                provider_identities::table
                    .filter(provider_identities::user_id.eq(user.get()))
                    .filter(provider_identities::provider.eq(provider.as_str())),
            )
            .execute(conn)
            .map(|_| ())
        })
    }

    fn lock_ways_in(&mut self, user: UserId) -> Result<SignInMethods, StoreError> {
        let password: Option<bool> = self.run(|conn| {
            users::table
                .find(user.get())
                .select(users::password_hash)
                .for_no_key_update()
                .first::<Option<String>>(conn)
                .optional()
                .map(|found| found.map(|hash| hash.is_some()))
        })?;
        let providers: i64 = self.run(|conn| {
            provider_identities::table.filter(provider_identities::user_id.eq(user.get())).count().get_result(conn)
        })?;
        Ok(SignInMethods {
            password: password.unwrap_or_default(),
            passkeys: self.protection(user)?.passkeys,
            providers: u32::try_from(providers).map_err(StoreError::new)?,
        })
    }
}
