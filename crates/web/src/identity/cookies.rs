//! The cookies of sign-ins and sessions.

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

/// The refresh token. Browsers send it only to `/api/user` (`identity.refresh-cookie`).
const REFRESH: Kind = Kind { name: REFRESH_COOKIE, path: "/api/user", for_scripts: false };
/// Identifies a device on which the member has signed in before. Stays after a logout.
const DEVICE: Kind = Kind { name: DEVICE_COOKIE, path: "/api/user", for_scripts: false };
/// Binds a sign-in with a provider to the browser that began it (`identity.provider-return`).
const FLOW: Kind = Kind { name: "flow", path: "/api", for_scripts: false };
/// A hint for scripts that the member has a plan, so that pages do not flicker. It grants nothing (`identity.paid-cookie`).
const IS_PAID: Kind = Kind { name: "isPaid", path: "/", for_scripts: true };

const SESSION: Duration = Duration::milliseconds(SESSION_LIFETIME);
/// The lifetime of a provider flow plus that of the token at its end.
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

/// The refresh token in the request's cookie.
pub(super) fn refresh_token(request: &HttpRequest) -> Option<RefreshToken> {
    RefreshToken::decode(request.cookie(REFRESH.name)?.value())
}

/// The secret of a provider flow in the request's cookie.
pub(super) fn flow(request: &HttpRequest) -> Option<String> {
    request.cookie(FLOW.name).map(|cookie| cookie.value().to_owned()).filter(|value| !value.is_empty())
}

/// Generates the secret of a provider flow.
pub(super) fn new_flow(env: &dyn Env) -> String {
    RefreshToken::generate(env).encode()
}

/// The cookie for a browser that begins a sign-in with a provider.
pub(super) fn of_flow(config: &Config, value: String) -> Cookie<'static> {
    FLOW.with(config, value, FLOW_TIME)
}

/// The cookies for a session that was just started or refreshed.
pub(super) fn of_session(config: &Config, started: &StartedSession, key: &RefreshKey) -> Vec<Cookie<'static>> {
    vec![
        REFRESH.with(config, started.secret.encode(), SESSION),
        DEVICE.with(config, key.device_mark(&started.account.user), YEAR),
        is_paid(config, &started.account),
    ]
}

/// Sets or removes the hint for scripts that the member has a plan.
pub(super) fn is_paid(config: &Config, account: &Account) -> Cookie<'static> {
    if account.is_paid() { IS_PAID.with(config, "true".to_owned(), SESSION) } else { IS_PAID.gone(config) }
}

/// Removes the cookies of a session that has ended. The device stays known.
pub(super) fn of_nobody(config: &Config) -> [Cookie<'static>; 2] {
    [REFRESH.gone(config), IS_PAID.gone(config)]
}

/// Removes all cookies after the account was deleted, the device's too.
pub(super) fn of_leaver(config: &Config) -> [Cookie<'static>; 3] {
    [REFRESH.gone(config), IS_PAID.gone(config), DEVICE.gone(config)]
}

/// Adds cookies to a response.
pub(super) fn set(
    response: &mut HttpResponse,
    cookies: impl IntoIterator<Item = Cookie<'static>>,
) -> Result<(), ApiError> {
    cookies.into_iter().try_for_each(|cookie| response.add_cookie(&cookie)).map_err(ApiError::internal)
}
