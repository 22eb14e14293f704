//! Through which door somebody comes in: what the member will recognise the device by.

use std::{
    future::{Ready, ready},
    net::IpAddr,
};

use actix_web::{FromRequest, HttpRequest, dev::Payload, http::header};

use super::{ClientAddress, device_of, place_of};

/// The cookie that shows at a sign-in that the person has signed in on this device before.
pub const DEVICE_COOKIE: &str = "device";

/// The device on which somebody signs in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doorway {
    /// Such as `Firefox on Windows`.
    pub device: String,
    /// Where it is, as coarsely as the network's address tells.
    pub place: String,
    /// The network's address itself, for limits; never stored.
    pub address: IpAddr,
    /// What the device shows of earlier sign-ins.
    pub mark: Option<String>,
}

impl FromRequest for Doorway {
    type Error = actix_web::Error;
    type Future = Ready<Result<Self, Self::Error>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let agent = request.headers().get(header::USER_AGENT).and_then(|value| value.to_str().ok());
        let mark = request.cookie(DEVICE_COOKIE).map(|cookie| cookie.value().to_owned());
        ready(ClientAddress::from_request(request, payload).into_inner().map(|ClientAddress(address)| Self {
            device: device_of(agent.unwrap_or_default()),
            place: place_of(address),
            address,
            mark,
        }))
    }
}
