//! `POST /api/apple/oauth/callback`: the return from Apple, which posts a form from its own page (`identity.provider-return`).
//! Browsers send no cookie with that, so the next step checks that it is the same browser.

use actix_web::{HttpResponse, http::header, post, web::Data};
use identity::Provider;
use serde::Deserialize;
use url::form_urlencoded::Serializer;
use utoipa::ToSchema;
use workflows::identity::provider_sign_in::flow::{AppleFlowEnd, FlowEnd, ProviderCallback};

use crate::{
    app::App,
    extract::{Client, Form},
    http::{error::ApiError, openapi::NotFound},
};

/// Apple's form.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct AppleForm {
    /// What is traded for the person.
    code: Option<String>,
    /// The flow.
    state: Option<String>,
    /// The name, as JSON, at the first time only.
    user: Option<String>,
    /// Why there is no code.
    error: Option<String>,
}

/// Ends signing in with Apple: leads to the login page with a token, which only the browser that began can trade, or
/// with a text that says what is wrong.
#[utoipa::path(tag = "identity", request_body(content = AppleForm, content_type = "application/x-www-form-urlencoded"), responses((status = 303, description = "To `/login?type=apple&token=…` or `…&error=…`."), NotFound), security(()))]
#[post("/api/apple/oauth/callback")]
pub(super) async fn back_from_apple(
    app: Data<App>,
    Client(client): Client,
    Form(form): Form<AppleForm>,
) -> Result<HttpResponse, ApiError> {
    let flows = app.provider_flows();
    flows.provider(Provider::Apple)?;
    let callback = ProviderCallback { code: form.code, state: form.state, error: form.error, issuer: None };
    let query = match flows.end_by_apple(callback, form.user.as_deref(), &client).await {
        Ok(end) => query_of(end),
        Err(error) => vec![("error", ApiError::from(error).to_string())],
    };
    let query = Serializer::new(String::new()).append_pair("type", "apple").extend_pairs(query).finish();
    Ok(HttpResponse::SeeOther()
        .insert_header((header::LOCATION, format!("/login?{query}")))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .finish())
}

/// The query parameters for the login page.
fn query_of(end: AppleFlowEnd) -> Vec<(&'static str, String)> {
    match end {
        AppleFlowEnd::Connecting { state } => vec![("code", "held".to_owned()), ("state", state)],
        AppleFlowEnd::Ended(FlowEnd { token, redirect }) => {
            let token = token.map(|token| ("token", token));
            token.into_iter().chain(redirect.map(|redirect| ("redirect", redirect))).collect()
        }
    }
}
