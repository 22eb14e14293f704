//! The client of a request: device, location and IP address.

use std::future::{Ready, ready};
use workflows::client::ClientContext;

use actix_web::{FromRequest, HttpRequest, dev::Payload, http::header};

use client_info::{device_of, place_of};
use identity::RefreshToken;

use crate::extract::ClientAddress;

/// The cookie that identifies a device on which the member has signed in before.
pub const DEVICE_COOKIE: &str = "device";

/// The cookie with the refresh token. Browsers send it only to `/api/user` (`identity.refresh-cookie`).
pub const REFRESH_COOKIE: &str = "refresh";

/// The client that makes the request.
#[derive(Clone, Debug)]
pub struct Client(pub ClientContext);

impl FromRequest for Client {
    type Error = actix_web::Error;
    type Future = Ready<Result<Self, Self::Error>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let agent = request.headers().get(header::USER_AGENT).and_then(|value| value.to_str().ok());
        let held = request.cookie(REFRESH_COOKIE).and_then(|cookie| RefreshToken::decode(cookie.value()));
        let mark = request.cookie(DEVICE_COOKIE).map(|cookie| cookie.value().to_owned());
        ready(ClientAddress::from_request(request, payload).into_inner().map(|ClientAddress(address)| {
            Self(ClientContext {
                device: device_of(agent.unwrap_or_default()),
                place: place_of(address),
                address,
                mark,
                held,
            })
        }))
    }
}
