//! The cookies of a browser that is or was signed in.

use actix_web::{
    HttpRequest, HttpResponse,
    cookie::{Cookie, SameSite, time::Duration},
};
use config::Config;
use identity::{Purpose, RefreshKey, RefreshToken, SESSION_LIFETIME};
use kernel::Env;
use workflows::{account::Account, identity::sign_in::StartedSession};

use crate::{
    extract::{DEVICE_COOKIE, REFRESH_COOKIE},
    http::error::ApiError,
};

/// Bears the refresh token, to nothing but the calls about users (`identity.refresh-cookie`).
const REFRESH: Kind = Kind { name: REFRESH_COOKIE, path: "/api/user", for_scripts: false };
/// Shows at a login that a person has signed in on this device before. Stays after a logout.
const DEVICE: Kind = Kind { name: DEVICE_COOKIE, path: "/api/user", for_scripts: false };
/// Shows that it is the same browser that began to sign in with a provider (`identity.provider-return`).
const FLOW: Kind = Kind { name: "flow", path: "/api", for_scripts: false };
/// Tells scripts that a plan runs, so that pages do not flicker. No decision reads it (`identity.paid-cookie`).
const IS_PAID: Kind = Kind { name: "isPaid", path: "/", for_scripts: true };

const SESSION: Duration = Duration::milliseconds(SESSION_LIFETIME);
/// As long as a flow, and the token at its end, may take.
const FLOW_TIME: Duration = Duration::milliseconds(Purpose::ProviderFlow.lifetime() + Purpose::Arrival.lifetime());
const YEAR: Duration = Duration::days(365);

struct Kind {
    name: &'static str,
    path: &'static str,
    for_scripts: bool,
}

impl Kind {
    fn with(&self, config: &Config, value: String, lifetime: Duration) -> Cookie<'static> {
        Cookie::build(self.name, value)
            .path(self.path)
            .max_age(lifetime)
            .same_site(SameSite::Lax)
            .http_only(!self.for_scripts)
            .secure(config.is_https())
            .finish()
    }

    fn gone(&self, config: &Config) -> Cookie<'static> {
        self.with(config, String::new(), Duration::ZERO)
    }
}

/// The refresh token that the browser sent.
pub(super) fn refresh_token(request: &HttpRequest) -> Option<RefreshToken> {
    RefreshToken::decode(request.cookie(REFRESH.name)?.value())
}

/// What the browser has kept of a sign-in with a provider.
pub(super) fn flow(request: &HttpRequest) -> Option<String> {
    request.cookie(FLOW.name).map(|cookie| cookie.value().to_owned()).filter(|value| !value.is_empty())
}

/// What only this browser will have, as long as a flow takes.
pub(super) fn new_flow(env: &dyn Env) -> String {
    RefreshToken::generate(env).encode()
}

/// For a browser that begins to sign in with a provider.
pub(super) fn of_flow(config: &Config, value: String) -> Cookie<'static> {
    FLOW.with(config, value, FLOW_TIME)
}

/// For a device that has just begun or renewed its session.
pub(super) fn of_session(config: &Config, started: &StartedSession, key: &RefreshKey) -> Vec<Cookie<'static>> {
    vec![
        REFRESH.with(config, started.secret.encode(), SESSION),
        DEVICE.with(config, key.device_mark(&started.account.user), YEAR),
        is_paid(config, &started.account),
    ]
}

/// The hint for scripts, or its end.
pub(super) fn is_paid(config: &Config, account: &Account) -> Cookie<'static> {
    if account.is_paid() { IS_PAID.with(config, "true".to_owned(), SESSION) } else { IS_PAID.gone(config) }
}

/// For a device on which nobody is signed in any more.
pub(super) fn of_nobody(config: &Config) -> [Cookie<'static>; 2] {
    [REFRESH.gone(config), IS_PAID.gone(config)]
}

/// For a device of a person who is nobody's member any more: nothing tells that they were here.
pub(super) fn of_leaver(config: &Config) -> [Cookie<'static>; 3] {
    [REFRESH.gone(config), IS_PAID.gone(config), DEVICE.gone(config)]
}

/// Puts cookies into an answer.
pub(super) fn set(
    response: &mut HttpResponse,
    cookies: impl IntoIterator<Item = Cookie<'static>>,
) -> Result<(), ApiError> {
    cookies.into_iter().try_for_each(|cookie| response.add_cookie(&cookie)).map_err(ApiError::internal)
}
