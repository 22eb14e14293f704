//! `GET /api/google/login/oauth/callback` and `GET /api/{name}/oauth/callback`: the return from a provider, which sends its
//! result in the query.

use actix_web::{HttpRequest, get, web::Data};
use identity::Provider;
use serde::Serialize;
use utoipa::ToSchema;
use workflows::{client::ClientContext, identity::provider_sign_in::flow::FlowEnd};

use crate::{
    app::App,
    extract::{Client, Path, Query, Viewer},
    http::{
        error::ApiError,
        openapi::{BadGateway, BadRequest, Conflict, Forbidden, NotFound, TooManyTries},
        wire::Answer,
    },
    identity::{
        cookies,
        providers::params::{Back, Name},
    },
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
    let cookie = cookies::flow(request);
    let flows = app.provider_flows();
    let FlowEnd { token, redirect } = flows.end(provider, back.into(), viewer, client, cookie.as_deref()).await?;
    Ok(Answer::new(ProviderSignInResult { token, redirect }))
}
