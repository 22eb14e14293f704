//! Through which door somebody comes in: what the member will recognise the device by.

use std::{
    future::{Ready, ready},
    net::IpAddr,
};

use actix_web::{FromRequest, HttpRequest, dev::Payload, http::header};
use woothee::parser::Parser;

use super::ClientAddress;

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

/// A browser and a system, in the words that people use for them.
fn device_of(agent: &str) -> String {
    const UNKNOWN: &str = "UNKNOWN";
    let found = Parser::new().parse(agent);
    let (browser, system) = found.map_or((UNKNOWN, UNKNOWN), |found| (found.name, found.os));
    match (browser, system) {
        (UNKNOWN, UNKNOWN) => "An unknown device".to_owned(),
        (browser, UNKNOWN) => browser.to_owned(),
        (UNKNOWN, system) => format!("A device with {system}"),
        (browser, system) => format!("{browser} on {system}"),
    }
}

/// The network of an address with its end cut off.
fn place_of(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(v4) if v4.is_loopback() || v4.is_private() => "This network".to_owned(),
        IpAddr::V6(v6) if v6.is_loopback() => "This network".to_owned(),
        IpAddr::V4(v4) => {
            let [a, b, c, _] = v4.octets();
            format!("{a}.{b}.{c}.x")
        }
        IpAddr::V6(v6) => {
            let [a, b, c, ..] = v6.segments();
            format!("{a:x}:{b:x}:{c:x}:x")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{device_of, place_of};

    #[test]
    fn devices_have_names_that_people_know() {
        let firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0";
        assert_eq!(device_of(firefox), "Firefox on Linux");
        assert_eq!(device_of(""), "An unknown device");
    }

    #[test]
    fn a_place_names_no_single_line() {
        let place = |text: &str| place_of(text.parse().unwrap());
        assert_eq!(place("127.0.0.1"), "This network");
        assert_eq!(place("203.0.113.77"), "203.0.113.x");
        assert_eq!(place("::ffff:203.0.113.77"), "203.0.113.x");
        assert_eq!(place("2001:db8:1:2:3:4:5:6"), "2001:db8:1:x");
    }
}
