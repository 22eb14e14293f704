//! Who a member is, with their plan and choices: what every answer about a person says.

use identity::{Claims, Identity};
use kernel::{StoreError, Timestamp, UserId};
use postgres::Pg;
use reading_progress::{ProgressError, ReadingProgress, Standing};

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
