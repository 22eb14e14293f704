//! `GET /api/google/login/oauth` and `GET /api/{name}/oauth`: the way to a provider.

use actix_web::{HttpRequest, HttpResponse, Responder, get, web::Data};
use identity::{Claims, Factors, IdentityError, Provider, hash_of_text, redirect_path};
use kernel::UserId;
use openid::AuthorizationSecrets;
use serde::Serialize;
use utoipa::ToSchema;
use workflows::{
    client::ClientContext,
    provider_sign_in::{Origin, ProviderFlow, Step, store_flow},
};

use super::{
    count_try,
    params::{Name, Start},
    provider_client, way_back,
};
use crate::{
    app::App,
    error::ApiError,
    extract::{Client, Path, Query, Viewer},
    openapi::{BadGateway, BadRequest, Forbidden, NotFound, TooManyTries},
    routes::identity::cookies,
    wire::Answer,
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

/// Who adds a way into their account, as a person does who has just logged in.
async fn allowed(app: &App, claims: Claims) -> Result<UserId, ApiError> {
    let now = app.env.now();
    app.db.write::<_, IdentityError, _>(move |pg| pg.allow_another_way_in(claims.user, claims.session, now)).await?;
    Ok(claims.user)
}

async fn begin(
    app: &App,
    provider: Provider,
    Viewer(viewer): Viewer,
    client: &ClientContext,
    start: Start,
    request: &HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let oauth = provider_client(app, provider)?;
    let origin = start.origin.into();
    let user = match origin {
        Origin::Account => Some(allowed(app, viewer.ok_or_else(ApiError::unauthenticated)?).await?),
        Origin::Login | Origin::Signup => None,
    };
    count_try(app, client).await?;
    // A second flow in another tab leaves the first one's cookie as it is.
    let cookie = cookies::flow(request).unwrap_or_else(|| cookies::new_flow(&*app.env));
    let secrets = AuthorizationSecrets::new(&*app.env);
    let flow = ProviderFlow {
        provider,
        origin,
        redirect: start.redirect.as_deref().and_then(redirect_path).map(str::to_owned),
        timezone: start.timezone.filter(|zone| zone.len() <= 64),
        user,
        binding: hash_of_text(&cookie),
        step: Step::Asked(secrets.clone()),
    };
    let state = app.write_tx(move |tx| store_flow(tx, &flow)).await?;
    let url = oauth.authorization_url(&secrets, state, &way_back(app, provider)?).await?.into();
    let mut response = Answer::new(Destination { url }).respond_to(request);
    response.add_cookie(&cookies::of_flow(&app.config, cookie)).map_err(ApiError::internal)?;
    Ok(response)
}
