//! The client's IP address.

use std::{
    future::{Ready, ready},
    net::{IpAddr, Ipv4Addr},
};

use actix_web::{FromRequest, HttpRequest, dev::Payload, web::Data};
use client_info::client_address;

use crate::app::App;

/// The client's IP address: the peer's or, when the peer is a trusted proxy (`TRUSTED_PROXIES`), the one in its forwarding
/// header. Forwarding headers of other peers are ignored (`site.trusted-proxies`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientAddress(pub IpAddr);

impl FromRequest for ClientAddress {
    type Error = actix_web::Error;
    type Future = Ready<Result<Self, Self::Error>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let peer = request.peer_addr().map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.ip().to_canonical());
        let trusted = request.app_data::<Data<App>>().map_or(&[][..], |app| &app.config.trusted_proxies);
        let lines = request.headers().get_all("x-forwarded-for");
        let lines: Vec<&str> = lines.map(|line| line.to_str().unwrap_or_default()).collect();
        ready(Ok(Self(client_address(peer, &lines, trusted))))
    }
}
