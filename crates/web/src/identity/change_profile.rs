//! `PUT /api/user/account`.

use actix_web::{put, web::Data};
use identity::{Identity, IdentityError, Profile, ProfileForm};
use serde::Deserialize;
use utoipa::ToSchema;
use workflows::{challenge::daily_mail, study};

use crate::{
    app::App,
    extract::{Body, Member},
    http::{error::ApiError, wire::Answer},
    identity::types::UserResult,
};

/// What members say of themselves.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ChangeProfile {
    /// The first name.
    #[schema(value_type = String, required, min_length = 1, max_length = 100)]
    first_name: Option<String>,
    /// The last name.
    #[schema(value_type = String, required, min_length = 1, max_length = 100)]
    last_name: Option<String>,
    /// An IANA time zone; without it the one that is set stays.
    timezone: Option<String>,
}

impl TryFrom<ChangeProfile> for Profile {
    type Error = IdentityError;

    fn try_from(form: ChangeProfile) -> Result<Self, IdentityError> {
        Self::read(ProfileForm {
            first_name: form.first_name.as_deref().unwrap_or_default(),
            last_name: form.last_name.as_deref().unwrap_or_default(),
            timezone: form.timezone.as_deref(),
        })
    }
}

/// Changes name and time zone.
#[utoipa::path(tag = "identity", request_body = ChangeProfile, responses((status = 200, description = "The member as they are now.", body = Answer<UserResult>)), security(("token" = [])))]
#[put("/api/user/account")]
pub(super) async fn change_profile(
    app: Data<App>,
    Member(claims): Member,
    Body(form): Body<ChangeProfile>,
) -> Result<Answer<UserResult>, ApiError> {
    let (profile, now) = (Profile::try_from(form)?, app.env.now());
    let account = app
        .write_tx::<_, ApiError, _>(move |tx| {
            tx.pg.change_profile(claims.user, &profile)?;
            daily_mail::follow_time_zone(tx, claims.user)?;
            study::settings::follow_time_zone(tx, claims.user)?;
            workflows::account::account(tx.pg, claims.user, now)?.ok_or_else(ApiError::unauthenticated)
        })
        .await?;
    Ok(Answer::new(UserResult { user: (&account).into() }))
}
