//! `GET /api/google/login/oauth/callback` and `GET /api/{name}/oauth/callback`: back from a provider, with what it put
//! into the address of our page.

use actix_web::{HttpRequest, get, web::Data};
use identity::{Claims, Provider};
use serde::Serialize;
use utoipa::ToSchema;
use workflows::{
    client::ClientContext,
    provider_sign_in::{Origin, ProviderFlow, Step, arrive, connect},
};

use super::{
    check_browser, count_try, denied, over,
    params::{Back, Name},
    provider_client, take_flow, way_back,
};
use crate::{
    app::App,
    error::ApiError,
    extract::{Client, Path, Query, Viewer},
    openapi::{BadGateway, BadRequest, Conflict, Forbidden, NotFound, TooManyTries},
    wire::Answer,
};

/// How a flow ended.
#[derive(Serialize, ToSchema)]
pub(super) struct ProviderSignInResult {
    /// A token of two minutes, to be traded once at `GET /api/user/session` by the same browser. Null when the provider
    /// was connected with the member's account.
    token: Option<String>,
    /// The path that the flow was begun with.
    redirect: Option<String>,
}

/// Ends signing in with Google.
#[utoipa::path(tag = "identity", params(Back), responses((status = 200, description = "The provider's sign-in is complete.", body = Answer<ProviderSignInResult>), BadGateway, BadRequest, Conflict, Forbidden, NotFound, TooManyTries), security((), ("token" = [])))]
#[get("/api/google/login/oauth/callback")]
pub(super) async fn back_from_google(
    app: Data<App>,
    viewer: Viewer,
    Client(client): Client,
    back: Query<Back>,
    request: HttpRequest,
) -> Result<Answer<ProviderSignInResult>, ApiError> {
    end(&app, Provider::Google, viewer, &client, back.into_inner(), &request).await
}

/// Ends signing in with Facebook or LinkedIn, and connecting Apple.
#[utoipa::path(tag = "identity", params(("name" = inline(Name), Path, description = "The provider."), Back), responses((status = 200, description = "The provider's sign-in is complete.", body = Answer<ProviderSignInResult>), BadGateway, BadRequest, Conflict, Forbidden, TooManyTries), security((), ("token" = [])))]
#[get("/api/{name}/oauth/callback")]
pub(super) async fn back_from_provider(
    app: Data<App>,
    viewer: Viewer,
    Client(client): Client,
    name: Path<Name>,
    back: Query<Back>,
    request: HttpRequest,
) -> Result<Answer<ProviderSignInResult>, ApiError> {
    end(&app, name.into_inner().into(), viewer, &client, back.into_inner(), &request).await
}

async fn end(
    app: &App,
    provider: Provider,
    Viewer(viewer): Viewer,
    client: &ClientContext,
    back: Back,
    request: &HttpRequest,
) -> Result<Answer<ProviderSignInResult>, ApiError> {
    let oauth = provider_client(app, provider)?;
    count_try(app, client).await?;
    let flow = take_flow(app, provider, back.state).await?;
    check_browser(&flow, request)?;
    if back.error.is_some() {
        return Err(denied());
    }
    if back.iss.is_some_and(|issuer| !oauth.is_issuer(&issuer)) {
        return Err(over());
    }
    let member = member(&flow, viewer)?;
    let profile = match flow.step.clone() {
        Step::Asked(secrets) => {
            let code = back.code.ok_or_else(over)?;
            oauth.fetch_profile(code, &secrets, &way_back(app, provider)?, None).await?
        }
        Step::Proven(held) => held.into_profile(provider),
    };
    let (address, redirect) = (client.address, flow.redirect.clone());
    let token = app
        .write_tx(move |tx| match member {
            Some(member) => connect(tx, &member, &profile).map(|()| None),
            None => arrive(tx, &flow, &profile, address).map(|secret| Some(secret.token)),
        })
        .await?;
    Ok(Answer::new(ProviderSignInResult { token, redirect }))
}

/// Who connects a provider: the member who began the flow, and nobody else.
fn member(flow: &ProviderFlow, viewer: Option<Claims>) -> Result<Option<Claims>, ApiError> {
    if flow.origin != Origin::Account {
        return Ok(None);
    }
    let member = viewer.ok_or_else(ApiError::unauthenticated)?;
    if flow.user == Some(member.user) { Ok(Some(member)) } else { Err(over()) }
}
