//! `/api/user/tokens`: the tokens by which a member's own programs call the API (`identity.api-tokens`).

use actix_web::{delete, get, post, web::Data};
use identity::{ApiScope, ApiToken, IdentityCommands, IdentityError, IdentityQueries};
use kernel::{ApiTokenId, StoreError};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use workflows::identity::api_tokens::create_api_token;

use crate::{
    app::App,
    extract::{Body, Member, Path},
    http::{
        error::{ApiError, Code},
        openapi::{Forbidden, NotFound},
        wire::{Answer, Nothing},
    },
};

/// An API token. Its text is not kept.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ApiTokenItem {
    id: i64,
    /// What the member calls it.
    name: String,
    /// `study:read`, `study:write`, `catalog:read`, `places:write`.
    scopes: Vec<&'static str>,
    /// In milliseconds since the Unix epoch.
    created_at: i64,
    /// The day in UTC on which it was used last, as in `2026-11-23`; null before the first use.
    last_used_on: Option<String>,
}

impl From<ApiToken> for ApiTokenItem {
    fn from(token: ApiToken) -> Self {
        Self {
            id: token.id.get(),
            name: token.name,
            scopes: token.scopes.into_iter().map(ApiScope::as_str).collect(),
            created_at: token.created_at.millis(),
            last_used_on: token.last_used_on.map(|day| day.to_string()),
        }
    }
}

/// The API tokens of a member.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct ApiTokensResult {
    /// The newest first.
    tokens: Vec<ApiTokenItem>,
}

/// A token that was created.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct CreatedApiToken {
    token: ApiTokenItem,
    /// What a program sends as `Authorization: Bearer …`. It is shown this once.
    text: String,
}

/// A token to be created.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub(super) struct NewApiTokenBody {
    /// 1 to 60 characters.
    #[schema(min_length = 1)]
    name: String,
    /// What it may do: `study:read`, `study:write`, `catalog:read`, `places:write`.
    #[schema(min_items = 1)]
    scopes: Vec<String>,
}

/// The tokens by which the member's own programs call the API.
#[utoipa::path(tag = "identity", responses((status = 200, description = "The tokens.", body = Answer<ApiTokensResult>)), security(("token" = [])))]
#[get("/api/user/tokens")]
pub(super) async fn api_tokens(app: Data<App>, Member(claims): Member) -> Result<Answer<ApiTokensResult>, ApiError> {
    let tokens = app.db.read::<_, StoreError, _>(move |pg| pg.api_tokens_of(claims.user)).await?;
    Ok(Answer::new(ApiTokensResult { tokens: tokens.into_iter().map(Into::into).collect() }))
}

/// Creates a token. Needs a sign-in or a proof (`POST /api/user/proof`) of the last ten minutes. It works until it is deleted, or
/// until the member chooses a new password.
#[utoipa::path(tag = "identity", request_body = NewApiTokenBody, responses((status = 200, description = "The token, shown this once.", body = Answer<CreatedApiToken>), Forbidden), security(("token" = [])))]
#[post("/api/user/tokens")]
pub(super) async fn add_api_token(
    app: Data<App>,
    Member(claims): Member,
    Body(body): Body<NewApiTokenBody>,
) -> Result<Answer<CreatedApiToken>, ApiError> {
    let scopes = body.scopes.iter().map(|name| ApiScope::from_name(name)).collect::<Option<Vec<_>>>();
    let scopes = scopes.ok_or_else(|| ApiError::invalid("scopes", "There is no such scope."))?;
    let created = app.write_tx::<_, IdentityError, _>(move |tx| create_api_token(tx, &claims, &body.name, &scopes));
    let (token, text) = created.await?;
    Ok(Answer::new(CreatedApiToken { token: token.into(), text }))
}

/// Deletes a token. Calls with it are refused from now on.
#[utoipa::path(tag = "identity", params(("id" = i64, Path, description = "The token's id.")), responses((status = 200, description = "It is deleted.", body = Answer<Nothing>), NotFound), security(("token" = [])))]
#[delete("/api/user/tokens/{id}")]
pub(super) async fn delete_api_token(
    app: Data<App>,
    Member(claims): Member,
    id: Path<i64>,
) -> Result<Answer<Nothing>, ApiError> {
    let missing = || ApiError::new(Code::NotFound, "There is no such token.".to_owned());
    let id = ApiTokenId::new(id.into_inner()).map_err(|_| missing())?;
    let deleted = app.db.write::<_, StoreError, _>(move |pg| pg.delete_api_token(claims.user, id)).await?;
    if deleted { Ok(Answer::new(Nothing {})) } else { Err(missing()) }
}
