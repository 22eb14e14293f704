//! Who a member is, with their plan and choices: what every answer about a person says.

use identity::{Claims, Identity};
use kernel::{StoreError, Timestamp, UserId};
use postgres::Pg;
use reading_progress::{ProgressError, ReadingProgress, Standing};

use crate::wire::user::User;

/// A person and their standing.
#[derive(Clone, Debug)]
pub struct Account {
    /// The person.
    pub user: identity::User,
    /// Plan and choices.
    pub standing: Standing,
}

/// Reads a member's account; `None` when the member is gone.
pub fn account(pg: &mut Pg<'_>, user: UserId, now: Timestamp) -> Result<Option<Account>, StoreError> {
    let Some(user) = pg.user(user)? else { return Ok(None) };
    match pg.standing_of(user.id, now) {
        Ok(standing) => Ok(Some(Account { user, standing })),
        Err(ProgressError::Store(error)) => Err(error),
        // Gone between the two reads.
        Err(_) => Ok(None),
    }
}

impl Account {
    /// As the session of a token may use it: with the role that the token bears.
    #[must_use]
    pub fn seen_by(mut self, claims: &Claims) -> Self {
        self.user.role = claims.role;
        self
    }

    /// Whether a plan runs.
    pub const fn is_paid(&self) -> bool {
        self.standing.entitlement.is_some()
    }
}

impl From<&Account> for User {
    fn from(account: &Account) -> Self {
        let (user, plan) = (&account.user, account.standing.entitlement.as_ref());
        Self {
            id: user.id.get(),
            email: user.email.as_str().to_owned(),
            first_name: user.first_name.clone(),
            last_name: user.last_name.clone(),
            timezone: user.timezone.clone(),
            role: user.role.into(),
            plan_id: plan.map(|plan| plan.plan_id.clone()),
            plan_name: plan.map(|plan| plan.plan_name.clone()),
            paid_date: plan.map(|plan| plan.starts_at.millis()),
            end_paid_date: plan.and_then(|plan| plan.ends_at).map(Timestamp::millis),
            recommends: account.standing.recommends.iter().map(|category| category.get()).collect(),
            friend_email: user.friend_email.as_ref().map(|email| email.as_str().to_owned()),
            is_paid: account.is_paid(),
            email_confirmed: user.email_confirmed_at.is_some(),
            has_password: user.has_password,
        }
    }
}
