//! Signing in with providers (`member.md §7`, `decisions.md` 16).

mod apple;
mod callback;
mod disconnect;
mod params;
mod start;

use actix_web::HttpRequest;
use identity::{Provider, RateLimitBucket, hash_of_text, network_of};
use openid::ProviderClient;
use url::Url;
use utoipa_actix_web::service_config::ServiceConfig;
use workflows::{
    client::ClientContext,
    provider_sign_in::{ProviderFlow, redeem_flow},
    rate_limits,
};

use super::cookies;
use crate::{
    app::App,
    error::{ApiError, Code},
};

/// The calls of this folder.
pub(super) fn configure(config: &mut ServiceConfig) {
    config
        .service(start::start_with_google)
        .service(start::start_with_provider)
        .service(callback::back_from_google)
        .service(callback::back_from_provider)
        .service(apple::back_from_apple)
        .service(disconnect::disconnect);
}

/// The text for a person who declined at the provider.
const DENIED: &str = "You did not allow the sign-in. Please try again or use your password.";

/// The client of a configured provider.
fn provider_client(app: &App, provider: Provider) -> Result<&ProviderClient, ApiError> {
    app.providers.get(provider).ok_or_else(|| ApiError::not_found("sign-in provider"))
}

/// Where a provider sends browsers back to.
fn way_back(app: &App, provider: Provider) -> Result<Url, ApiError> {
    let path = match provider {
        Provider::Apple => "/api/apple/oauth/callback".to_owned(),
        other => format!("/login?type={}", other.as_str()),
    };
    Url::parse(&app.link(&path)).map_err(ApiError::internal)
}

/// Counts an attempt against the network's rate limit.
async fn count_try(app: &App, client: &ClientContext) -> Result<(), ApiError> {
    let limits = &app.config.limits.provider;
    Ok(rate_limits::count(&app.transactions, RateLimitBucket::Provider, network_of(client.address), limits).await?)
}

/// Redeems the flow of this state.
async fn take_flow(app: &App, provider: Provider, state: Option<String>) -> Result<ProviderFlow, ApiError> {
    let state = state.ok_or_else(over)?;
    let flow = app.write_tx(move |tx| redeem_flow(tx, provider, &state)).await?;
    flow.ok_or_else(over)
}

/// Refuses a browser that did not begin the flow.
fn check_browser(flow: &ProviderFlow, request: &HttpRequest) -> Result<(), ApiError> {
    let held = cookies::flow(request).map(|cookie| hash_of_text(&cookie));
    if held == Some(flow.binding) { Ok(()) } else { Err(over()) }
}

fn over() -> ApiError {
    ApiError::sign_in_flow_over()
}

fn denied() -> ApiError {
    ApiError::new(Code::ProviderRefused, DENIED)
}
