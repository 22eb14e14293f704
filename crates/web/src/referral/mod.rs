//! Referrals over HTTP: invitations and referral links.

mod errors;
mod invite;
mod links;

use crate::http::openapi::Routes;

/// Registers the API routes of this module.
pub fn configure(config: &mut impl Routes) {
    config.service(invite::invite).service(links::refers).service(links::click);
    config.service(links::affiliate).service(links::join);
}
