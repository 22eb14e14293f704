//! Identity in Postgres.

mod account_imports;
mod api_tokens;
mod factors;
mod providers;

use chrono::{DateTime, Utc};
use diesel::{
    BoolExpressionMethods, Connection, ExpressionMethods, NullableExpressionMethods, OptionalExtension, QueryDsl,
    Queryable, RunQueryDsl, Selectable, SelectableHelper, alias, delete, insert_into,
    result::{DatabaseErrorKind, Error::DatabaseError},
    sql_query,
    sql_types::{BigInt, Integer, Nullable, Text, Timestamptz},
    update,
};
use identity::{
    Account, ApiToken, Device, DeviceDescription, FoundSecret, IdentityCommands, IdentityQueries, IdentityStore,
    NewApiToken, NewSecret, NewSession, NewUser, PasswordHash, Profile, Purpose, RefreshPlace, Role, RootKey,
    SecretHash, Session, Suspension, User,
};
use kernel::{ApiTokenId, Day, Email, SessionId, StoreError, Timestamp, UserId};

use crate::{
    Change, Pg,
    schema::{rate_limits, refresh_secrets, root_keys, server_keys, sessions, single_use_secrets, users},
    time::{from_db, to_db},
};

/// The advisory lock under which keys are created.
const KEYS_LOCK: i64 = 0x6b65_7973;

/// The columns of a [`UserRow`], of `users u`.
macro_rules! user_columns {
    () => {
        "u.id, u.email, u.first_name, u.last_name, u.timezone, u.role, u.password_hash, u.friend_email, u.created_at, \
         u.email_confirmed_at, u.devices_version"
    };
}
pub(crate) use user_columns;

/// The types of [`user_columns`].
pub(crate) type UserTypes =
    (BigInt, Text, Text, Text, Text, Text, Nullable<Text>, Nullable<Text>, Timestamptz, Nullable<Timestamptz>, Integer);

#[derive(Queryable, Selectable)]
#[diesel(table_name = users)]
pub(crate) struct UserRow {
    id: i64,
    email: String,
    first_name: String,
    last_name: String,
    timezone: String,
    role: String,
    password_hash: Option<String>,
    friend_email: Option<String>,
    created_at: DateTime<Utc>,
    email_confirmed_at: Option<DateTime<Utc>>,
    devices_version: i32,
}

impl UserRow {
    fn into_account(self) -> Result<Account, StoreError> {
        let user = User {
            id: UserId::from_store(self.id),
            email: Email::parse(&self.email).map_err(StoreError::new)?,
            first_name: self.first_name,
            last_name: self.last_name,
            timezone: self.timezone,
            role: self.role.parse::<Role>().map_err(StoreError::new)?,
            friend_email: self.friend_email.as_deref().map(Email::parse).transpose().map_err(StoreError::new)?,
            created_at: from_db(self.created_at),
            email_confirmed_at: self.email_confirmed_at.map(from_db),
            has_password: self.password_hash.is_some(),
            devices_version: self.devices_version,
        };
        Ok(Account { user, password_hash: self.password_hash.map(PasswordHash::from_store) })
    }

    pub(crate) fn into_user(self) -> Result<User, StoreError> {
        self.into_account().map(|account| account.user)
    }
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = sessions)]
struct SessionRow {
    id: i64,
    user_id: i64,
    created_at: DateTime<Utc>,
    last_seen_at: DateTime<Utc>,
    expires_at: DateTime<Utc>,
    revoked_at: Option<DateTime<Utc>>,
    strong: bool,
    proved_at: Option<DateTime<Utc>>,
    address_proved_at: Option<DateTime<Utc>>,
    password_typed: bool,
}

impl From<SessionRow> for Session {
    fn from(row: SessionRow) -> Self {
        Self {
            id: SessionId::from_store(row.id),
            user: UserId::from_store(row.user_id),
            created_at: from_db(row.created_at),
            last_seen_at: from_db(row.last_seen_at),
            expires_at: from_db(row.expires_at),
            revoked_at: row.revoked_at.map(from_db),
            strong: row.strong,
            proved_at: row.proved_at.map(from_db),
            address_proved_at: row.address_proved_at.map(from_db),
            password_typed: row.password_typed,
        }
    }
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = single_use_secrets)]
struct FoundSecretRow {
    user_id: Option<i64>,
    data: Option<String>,
    binding: Option<Vec<u8>>,
    expires_at: DateTime<Utc>,
}

impl FoundSecretRow {
    fn into_found(self) -> Result<FoundSecret, StoreError> {
        Ok(FoundSecret {
            user: self.user_id.map(UserId::from_store),
            data: self.data,
            binding: self.binding.map(secret_hash).transpose()?,
            expires_at: from_db(self.expires_at),
        })
    }
}

fn secret_hash(bytes: Vec<u8>) -> Result<SecretHash, StoreError> {
    let bytes = bytes.try_into().map_err(|_| StoreError::new("a hash in the database is not one"))?;
    Ok(SecretHash::from_bytes(bytes))
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = root_keys)]
struct RootKeyRow {
    id: i32,
    public_key: Vec<u8>,
    sealed_private_key: Vec<u8>,
    created_at: DateTime<Utc>,
    retired_at: Option<DateTime<Utc>>,
}

impl RootKeyRow {
    fn into_key(self) -> Result<RootKey, StoreError> {
        Ok(RootKey {
            id: u32::try_from(self.id).map_err(StoreError::new)?,
            public_key: self.public_key,
            sealed_private_key: self.sealed_private_key,
            created_at: from_db(self.created_at),
            retired_at: self.retired_at.map(from_db),
        })
    }
}

impl<A> IdentityQueries for Pg<'_, A> {
    fn user(&mut self, user: UserId) -> Result<Option<User>, StoreError> {
        let found =
            self.run(|conn| users::table.find(user.get()).select(UserRow::as_select()).first(conn).optional())?;
        found.map(UserRow::into_user).transpose()
    }

    fn account(&mut self, email: &Email) -> Result<Option<Account>, StoreError> {
        let found = self.run(|conn| {
            users::table.filter(users::email_key.eq(email.key())).select(UserRow::as_select()).first(conn).optional()
        })?;
        found.map(UserRow::into_account).transpose()
    }

    fn suspension_of(&mut self, user: UserId) -> Result<Option<Suspension>, StoreError> {
        type Row = (Option<DateTime<Utc>>, Option<String>);
        let row: Option<Row> = self.run(|conn| {
            users::table.find(user.get()).select((users::suspended_at, users::suspended_reason)).first(conn).optional()
        })?;
        Ok(row.and_then(|(at, reason)| Some(Suspension { at: from_db(at?), reason: reason? })))
    }

    fn sessions_of(&mut self, user: UserId) -> Result<Vec<Device>, StoreError> {
        let rows: Vec<(SessionRow, String, String)> = self.run(|conn| {
            sessions::table
                .filter(sessions::user_id.eq(user.get()))
                .order((sessions::last_seen_at.desc(), sessions::id.desc()))
                .select((SessionRow::as_select(), sessions::device, sessions::place))
                .load(conn)
        })?;
        Ok(rows.into_iter().map(|(row, device, place)| Device { session: row.into(), device, place }).collect())
    }

    fn api_tokens_of(&mut self, user: UserId) -> Result<Vec<ApiToken>, StoreError> {
        self.select_api_tokens_of(user)
    }

    fn api_token(&mut self, hash: &SecretHash) -> Result<Option<ApiToken>, StoreError> {
        self.select_api_token(hash)
    }

    fn api_token_of_sync_key(&mut self, hash: &SecretHash) -> Result<Option<ApiToken>, StoreError> {
        self.select_api_token_of_sync_key(hash)
    }

    fn session_by_id(&mut self, session: SessionId) -> Result<Option<Session>, StoreError> {
        self.run(|conn| {
            sessions::table
                .find(session.get())
                .select(SessionRow::as_select())
                .first(conn)
                .optional()
                .map(|found| found.map(Session::from))
        })
    }

    fn single_use_secret(&mut self, purpose: Purpose, hash: &SecretHash) -> Result<Option<FoundSecret>, StoreError> {
        let found = self.run(|conn| {
            single_use_secrets::table
                .find(hash.as_bytes().as_slice())
                .filter(single_use_secrets::purpose.eq(purpose.as_str()))
                .select(FoundSecretRow::as_select())
                .first(conn)
                .optional()
        })?;
        found.map(FoundSecretRow::into_found).transpose()
    }

    fn root_keys(&mut self) -> Result<Vec<RootKey>, StoreError> {
        let rows = self.run(|conn| root_keys::table.order(root_keys::id).select(RootKeyRow::as_select()).load(conn))?;
        rows.into_iter().map(RootKeyRow::into_key).collect()
    }

    fn newest_single_use_secret_of_user(
        &mut self,
        user: UserId,
        purpose: Purpose,
    ) -> Result<Option<FoundSecret>, StoreError> {
        let newest = self.run(|conn| {
            single_use_secrets::table
                .filter(single_use_secrets::user_id.eq(user.get()))
                .filter(single_use_secrets::purpose.eq(purpose.as_str()))
                .order(single_use_secrets::created_at.desc())
                .select(FoundSecretRow::as_select())
                .first(conn)
                .optional()
        })?;
        newest.map(FoundSecretRow::into_found).transpose()
    }
}

impl IdentityCommands for Pg<'_> {
    fn update_password_hash(&mut self, user: UserId, hash: &PasswordHash) -> Result<(), StoreError> {
        // Responses about a user say whether there is a password.
        self.record_change(Change::User(user));
        self.run(|conn| {
            update(users::table.find(user.get())).set(users::password_hash.eq(hash.as_str())).execute(conn).map(|_| ())
        })
    }

    fn confirm_user_email(&mut self, user: UserId, now: Timestamp) -> Result<bool, StoreError> {
        self.record_change(Change::User(user));
        let confirmed = self.run(|conn| {
            update(users::table.find(user.get()).filter(users::email_confirmed_at.is_null()))
                .set(users::email_confirmed_at.eq(to_db(now)))
                .execute(conn)
        })?;
        Ok(confirmed > 0)
    }

    fn update_password_session(&mut self, user: UserId, session: Option<SessionId>) -> Result<(), StoreError> {
        self.run(|conn| {
            update(users::table.find(user.get()))
                .set(users::password_session_id.eq(session.map(SessionId::get)))
                .execute(conn)
                .map(|_| ())
        })
    }

    fn forget_known_devices(&mut self, user: UserId) -> Result<(), StoreError> {
        self.run(|conn| {
            update(users::table.find(user.get()))
                .set(users::devices_version.eq(users::devices_version + 1))
                .execute(conn)
                .map(|_| ())
        })
    }

    fn end_session(&mut self, session: SessionId, now: Timestamp) -> Result<(), StoreError> {
        self.record_change(Change::Session(session));
        self.run(|conn| {
            update(sessions::table.find(session.get()).filter(sessions::revoked_at.is_null()))
                .set(sessions::revoked_at.eq(to_db(now)))
                .execute(conn)
                .map(|_| ())
        })
    }

    fn delete_api_token(&mut self, user: UserId, token: ApiTokenId) -> Result<bool, StoreError> {
        self.remove_api_token(user, token)
    }

    fn record_api_token_use(&mut self, token: ApiTokenId, day: Day) -> Result<(), StoreError> {
        self.store_api_token_use(token, day)
    }

    fn delete_api_tokens_of(&mut self, user: UserId) -> Result<(), StoreError> {
        self.remove_api_tokens_of(user)
    }

    fn withdraw_secrets(&mut self, user: UserId, purpose: Purpose) -> Result<(), StoreError> {
        self.run(|conn| {
            delete(
                single_use_secrets::table
                    .filter(single_use_secrets::user_id.eq(user.get()))
                    .filter(single_use_secrets::purpose.eq(purpose.as_str())),
            )
            .execute(conn)
            .map(|_| ())
        })
    }

    fn sweep_rate_limits(&mut self, moment: Timestamp) -> Result<u64, StoreError> {
        let deleted =
            self.run(|conn| delete(rate_limits::table.filter(rate_limits::arrival.lt(to_db(moment)))).execute(conn))?;
        Ok(deleted as u64)
    }
}

impl IdentityStore for Pg<'_> {
    fn insert_user(&mut self, new: NewUser<'_>) -> Result<Option<User>, StoreError> {
        let row = (
            users::email.eq(new.email.as_str()),
            users::email_key.eq(new.email.key()),
            users::first_name.eq(new.first_name),
            users::last_name.eq(new.last_name),
            users::timezone.eq(new.timezone),
            users::password_hash.eq(new.password_hash.map(PasswordHash::as_str)),
            users::created_at.eq(to_db(new.created_at)),
            users::email_confirmed_at.eq(new.email_confirmed_at.map(to_db)),
        );
        // A concurrent transaction waits here for the first one's commit, and then gets nothing back.
        let inserted = self.run(|conn| {
            insert_into(users::table)
                .values(row)
                .on_conflict(users::email_key)
                .do_nothing()
                .returning(UserRow::as_returning())
                .get_result(conn)
                .optional()
        })?;
        inserted.map(UserRow::into_user).transpose()
    }

    fn lock_user(&mut self, user: UserId) -> Result<Option<User>, StoreError> {
        let found = self.run(|conn| {
            users::table.find(user.get()).select(UserRow::as_select()).for_update().first(conn).optional()
        })?;
        found.map(UserRow::into_user).transpose()
    }

    fn delete_user(&mut self, user: UserId) -> Result<(), StoreError> {
        self.record_change(Change::User(user));
        self.run(|conn| delete(users::table.find(user.get())).execute(conn).map(|_| ()))
    }

    fn remove_password_hash(&mut self, user: UserId) -> Result<(), StoreError> {
        self.record_change(Change::User(user));
        self.run(|conn| {
            update(users::table.find(user.get())).set(users::password_hash.eq(None::<String>)).execute(conn).map(|_| ())
        })
    }

    fn update_user_profile(&mut self, user: UserId, profile: &Profile) -> Result<(), StoreError> {
        self.record_change(Change::User(user));
        let names =
            (users::first_name.eq(profile.first_name.as_str()), users::last_name.eq(profile.last_name.as_str()));
        // Diesel leaves `None` out of the statement.
        let timezone = profile.timezone.as_deref().map(|zone| users::timezone.eq(zone));
        self.run(|conn| update(users::table.find(user.get())).set((names, timezone)).execute(conn).map(|_| ()))
    }

    fn update_user_email(&mut self, user: UserId, email: &Email, now: Timestamp) -> Result<bool, StoreError> {
        self.record_change(Change::User(user));
        let row = (
            users::email.eq(email.as_str()),
            users::email_key.eq(email.key()),
            users::email_confirmed_at.eq(to_db(now)),
        );
        // A savepoint: a violation of the unique index leaves the outer transaction usable.
        self.run(|conn| {
            let moved = conn.transaction(|conn| update(users::table.find(user.get())).set(row).execute(conn));
            match moved {
                Ok(_) => Ok(true),
                Err(DatabaseError(DatabaseErrorKind::UniqueViolation, _)) => Ok(false),
                Err(error) => Err(error),
            }
        })
    }

    fn update_suspension(&mut self, user: UserId, suspension: Option<&Suspension>) -> Result<(), StoreError> {
        self.record_change(Change::User(user));
        let row = (
            users::suspended_at.eq(suspension.map(|one| to_db(one.at))),
            users::suspended_reason.eq(suspension.map(|one| one.reason.as_str())),
        );
        self.run(|conn| update(users::table.find(user.get())).set(row).execute(conn).map(|_| ()))
    }

    fn unconfirm_user_email(&mut self, user: UserId) -> Result<(), StoreError> {
        self.record_change(Change::User(user));
        let unconfirmed = users::email_confirmed_at.eq(None::<DateTime<Utc>>);
        self.run(|conn| update(users::table.find(user.get())).set(unconfirmed).execute(conn).map(|_| ()))
    }

    fn lock_admins(&mut self) -> Result<Vec<UserId>, StoreError> {
        let ids: Vec<i64> = self.run(|conn| {
            users::table
                .filter(users::role.eq(Role::Admin.as_str()))
                .filter(users::suspended_at.is_null())
                .order(users::id)
                .select(users::id)
                .for_update()
                .load(conn)
        })?;
        Ok(ids.into_iter().map(UserId::from_store).collect())
    }

    fn update_user_role(&mut self, user: UserId, role: Role) -> Result<(), StoreError> {
        self.record_change(Change::User(user));
        self.run(|conn| {
            update(users::table.find(user.get())).set(users::role.eq(role.as_str())).execute(conn).map(|_| ())
        })
    }

    fn insert_session(
        &mut self,
        new: NewSession<'_>,
        secret: &SecretHash,
        now: Timestamp,
        expires_at: Timestamp,
    ) -> Result<Session, StoreError> {
        let row = (
            sessions::user_id.eq(new.user.get()),
            sessions::device.eq(new.device),
            sessions::place.eq(new.place),
            sessions::strong.eq(new.strong),
            sessions::created_at.eq(to_db(now)),
            sessions::last_seen_at.eq(to_db(now)),
            sessions::expires_at.eq(to_db(expires_at)),
        );
        self.run(|conn| {
            let session: SessionRow =
                insert_into(sessions::table).values(row).returning(SessionRow::as_returning()).get_result(conn)?;
            insert_into(refresh_secrets::table)
                .values((
                    refresh_secrets::hash.eq(secret.as_bytes().as_slice()),
                    refresh_secrets::session_id.eq(session.id),
                ))
                .execute(conn)?;
            Ok(session.into())
        })
    }

    fn lock_session_of_secret(&mut self, secret: &SecretHash) -> Result<Option<RefreshPlace>, StoreError> {
        let hash = secret.as_bytes().as_slice();
        // Two statements: the second one sees what the lock's previous holder committed.
        self.run(|conn| {
            let id = refresh_secrets::table.find(hash).select(refresh_secrets::session_id).single_value();
            let session = sessions::table
                .filter(sessions::id.nullable().eq(id))
                .select(SessionRow::as_select())
                .for_update()
                .first(conn)
                .optional()?;
            let replaced_at = refresh_secrets::table
                .find(hash)
                .select(refresh_secrets::replaced_at)
                .first::<Option<DateTime<Utc>>>(conn)
                .optional()?;
            Ok(session.zip(replaced_at).map(|(session, replaced_at)| RefreshPlace {
                session: session.into(),
                replaced_at: replaced_at.map(from_db),
            }))
        })
    }

    fn rotate_refresh_token(
        &mut self,
        session: SessionId,
        old: &SecretHash,
        new: &SecretHash,
        seen: DeviceDescription<'_>,
        now: Timestamp,
        expires_at: Timestamp,
    ) -> Result<(), StoreError> {
        self.run(|conn| {
            update(refresh_secrets::table.find(old.as_bytes().as_slice()))
                .set(refresh_secrets::replaced_at.eq(to_db(now)))
                .execute(conn)?;
            insert_into(refresh_secrets::table)
                .values((
                    refresh_secrets::hash.eq(new.as_bytes().as_slice()),
                    refresh_secrets::session_id.eq(session.get()),
                ))
                .execute(conn)?;
            update(sessions::table.find(session.get()))
                .set((
                    sessions::last_seen_at.eq(to_db(now)),
                    sessions::expires_at.eq(to_db(expires_at)),
                    sessions::device.eq(seen.device),
                    sessions::place.eq(seen.place),
                ))
                .execute(conn)?;
            Ok(())
        })
    }

    fn revoke_sessions_of_user(
        &mut self,
        user: UserId,
        kept: Option<SessionId>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        // No session has the id 0.
        let kept = kept.map_or(0, SessionId::get);
        let live = sessions::user_id.eq(user.get()).and(sessions::revoked_at.is_null()).and(sessions::id.ne(kept));
        let ended: Vec<i64> = self.run(|conn| {
            update(sessions::table.filter(live))
                .set(sessions::revoked_at.eq(to_db(now)))
                .returning(sessions::id)
                .get_results(conn)
        })?;
        for id in ended {
            self.record_change(Change::Session(SessionId::from_store(id)));
        }
        Ok(())
    }

    fn delete_sessions_expired_before(&mut self, moment: Timestamp) -> Result<u64, StoreError> {
        let deleted =
            self.run(|conn| delete(sessions::table.filter(sessions::expires_at.lt(to_db(moment)))).execute(conn))?;
        Ok(deleted as u64)
    }

    fn delete_secrets_replaced_before(&mut self, moment: Timestamp) -> Result<(), StoreError> {
        self.run(|conn| {
            delete(refresh_secrets::table.filter(refresh_secrets::replaced_at.lt(to_db(moment))))
                .execute(conn)
                .map(|_| ())
        })
    }

    fn insert_api_token(&mut self, new: NewApiToken) -> Result<ApiToken, StoreError> {
        self.store_api_token(&new)
    }

    fn insert_single_use_secret(&mut self, new: NewSecret<'_>) -> Result<(), StoreError> {
        let row = (
            single_use_secrets::hash.eq(new.hash.as_bytes().as_slice()),
            single_use_secrets::purpose.eq(new.purpose.as_str()),
            single_use_secrets::user_id.eq(new.user.map(UserId::get)),
            single_use_secrets::data.eq(new.data),
            single_use_secrets::code_hash.eq(new.code_hash.map(|hash| hash.as_bytes().as_slice())),
            single_use_secrets::binding.eq(new.binding.map(|hash| hash.as_bytes().as_slice())),
            single_use_secrets::created_at.eq(to_db(new.created_at)),
            single_use_secrets::expires_at.eq(to_db(new.expires_at)),
        );
        self.run(|conn| insert_into(single_use_secrets::table).values(row).execute(conn).map(|_| ()))
    }

    fn take_single_use_secret(
        &mut self,
        purpose: Purpose,
        hash: &SecretHash,
    ) -> Result<Option<FoundSecret>, StoreError> {
        // A concurrent transaction waits for the first one's commit, and then finds nothing to delete.
        let taken = self.run(|conn| {
            delete(
                single_use_secrets::table
                    .find(hash.as_bytes().as_slice())
                    .filter(single_use_secrets::purpose.eq(purpose.as_str())),
            )
            .returning(FoundSecretRow::as_returning())
            .get_result(conn)
            .optional()
        })?;
        taken.map(FoundSecretRow::into_found).transpose()
    }

    fn count_code_try(
        &mut self,
        purpose: Purpose,
        data: &str,
    ) -> Result<Option<(SecretHash, SecretHash, u32, Timestamp)>, StoreError> {
        // One statement, so that an attempt takes equally many round trips whether the code exists or not. Concurrent attempts
        // all count: the second transaction waits, then increments.
        let counted = self.run(|conn| {
            let all = alias!(single_use_secrets as all_secrets);
            let newest = all
                .filter(all.field(single_use_secrets::purpose).eq(purpose.as_str()))
                .filter(all.field(single_use_secrets::data).eq(data))
                .filter(all.field(single_use_secrets::code_hash).is_not_null())
                .order(all.field(single_use_secrets::created_at).desc())
                .select(all.field(single_use_secrets::hash))
                .limit(1)
                .single_value();
            update(single_use_secrets::table.filter(single_use_secrets::hash.nullable().eq(newest)))
                .set(single_use_secrets::code_tries.eq(single_use_secrets::code_tries + 1))
                .returning((
                    single_use_secrets::hash,
                    single_use_secrets::code_hash.assume_not_null(),
                    single_use_secrets::code_tries,
                    single_use_secrets::expires_at,
                ))
                .get_result::<(Vec<u8>, Vec<u8>, i32, DateTime<Utc>)>(conn)
                .optional()
        })?;
        counted
            .map(|(hash, code_hash, tries, end)| {
                let tries = u32::try_from(tries).map_err(StoreError::new)?;
                Ok((secret_hash(hash)?, secret_hash(code_hash)?, tries, from_db(end)))
            })
            .transpose()
    }

    fn delete_single_use_secrets_expired_before(&mut self, moment: Timestamp) -> Result<(), StoreError> {
        self.run(|conn| {
            delete(single_use_secrets::table.filter(single_use_secrets::expires_at.lt(to_db(moment))))
                .execute(conn)
                .map(|_| ())
        })
    }

    fn lock_keys(&mut self) -> Result<(), StoreError> {
        self.lock(KEYS_LOCK)
    }

    fn replace_root_key(
        &mut self,
        public_key: &[u8],
        sealed_private_key: &[u8],
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.record_change(Change::Keys);
        self.run(|conn| {
            update(root_keys::table.filter(root_keys::retired_at.is_null()))
                .set(root_keys::retired_at.eq(to_db(now)))
                .execute(conn)?;
            insert_into(root_keys::table)
                .values((
                    root_keys::public_key.eq(public_key),
                    root_keys::sealed_private_key.eq(sealed_private_key),
                    root_keys::created_at.eq(to_db(now)),
                ))
                .execute(conn)
                .map(|_| ())
        })
    }

    fn delete_root_keys_retired_before(&mut self, moment: Timestamp) -> Result<(), StoreError> {
        self.run(|conn| {
            delete(root_keys::table.filter(root_keys::retired_at.lt(to_db(moment)))).execute(conn).map(|_| ())
        })
    }

    fn insert_server_key(&mut self, purpose: &str, sealed: &[u8], now: Timestamp) -> Result<(), StoreError> {
        self.run(|conn| {
            insert_into(server_keys::table)
                .values((
                    server_keys::purpose.eq(purpose),
                    server_keys::sealed_key.eq(sealed),
                    server_keys::created_at.eq(to_db(now)),
                ))
                .execute(conn)
                .map(|_| ())
        })
    }

    fn lock_rate_limits(&mut self, keys: &[String], now: Timestamp) -> Result<Vec<Timestamp>, StoreError> {
        // One statement per key, because one statement locks several rows in no guaranteed order.
        keys.iter()
            .map(|key| {
                let row = (rate_limits::key.eq(key), rate_limits::arrival.eq(to_db(now)));
                // Writing the old value locks an existing row, and returns it like a new one.
                self.run(|conn| {
                    insert_into(rate_limits::table)
                        .values(row)
                        .on_conflict(rate_limits::key)
                        .do_update()
                        .set(rate_limits::arrival.eq(rate_limits::arrival))
                        .returning(rate_limits::arrival)
                        .get_result(conn)
                })
                .map(from_db)
            })
            .collect()
    }

    fn update_rate_limits(&mut self, arrivals: &[(String, Timestamp)]) -> Result<(), StoreError> {
        for (key, arrival) in arrivals {
            self.run(|conn| {
                update(rate_limits::table.find(key)).set(rate_limits::arrival.eq(to_db(*arrival))).execute(conn)
            })?;
        }
        Ok(())
    }

    fn delete_rate_limits_of(&mut self, subject: &str) -> Result<(), StoreError> {
        let end = format!(" {subject}");
        self.run(|conn| {
            sql_query("DELETE FROM rate_limits WHERE right(key, length($1)) = $1")
                .bind::<Text, _>(end)
                .execute(conn)
                .map(|_| ())
        })
    }

    fn server_key(&mut self, purpose: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.run(|conn| server_keys::table.find(purpose).select(server_keys::sealed_key).first(conn).optional())
    }
}
