//! The public forms: contact, suggestions and feedback.

mod contact;
mod feedback;
mod honeypot;

use utoipa_actix_web::service_config::ServiceConfig;

/// The calls of this folder.
pub fn configure(config: &mut ServiceConfig) {
    config.service(contact::contact).service(feedback::send_feedback);
}
