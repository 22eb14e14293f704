//! The response to a sign-in, and to a member who is still signed in.

use crate::{
    app::App,
    extract::Subject,
    http::{
        error::{ApiError, Code},
        wire::Answer,
    },
    identity::{cookies, types},
};
use actix_web::{HttpMessage, HttpRequest, HttpResponse, Responder, body::BoxBody, cookie::Cookie};
use billing::{CheckoutError, ClaimToken};
use identity::IdentityError;
use kernel::{StoreError, UserId};
use workflows::{
    account::Account,
    billing::checkout::claim::claim_at_sign_in,
    identity::sign_in::{SignInOutcome, StartedSession},
    referral::referral_links::note_arrival,
};

/// Optional references sent with a sign-up or login.
#[derive(Debug, Default)]
pub(super) struct SignInExtras {
    /// The `chargeId` of a guest purchase to claim.
    pub(super) charge_id: Option<String>,
    /// The id of the referral link that the person followed. It counts only for a new account.
    pub(super) r_id: Option<String>,
}

/// The response body (`result.token`, `result.user`) and the cookies.
pub(super) struct SignedIn {
    body: types::SignedIn,
    cookies: Vec<Cookie<'static>>,
}

impl SignedIn {
    /// The response to a session that was just started or refreshed.
    pub(super) async fn started(app: &App, started: &StartedSession) -> Result<Self, ApiError> {
        let user = &started.account.user;
        let keys = app.keys().await?;
        let token = keys.ring.issue(user.id, started.session, user.role, &*app.env);
        let cookies = cookies::of_session(&app.config, started, &keys.refresh);
        Ok(Self { body: types::SignedIn { token, user: (&started.account).into() }, cookies })
    }

    /// [`SignedIn::started`]; also claims the purchase and records the referral.
    pub(super) async fn started_with(
        app: &App,
        mut started: StartedSession,
        brought: SignInExtras,
    ) -> Result<Self, ApiError> {
        let user = started.account.user.id;
        if let Some(link) = brought.r_id.filter(|link| !link.is_empty()) {
            app.write_tx::<_, StoreError, _>(move |tx| note_arrival(tx, user, &link)).await?;
        }
        if let Some(charge_id) = brought.charge_id.filter(|text| !text.is_empty()) {
            let (charge_id, now) = (ClaimToken::new(charge_id), app.env.now());
            app.write_tx::<_, CheckoutError, _>(move |tx| claim_at_sign_in(tx, user, &charge_id)).await?;
            app.responses.invalidate_reader(user);
            let claimed = app.db.read::<_, StoreError, _>(move |pg| workflows::account::account(pg, user, now)).await?;
            let role = started.account.user.role;
            started.account = claimed.ok_or_else(ApiError::unauthenticated)?;
            started.account.user.role = role;
        }
        Self::started(app, &started).await
    }

    /// [`SignedIn::of`]; also claims the purchase and records the referral.
    pub(super) async fn of_with(
        app: &App,
        outcome: SignInOutcome,
        brought: SignInExtras,
        refused: impl FnOnce() -> ApiError,
    ) -> Result<Self, ApiError> {
        match outcome {
            SignInOutcome::SignedIn(started) => Self::started_with(app, *started, brought).await,
            other => Self::of(app, other, refused).await,
        }
    }

    /// The response to the outcome of a sign-in. `refused` is the error for an invalid link, code, token or passkey.
    pub(super) async fn of(
        app: &App,
        outcome: SignInOutcome,
        refused: impl FnOnce() -> ApiError,
    ) -> Result<Self, ApiError> {
        match outcome {
            SignInOutcome::SignedIn(started) => Self::started(app, &started).await,
            SignInOutcome::SecondFactorRequired { ticket } => {
                let text = "Please enter the code from your authenticator app.";
                Err(ApiError::new(Code::SecondFactorRequired, text).with_ticket(ticket))
            }
            SignInOutcome::Refused => Err(refused()),
            SignInOutcome::Suspended => {
                let email = app.config.site.support_email.as_str();
                Err(ApiError::new(Code::Suspended, format!("This account is suspended. Please email us at {email}.")))
            }
            SignInOutcome::AccountGone => Err(IdentityError::InvalidCredentials.into()),
        }
    }

    /// The response to a device that keeps its current access token.
    pub(super) fn still(app: &App, token: String, account: &Account) -> Self {
        let cookies = vec![cookies::is_paid(&app.config, account)];
        Self { body: types::SignedIn { token, user: account.into() }, cookies }
    }
}

impl Responder for SignedIn {
    type Body = BoxBody;

    fn respond_to(self, request: &HttpRequest) -> HttpResponse {
        request.extensions_mut().insert(Subject(UserId::from_store(self.body.user.id)));
        let mut response = Answer::new(self.body).respond_to(request);
        for cookie in &self.cookies {
            if let Err(error) = response.add_cookie(cookie) {
                return HttpResponse::from_error(ApiError::internal(error));
            }
        }
        response
    }
}
