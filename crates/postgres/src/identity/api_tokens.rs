//! API tokens in Postgres.

use chrono::{DateTime, NaiveDate, Utc};
use diesel::{
    BoolExpressionMethods, ExpressionMethods, OptionalExtension, QueryDsl, Queryable, RunQueryDsl, Selectable,
    SelectableHelper, delete, insert_into, update,
};
use identity::{ApiScope, ApiToken, NewApiToken, SecretHash};
use kernel::{ApiTokenId, Day, StoreError, UserId};

use crate::{
    Pg,
    schema::api_tokens,
    time::{day_from_db, day_to_db, from_db, to_db},
};

#[derive(Queryable, Selectable)]
#[diesel(table_name = api_tokens)]
struct TokenRow {
    id: i64,
    user_id: i64,
    name: String,
    scopes: Vec<String>,
    created_at: DateTime<Utc>,
    last_used_on: Option<NaiveDate>,
}

impl From<TokenRow> for ApiToken {
    fn from(row: TokenRow) -> Self {
        // A scope of a later release is none that this one grants.
        let scopes = ApiScope::ALL.into_iter().filter(|scope| row.scopes.iter().any(|name| name == scope.as_str()));
        Self {
            id: ApiTokenId::from_store(row.id),
            user: UserId::from_store(row.user_id),
            name: row.name,
            scopes: scopes.collect(),
            created_at: from_db(row.created_at),
            last_used_on: row.last_used_on.map(day_from_db),
        }
    }
}

impl<A> Pg<'_, A> {
    pub(super) fn select_api_tokens_of(&mut self, user: UserId) -> Result<Vec<ApiToken>, StoreError> {
        let rows: Vec<TokenRow> = self.run(|conn| {
            api_tokens::table
                .filter(api_tokens::user_id.eq(user.get()))
                .order((api_tokens::created_at.desc(), api_tokens::id.desc()))
                .select(TokenRow::as_select())
                .load(conn)
        })?;
        Ok(rows.into_iter().map(ApiToken::from).collect())
    }

    pub(super) fn select_api_token(&mut self, hash: &SecretHash) -> Result<Option<ApiToken>, StoreError> {
        let row: Option<TokenRow> = self.run(|conn| {
            api_tokens::table
                .filter(api_tokens::hash.eq(hash.as_bytes().as_slice()))
                .select(TokenRow::as_select())
                .first(conn)
                .optional()
        })?;
        Ok(row.map(ApiToken::from))
    }

    pub(super) fn select_api_token_of_sync_key(&mut self, hash: &SecretHash) -> Result<Option<ApiToken>, StoreError> {
        let row: Option<TokenRow> = self.run(|conn| {
            api_tokens::table
                .filter(api_tokens::sync_key_hash.eq(hash.as_bytes().as_slice()))
                .select(TokenRow::as_select())
                .first(conn)
                .optional()
        })?;
        Ok(row.map(ApiToken::from))
    }
}

impl Pg<'_> {
    pub(super) fn store_api_token(&mut self, new: &NewApiToken) -> Result<ApiToken, StoreError> {
        let scopes: Vec<&str> = new.scopes.iter().map(|scope| scope.as_str()).collect();
        let row = (
            api_tokens::user_id.eq(new.user.get()),
            api_tokens::name.eq(&new.name),
            api_tokens::scopes.eq(scopes),
            api_tokens::hash.eq(new.hash.as_bytes().as_slice()),
            api_tokens::sync_key_hash.eq(new.sync_key_hash.as_ref().map(|hash| hash.as_bytes().as_slice())),
            api_tokens::created_at.eq(to_db(new.created_at)),
        );
        let row: TokenRow = self.run(|conn| {
            insert_into(api_tokens::table).values(row).returning(TokenRow::as_returning()).get_result(conn)
        })?;
        Ok(row.into())
    }

    pub(super) fn store_api_token_use(&mut self, token: ApiTokenId, day: Day) -> Result<(), StoreError> {
        let is_earlier = api_tokens::last_used_on.is_null().or(api_tokens::last_used_on.lt(day_to_db(day)));
        self.run(|conn| {
            update(api_tokens::table.find(token.get()).filter(is_earlier))
                .set(api_tokens::last_used_on.eq(day_to_db(day)))
                .execute(conn)
                .map(|_| ())
        })
    }

    pub(super) fn remove_api_token(&mut self, user: UserId, token: ApiTokenId) -> Result<bool, StoreError> {
        let of_user = api_tokens::table.find(token.get()).filter(api_tokens::user_id.eq(user.get()));
        self.run(|conn| delete(of_user).execute(conn)).map(|deleted| deleted > 0)
    }

    pub(super) fn remove_api_tokens_of(&mut self, user: UserId) -> Result<(), StoreError> {
        self.run(|conn| delete(api_tokens::table.filter(api_tokens::user_id.eq(user.get()))).execute(conn)).map(|_| ())
    }
}
