//! `POST /api/user/login`.

use actix_web::{post, web::Data};
use identity::{Field, IdentityError};
use kernel::Email;
use serde::Deserialize;
use utoipa::ToSchema;

use super::{
    hashing::{self, Checked},
    signed_in::SignedIn,
};
use crate::{
    app::App,
    error::ApiError,
    extract::{Body, Client},
    flows::sign_in::{VerifiedPassword, account_for_login, sign_in_by_password},
    openapi::TooManyTries,
    wire::{Answer, user},
};

/// The login form.
#[derive(Deserialize, ToSchema)]
pub(super) struct Login {
    /// The e-mail address.
    username: Option<String>,
    /// The same by another name; `username` counts when both are there.
    email: Option<String>,
    /// The password.
    #[schema(value_type = String, required)]
    password: Option<String>,
}

impl Login {
    /// The address, if it is one, and the password.
    fn read(self) -> Result<(Option<Email>, String), IdentityError> {
        let filled = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
        let address =
            filled(self.username).or(filled(self.email)).ok_or(IdentityError::LoginIncomplete(Field::Email))?;
        let password = self
            .password
            .filter(|password| !password.is_empty())
            .ok_or(IdentityError::LoginIncomplete(Field::Password))?;
        Ok((Email::parse(&address).ok(), password))
    }
}

/// Signs in. Whether the address is known can't be told from the answer, nor from the time that it takes.
#[utoipa::path(tag = "identity", request_body = Login, responses((status = 200, description = "Signed in. Sets the refresh cookie. `403` with `second_factor_required` and a `ticket` where an authenticator app was set up.", body = Answer<user::SignedIn>), TooManyTries), security(()))]
#[post("/api/user/login")]
pub(super) async fn login(
    app: Data<App>,
    Client(client): Client,
    Body(form): Body<Login>,
) -> Result<SignedIn, ApiError> {
    let (email, password) = form.read()?;
    let (keys, device) = (app.keys().await?, client.clone());
    let account = app.write_tx(move |tx| account_for_login(tx, &keys.refresh, &device, email.as_ref())).await?;
    let (user, hash) = account.map_or((None, None), |account| (Some(account.user.id), account.password_hash));
    let (Checked::Right(rehashed), Some(user)) = (hashing::check(&app, password, hash.clone()).await?, user) else {
        return Err(IdentityError::InvalidCredentials.into());
    };
    let (keys, verified) = (app.keys().await?, VerifiedPassword { user, hash, rehashed });
    let outcome = app.write_tx(move |tx| sign_in_by_password(tx, &keys.refresh, &client, &verified)).await?;
    SignedIn::of(&app, outcome, || IdentityError::InvalidCredentials.into()).await
}
