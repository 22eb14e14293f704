//! Signing up, in and out.

mod archive;
mod change_email;
mod change_password;
mod change_profile;
mod confirm_email;
mod cookies;
mod current_password;
mod delete;
mod end_other_sessions;
mod end_session;
mod factors;
mod forgot_password;
mod hashing;
mod login;
mod login_code;
mod login_link;
mod login_link_session;
mod logout;
mod new_password;
mod providers;
mod refresh_token;
mod register;
mod reset_password;
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
        .configure(factors::configure)
        .service(forgot_password::forgot_password)
        .service(reset_password::reset_password)
        .service(login_link::login_link)
        .service(login_link_session::login_link_session)
        .service(login_code::login_code)
        .service(confirm_email::confirm_email)
        .service(confirm_email::send)
        .service(change_profile::change_profile)
        .service(change_password::change_password)
        .service(change_email::change_email)
        .service(change_email::keep_email)
        .service(delete::delete)
        .service(archive::archive_now)
        .service(archive::mail_archive)
        .service(archive::download_archive);
}
