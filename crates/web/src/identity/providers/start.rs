//! `GET /api/google/login/oauth` and `GET /api/{name}/oauth`: the redirect to a provider.

use actix_web::{HttpRequest, HttpResponse, Responder, get, web::Data};
use identity::Provider;
use openid::AuthorizationSecrets;
use serde::Serialize;
use utoipa::ToSchema;
use workflows::{client::ClientContext, identity::provider_sign_in::flow::FlowRequest};

use crate::{
    app::App,
    extract::{Client, Path, Query, Viewer},
    http::{
        error::ApiError,
        openapi::{BadGateway, BadRequest, Forbidden, NotFound, TooManyTries},
        wire::Answer,
    },
    identity::{
        cookies,
        providers::params::{Name, Start},
    },
};

/// Where to go.
#[derive(Serialize, ToSchema)]
pub(super) struct Destination {
    /// The provider's address.
    url: String,
}

/// Begins to sign in with Google.
#[utoipa::path(tag = "identity", params(Start), responses((status = 200, description = "Where to send the browser. Sets the flow's cookie.", body = Answer<Destination>), BadGateway, BadRequest, Forbidden, NotFound, TooManyTries), security((), ("token" = [])))]
#[get("/api/google/login/oauth")]
pub(super) async fn start_with_google(
    app: Data<App>,
    viewer: Viewer,
    Client(client): Client,
    start: Query<Start>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    begin(&app, Provider::Google, viewer, &client, start.into_inner(), &request).await
}

/// Begins to sign in with Apple, Facebook or LinkedIn.
#[utoipa::path(tag = "identity", params(("name" = inline(Name), Path, description = "The provider."), Start), responses((status = 200, description = "Where to send the browser. Sets the flow's cookie.", body = Answer<Destination>), BadGateway, BadRequest, Forbidden, TooManyTries), security((), ("token" = [])))]
#[get("/api/{name}/oauth")]
pub(super) async fn start_with_provider(
    app: Data<App>,
    viewer: Viewer,
    Client(client): Client,
    name: Path<Name>,
    start: Query<Start>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    begin(&app, name.into_inner().into(), viewer, &client, start.into_inner(), &request).await
}

async fn begin(
    app: &App,
    provider: Provider,
    Viewer(viewer): Viewer,
    client: &ClientContext,
    start: Start,
    request: &HttpRequest,
) -> Result<HttpResponse, ApiError> {
    // Reused, so that a second flow in another tab does not break the first.
    let cookie = cookies::flow(request).unwrap_or_else(|| cookies::new_flow(&*app.env));
    let wanted = FlowRequest {
        provider,
        origin: start.origin.into(),
        redirect: start.redirect,
        timezone: start.timezone,
        secrets: AuthorizationSecrets::new(&*app.env),
    };
    let url = app.provider_flows().begin(wanted, viewer, client, &cookie).await?.into();
    let mut response = Answer::new(Destination { url }).respond_to(request);
    response.add_cookie(&cookies::of_flow(&app.config, cookie)).map_err(ApiError::internal)?;
    Ok(response)
}
