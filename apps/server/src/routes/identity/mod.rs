//! Signing up, in and out.

mod cookies;
mod error;
mod hashing;
mod login;
mod logout;
mod refresh_token;
mod register;
mod session;
mod signed_in;

use utoipa_actix_web::service_config::ServiceConfig;

/// The calls of this folder.
pub fn configure(config: &mut ServiceConfig) {
    config
        .service(register::register)
        .service(login::login)
        .service(logout::logout)
        .service(refresh_token::refresh_token)
        .service(session::session);
}
