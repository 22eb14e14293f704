//! `POST /api/apple/oauth/callback`: back from Apple, which posts a form from its own page (`decisions.md` 16). No
//! cookie comes along with it, so that the browser is checked by the next step.

use actix_web::{HttpResponse, http::header, post, web::Data};
use identity::Provider;
use openid::AppleUser;
use serde::Deserialize;
use url::form_urlencoded::Serializer;
use utoipa::ToSchema;
use workflows::{
    client::ClientContext,
    provider_sign_in::{Origin, ProviderFlow, ProviderSignInError, Step, arrive, store_flow},
};

use super::{count_try, denied, over, provider_client, take_flow, way_back};
use crate::{
    app::App,
    error::ApiError,
    extract::{Client, Form},
    openapi::NotFound,
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
    provider_client(&app, Provider::Apple)?;
    let query = match end(&app, &client, form).await {
        Ok(query) => query,
        Err(error) => vec![("error", error.to_string())],
    };
    let query = Serializer::new(String::new()).append_pair("type", "apple").extend_pairs(query).finish();
    Ok(HttpResponse::SeeOther()
        .insert_header((header::LOCATION, format!("/login?{query}")))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .finish())
}

/// What the login page is told.
async fn end(app: &App, client: &ClientContext, form: AppleForm) -> Result<Vec<(&'static str, String)>, ApiError> {
    count_try(app, client).await?;
    let flow = take_flow(app, Provider::Apple, form.state).await?;
    if form.error.is_some() {
        return Err(denied());
    }
    let (code, Step::Asked(secrets)) = (form.code.ok_or_else(over)?, &flow.step) else { return Err(over()) };
    let first = form.user.as_deref().and_then(AppleUser::read);
    let back = way_back(app, Provider::Apple)?;
    let profile = provider_client(app, Provider::Apple)?.fetch_profile(code, secrets, &back, first).await?;
    let address = client.address;
    let query = app
        .write_tx::<_, ProviderSignInError, _>(move |tx| {
            if flow.origin == Origin::Account {
                // Whether it is the member's own browser that came back is seen when it brings its cookie and token.
                let flow = ProviderFlow { step: Step::Proven(profile.into()), ..flow };
                let state = store_flow(tx, &flow)?;
                return Ok(vec![("code", "held".to_owned()), ("state", state)]);
            }
            let secret = arrive(tx, &flow, &profile, address)?;
            let redirect = flow.redirect.clone().map(|redirect| ("redirect", redirect));
            Ok([("token", secret.token)].into_iter().chain(redirect).collect())
        })
        .await?;
    Ok(query)
}
