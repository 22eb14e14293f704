//! Accounts: registration, login, sessions, recovery, and what members change about themselves.

mod account_import;
mod api_tokens;
mod archive;
mod change_profile;
mod cookies;
mod delete;
mod email;
mod errors;
mod factors;
mod login;
mod passwords;
mod providers;
mod register;
mod sessions;
mod setup;
mod signed_in;
mod subscription_code;
pub mod types;

use kernel::Email;

use crate::http::{error::ApiError, openapi::Routes};

/// Registers the API routes of this module.
pub fn configure(config: &mut impl Routes) {
    config
        .service(register::register)
        .service(subscription_code::register_with_code)
        .service(login::login)
        .service(login::logout)
        .service(sessions::refresh_token)
        .service(sessions::session)
        .service(sessions::sessions)
        .service(sessions::end_session)
        .service(sessions::end_other_sessions);
    setup::configure(config);
    providers::configure(config);
    factors::configure(config);
    config
        .service(passwords::forgot_password)
        .service(passwords::reset_password)
        .service(login::login_link)
        .service(login::login_link_session)
        .service(login::login_code)
        .service(email::confirm_email)
        .service(email::send)
        .service(change_profile::change_profile)
        .service(passwords::change_password)
        .service(email::change_email)
        .service(email::keep_email)
        .service(delete::delete)
        .service(archive::archive_now)
        .service(archive::mail_archive)
        .service(archive::download_archive)
        .service(account_import::import_archive)
        .service(account_import::last_import)
        .service(account_import::import_kept)
        .service(account_import::remove_kept)
        .service(api_tokens::api_tokens)
        .service(api_tokens::add_api_token)
        .service(api_tokens::delete_api_token);
}

/// Parses the e-mail address of a form; an error names the field `email`.
fn read_email(text: Option<&str>) -> Result<Email, ApiError> {
    Email::parse(text.unwrap_or_default()).map_err(|error| ApiError::invalid("email", error.to_string()))
}
