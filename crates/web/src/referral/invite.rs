//! `POST /api/contact/invite`.

use actix_web::{post, web::Data};
use referral::{Invitation, InvitationForm, ReferralError};
use serde::Deserialize;
use utoipa::ToSchema;
use workflows::referral::invite_friend::invite_friend;

use crate::{
    app::App,
    extract::{Body, Member},
    http::{
        error::ApiError,
        openapi::TooManyTries,
        wire::{Answer, Nothing},
    },
};

/// Whom a member invites (`referral.invitation-fields`).
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Invite {
    /// The member's name, as the friend is to read it.
    #[schema(value_type = String, required, min_length = 1, max_length = 100)]
    your_name: Option<String>,
    /// The friend's name.
    #[schema(value_type = String, required, min_length = 1, max_length = 100)]
    friend_name: Option<String>,
    /// The friend's address.
    #[schema(value_type = String, required, max_length = 254)]
    friend_email: Option<String>,
}

impl TryFrom<Invite> for Invitation {
    type Error = ReferralError;

    fn try_from(form: Invite) -> Result<Self, ReferralError> {
        Self::read(InvitationForm {
            your_name: form.your_name.as_deref().unwrap_or_default(),
            friend_name: form.friend_name.as_deref().unwrap_or_default(),
            friend_email: form.friend_email.as_deref().unwrap_or_default(),
        })
    }
}

/// Invites a friend by mail, once for each address; the first invitation brings one more free summary. For members whose
/// address is confirmed, 20 a day.
#[utoipa::path(tag = "referral", request_body = Invite, responses((status = 200, description = "The friend is invited, now or before.", body = Answer<Nothing>), TooManyTries), security(("token" = [])))]
#[post("/api/contact/invite")]
pub(super) async fn invite(
    app: Data<App>,
    Member(claims): Member,
    Body(form): Body<Invite>,
) -> Result<Answer<Nothing>, ApiError> {
    let invitation = Invitation::try_from(form)?;
    app.write_tx(move |tx| invite_friend(tx, claims.user, &invitation)).await?;
    Ok(Answer::new(Nothing {}))
}
