//! The back office.

mod mails;
mod messages;
mod overview;
mod retry_mail;
mod set_message;
pub(crate) mod types;

use utoipa_actix_web::service_config::ServiceConfig;

/// The calls of this folder.
pub fn configure(config: &mut ServiceConfig) {
    config
        .service(overview::overview)
        .service(messages::messages)
        .service(set_message::set_message)
        .service(mails::mails)
        .service(retry_mail::retry_mail);
}
