//! Referrals over HTTP: invitations and referral links.

mod errors;
mod invite;
mod links;

use utoipa_actix_web::service_config::ServiceConfig;

/// Registers the API routes of this module.
pub fn configure(config: &mut ServiceConfig) {
    config.service(invite::invite).service(links::refers).service(links::click);
    config.service(links::affiliate).service(links::join);
}
