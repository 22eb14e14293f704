//! Second factors, passkeys and sign-in methods, in Postgres.

use chrono::{DateTime, Utc};
use diesel::{
    ExpressionMethods, OptionalExtension, PgExpressionMethods, QueryDsl, Queryable, RunQueryDsl, Selectable,
    SelectableHelper, delete, dsl, insert_into, query_dsl::methods, select, update, upsert::excluded,
};
use identity::{
    FactorCommands, FactorQueries, FactorStore, NewPasskey, Passkey, PasskeyName, Protection, RemovedMethods,
    SecretHash, StoredPasskey, StoredTotp,
};
use kernel::{PasskeyId, SessionId, StoreError, Timestamp, UserId};

use crate::{
    Change, Pg,
    schema::{passkeys, provider_identities, recovery_codes, sessions, totp, users},
    time::{from_db, to_db},
};

#[derive(Queryable, Selectable)]
#[diesel(table_name = totp)]
struct TotpRow {
    sealed_secret: Vec<u8>,
    begun_at: DateTime<Utc>,
    confirmed_at: Option<DateTime<Utc>>,
    last_step: Option<i64>,
}

impl From<TotpRow> for StoredTotp {
    fn from(row: TotpRow) -> Self {
        Self {
            sealed_secret: row.sealed_secret,
            begun_at: from_db(row.begun_at),
            confirmed_at: row.confirmed_at.map(from_db),
            last_step: row.last_step,
        }
    }
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = passkeys)]
struct PasskeyRow {
    id: i64,
    user_id: i64,
    name: String,
    credential_id: Vec<u8>,
    user_handle: Vec<u8>,
    credential: String,
    created_at: DateTime<Utc>,
    last_used_at: Option<DateTime<Utc>>,
}

impl From<PasskeyRow> for StoredPasskey {
    fn from(row: PasskeyRow) -> Self {
        Self {
            passkey: Passkey {
                id: PasskeyId::from_store(row.id),
                name: PasskeyName::from_store(row.name),
                created_at: from_db(row.created_at),
                last_used_at: row.last_used_at.map(from_db),
            },
            user: UserId::from_store(row.user_id),
            credential_id: row.credential_id,
            user_handle: row.user_handle,
            credential: row.credential,
        }
    }
}

impl From<PasskeyRow> for Passkey {
    fn from(row: PasskeyRow) -> Self {
        StoredPasskey::from(row).passkey
    }
}

fn count(number: i64) -> Result<u32, StoreError> {
    u32::try_from(number).map_err(StoreError::new)
}

impl<A> FactorQueries for Pg<'_, A> {
    fn protection(&mut self, user: UserId) -> Result<Protection, StoreError> {
        let id = user.get();
        // One query, so that the result is consistent.
        let confirmed = totp::table.filter(totp::user_id.eq(id)).filter(totp::confirmed_at.is_not_null());
        let codes = recovery_codes::table.filter(recovery_codes::user_id.eq(id)).count();
        let keys = passkeys::table.filter(passkeys::user_id.eq(id)).count();
        let (totp, codes, keys) = self.run(|conn| {
            select((dsl::exists(confirmed), codes.single_value(), keys.single_value()))
                .get_result::<(bool, Option<i64>, Option<i64>)>(conn)
        })?;
        Ok(Protection {
            totp,
            recovery_codes: count(codes.unwrap_or_default())?,
            passkeys: count(keys.unwrap_or_default())?,
        })
    }

    fn passkeys(&mut self, user: UserId) -> Result<Vec<StoredPasskey>, StoreError> {
        let rows = self.run(|conn| {
            passkeys::table
                .filter(passkeys::user_id.eq(user.get()))
                .order(passkeys::id)
                .select(PasskeyRow::as_select())
                .load(conn)
        })?;
        Ok(rows.into_iter().map(StoredPasskey::from).collect())
    }
}

impl FactorCommands for Pg<'_> {
    fn lock_passkey(&mut self, credential_id: &[u8]) -> Result<Option<StoredPasskey>, StoreError> {
        self.run(|conn| {
            let found = passkeys::table
                .filter(passkeys::credential_id.eq(credential_id))
                .select(PasskeyRow::as_select())
                .for_update()
                .first(conn)
                .optional()?;
            Ok(found.map(StoredPasskey::from))
        })
    }

    fn record_passkey_use(&mut self, passkey: PasskeyId, credential: &str, now: Timestamp) -> Result<(), StoreError> {
        self.run(|conn| {
            update(passkeys::table.find(passkey.get()))
                .set((passkeys::credential.eq(credential), passkeys::last_used_at.eq(to_db(now))))
                .execute(conn)
                .map(|_| ())
        })
    }
}

impl FactorStore for Pg<'_> {
    fn lock_factors(&mut self, user: UserId) -> Result<(), StoreError> {
        self.run(|conn| {
            users::table
                .find(user.get())
                .select(users::id)
                .for_no_key_update()
                .first::<i64>(conn)
                .optional()
                .map(|_| ())
        })
    }

    fn lock_totp(&mut self, user: UserId) -> Result<Option<StoredTotp>, StoreError> {
        self.run(|conn| {
            let found =
                totp::table.find(user.get()).select(TotpRow::as_select()).for_update().first(conn).optional()?;
            Ok(found.map(StoredTotp::from))
        })
    }

    fn begin_totp_of_user(
        &mut self,
        user: UserId,
        session: SessionId,
        sealed_secret: &[u8],
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let row = (
            totp::user_id.eq(user.get()),
            totp::sealed_secret.eq(sealed_secret),
            totp::begun_at.eq(to_db(now)),
            totp::session_id.eq(session.get()),
        );
        let written = self.run(|conn| {
            let upsert = insert_into(totp::table).values(row).on_conflict(totp::user_id).do_update().set((
                totp::sealed_secret.eq(excluded(totp::sealed_secret)),
                totp::begun_at.eq(excluded(totp::begun_at)),
                totp::session_id.eq(excluded(totp::session_id)),
            ));
            methods::FilterDsl::filter(upsert, totp::confirmed_at.is_null()).execute(conn)
        })?;
        Ok(written > 0)
    }

    fn take_totp_step(&mut self, user: UserId, step: i64, now: Timestamp) -> Result<(), StoreError> {
        self.run(|conn| {
            update(totp::table.find(user.get())).set(totp::last_step.eq(step)).execute(conn)?;
            update(totp::table.find(user.get()).filter(totp::confirmed_at.is_null()))
                .set(totp::confirmed_at.eq(to_db(now)))
                .execute(conn)
                .map(|_| ())
        })
    }

    fn delete_totp(&mut self, user: UserId) -> Result<bool, StoreError> {
        let deleted = self.run(|conn| delete(totp::table.find(user.get())).execute(conn))?;
        Ok(deleted > 0)
    }

    fn replace_recovery_codes(&mut self, user: UserId, codes: &[SecretHash]) -> Result<(), StoreError> {
        let rows: Vec<_> = codes
            .iter()
            .map(|code| (recovery_codes::user_id.eq(user.get()), recovery_codes::hash.eq(code.as_bytes().as_slice())))
            .collect();
        self.run(|conn| {
            delete(recovery_codes::table.filter(recovery_codes::user_id.eq(user.get()))).execute(conn)?;
            insert_into(recovery_codes::table).values(rows).execute(conn).map(|_| ())
        })
    }

    fn take_recovery_code(&mut self, user: UserId, code: &SecretHash) -> Result<bool, StoreError> {
        // A concurrent transaction waits for the first one's commit, and then finds nothing to delete.
        let taken = self
            .run(|conn| delete(recovery_codes::table.find((user.get(), code.as_bytes().as_slice()))).execute(conn))?;
        Ok(taken > 0)
    }

    fn insert_passkey(
        &mut self,
        user: UserId,
        session: SessionId,
        new: NewPasskey<'_>,
        now: Timestamp,
    ) -> Result<Option<Passkey>, StoreError> {
        let row = (
            passkeys::user_id.eq(user.get()),
            passkeys::name.eq(new.name.as_str()),
            passkeys::credential_id.eq(new.credential_id),
            passkeys::user_handle.eq(new.user_handle),
            passkeys::credential.eq(new.credential),
            passkeys::created_at.eq(to_db(now)),
            passkeys::session_id.eq(session.get()),
        );
        self.run(|conn| {
            let inserted = insert_into(passkeys::table)
                .values(row)
                .on_conflict(passkeys::credential_id)
                .do_nothing()
                .returning(PasskeyRow::as_returning())
                .get_result(conn)
                .optional()?;
            Ok(inserted.map(Passkey::from))
        })
    }

    fn update_passkey_name(
        &mut self,
        user: UserId,
        passkey: PasskeyId,
        name: &PasskeyName,
    ) -> Result<Option<Passkey>, StoreError> {
        self.run(|conn| {
            let renamed = update(passkeys::table.find(passkey.get()).filter(passkeys::user_id.eq(user.get())))
                .set(passkeys::name.eq(name.as_str()))
                .returning(PasskeyRow::as_returning())
                .get_result(conn)
                .optional()?;
            Ok(renamed.map(Passkey::from))
        })
    }

    fn delete_passkey(&mut self, user: UserId, passkey: PasskeyId) -> Result<Option<Passkey>, StoreError> {
        self.run(|conn| {
            let deleted = delete(passkeys::table.find(passkey.get()).filter(passkeys::user_id.eq(user.get())))
                .returning(PasskeyRow::as_returning())
                .get_result(conn)
                .optional()?;
            Ok(deleted.map(Passkey::from))
        })
    }

    fn update_session_proof(&mut self, session: SessionId, now: Timestamp) -> Result<(), StoreError> {
        self.run(|conn| {
            update(sessions::table.find(session.get()))
                .set(sessions::proved_at.eq(to_db(now)))
                .execute(conn)
                .map(|_| ())
        })
    }

    fn update_session_address_proof(&mut self, session: SessionId, now: Timestamp) -> Result<(), StoreError> {
        self.run(|conn| {
            update(sessions::table.find(session.get()))
                .set(sessions::address_proved_at.eq(to_db(now)))
                .execute(conn)
                .map(|_| ())
        })
    }

    fn update_session_password_typed(&mut self, session: SessionId) -> Result<(), StoreError> {
        self.run(|conn| {
            update(sessions::table.find(session.get())).set(sessions::password_typed.eq(true)).execute(conn).map(|_| ())
        })
    }

    fn update_session_strength(&mut self, session: SessionId, strong: bool) -> Result<(), StoreError> {
        self.record_change(Change::Session(session));
        self.run(|conn| {
            update(sessions::table.find(session.get())).set(sessions::strong.eq(strong)).execute(conn).map(|_| ())
        })
    }

    fn weaken_sessions_of_user(&mut self, user: UserId) -> Result<(), StoreError> {
        let weakened: Vec<i64> = self.run(|conn| {
            update(sessions::table.filter(sessions::user_id.eq(user.get())).filter(sessions::strong))
                .set(sessions::strong.eq(false))
                .returning(sessions::id)
                .get_results(conn)
        })?;
        for id in weakened {
            self.record_change(Change::Session(SessionId::from_store(id)));
        }
        Ok(())
    }

    fn remove_sign_in_methods(&mut self, user: UserId, kept: Option<SessionId>) -> Result<RemovedMethods, StoreError> {
        self.record_change(Change::User(user));
        // No session has the id 0. A method whose session is unknown does not belong to the kept session.
        let (id, kept) = (user.get(), kept.map_or(0, SessionId::get));
        self.run(|conn| {
            let password = update(
                users::table
                    .find(id)
                    .filter(users::password_hash.is_not_null())
                    .filter(users::password_session_id.is_distinct_from(kept)),
            )
            .set((users::password_hash.eq(None::<String>), users::password_session_id.eq(None::<i64>)))
            .execute(conn)?;
            let totp = delete(totp::table.find(id).filter(totp::session_id.is_distinct_from(kept))).execute(conn)?;
            let has_app: bool = select(dsl::exists(totp::table.find(id))).get_result(conn)?;
            if !has_app {
                delete(recovery_codes::table.filter(recovery_codes::user_id.eq(id))).execute(conn)?;
            }
            let passkeys = delete(
                passkeys::table.filter(passkeys::user_id.eq(id)).filter(passkeys::session_id.is_distinct_from(kept)),
            )
            .execute(conn)?;
            let providers = delete(
                provider_identities::table
                    .filter(provider_identities::user_id.eq(id))
                    .filter(provider_identities::session_id.is_distinct_from(kept)),
            )
            .execute(conn)?;
            Ok((password, totp, passkeys, providers))
        })
        .and_then(|(password, totp, passkeys, providers)| {
            Ok(RemovedMethods {
                password: password > 0,
                totp: totp > 0,
                passkeys: u32::try_from(passkeys).map_err(StoreError::new)?,
                providers: u32::try_from(providers).map_err(StoreError::new)?,
            })
        })
    }
}
