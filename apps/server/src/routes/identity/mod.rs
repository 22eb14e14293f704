//! Signing up, in and out.

mod cookies;
mod end_other_sessions;
mod end_session;
mod error;
mod factors;
mod hashing;
mod login;
mod logout;
mod providers;
mod refresh_token;
mod register;
mod session;
mod sessions;
mod signed_in;
mod typed_password;

use utoipa_actix_web::service_config::ServiceConfig;

/// The calls of this folder.
pub fn configure(config: &mut ServiceConfig) {
    config
        .service(register::register)
        .service(login::login)
        .service(logout::logout)
        .service(refresh_token::refresh_token)
        .service(session::session)
        .service(sessions::sessions)
        .service(end_session::end_session)
        .service(end_other_sessions::end_other_sessions)
        .configure(providers::configure)
        .configure(factors::configure);
}
