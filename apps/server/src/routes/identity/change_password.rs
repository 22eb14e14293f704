//! `PUT /api/user/password`.

use actix_web::{put, web::Data};
use identity::{Factors, IdentityError, Recovery};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{current_password, hashing, new_password};
use crate::{
    app::App,
    error::ApiError,
    extract::{Body, Doorway, Member},
    flows::recovery,
    wire::{Answer, Failures, Nothing},
};

/// The password that is, and the one that is to be.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ChangePassword {
    /// The current password; not needed by somebody who never had one, who has to have logged in a moment ago.
    current_password: Option<String>,
    /// 8 to 256 characters, and none of the most common passwords.
    #[schema(value_type = String, required, min_length = 8, max_length = 256)]
    password1: Option<String>,
    /// The same again.
    #[schema(value_type = String, required, min_length = 8, max_length = 256)]
    password2: Option<String>,
}

/// Sets a new password. All other sessions end.
#[utoipa::path(tag = "identity", request_body = ChangePassword, responses((status = 200, description = "The password is set.", body = Answer<Nothing>), Failures), security(("token" = [])))]
#[put("/api/user/password")]
pub(super) async fn change_password(
    app: Data<App>,
    Member(claims): Member,
    doorway: Doorway,
    Body(form): Body<ChangePassword>,
) -> Result<Answer<Nothing>, ApiError> {
    let password = new_password::read(form.password1.as_deref(), form.password2.as_deref())?;
    let account = current_password::check(&app, claims.user, form.current_password).await?;
    let (hash, within) = (hashing::hash(&app, password).await?, app.clone());
    app.db
        .write::<_, IdentityError, _>(move |pg| {
            let (verified, now) = (account.password_hash.as_ref(), within.env.now());
            let user = pg.allow_change_of_ways_in(claims.user, claims.session, verified, now)?;
            pg.change_password(user.id, claims.session, &hash, now)?;
            Ok(recovery::tell_of_new_password(pg, &within, &user, &doorway)?)
        })
        .await?;
    Ok(Answer::new(Nothing {}))
}
