//! Who a member is, with their plan and choices: what every answer about a person says.

use billing::{BillingQueries, Entitlement};
use identity::{Claims, IdentityQueries};
use kernel::{CategoryId, StoreError, Timestamp, UserId};
use postgres::Pg;
use reading_progress::{ProgressError, ProgressQueries};

/// A person, what billing has given them, and what they have chosen.
#[derive(Clone, Debug)]
pub struct Account {
    /// The person.
    pub user: identity::User,
    /// The entitlements that are not over: those that run and those to come.
    pub entitlements: Vec<Entitlement>,
    /// The best entitlement that runs; `None`: not paid.
    pub plan: Option<Entitlement>,
    /// The chosen categories, by id.
    pub recommends: Vec<CategoryId>,
}

/// Reads a member's account; `None` when the member is gone.
pub fn account<A>(pg: &mut Pg<'_, A>, user: UserId, now: Timestamp) -> Result<Option<Account>, StoreError> {
    let Some(user) = pg.user(user)? else { return Ok(None) };
    let entitlements = pg.entitlements_of(user.id, now)?;
    match pg.recommends_of(user.id) {
        Ok(recommends) => Ok(Some(Account::new(user, entitlements, recommends, now))),
        Err(ProgressError::Store(error)) => Err(error),
        // Gone between the reads.
        Err(_) => Ok(None),
    }
}

impl Account {
    /// An account out of its parts.
    pub fn new(
        user: identity::User,
        entitlements: Vec<Entitlement>,
        recommends: Vec<CategoryId>,
        now: Timestamp,
    ) -> Self {
        let plan = Entitlement::best(&entitlements, now).cloned();
        Self { user, entitlements, plan, recommends }
    }

    /// As the session of a token may use it: with the role that the token bears.
    #[must_use]
    pub fn seen_by(mut self, claims: &Claims) -> Self {
        self.user.role = claims.role;
        self
    }

    /// Whether a plan runs.
    pub const fn is_paid(&self) -> bool {
        self.plan.is_some()
    }
}
