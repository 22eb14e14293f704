//! A member's account: user, plan and choices, as every response about a member contains them.

use billing::{BillingQueries, Entitlement};
use identity::{Claims, IdentityQueries};
use kernel::{CategoryId, StoreError, Timestamp, UserId};
use postgres::Pg;
use reading_progress::{ProgressError, ProgressQueries};

/// A member, their entitlements, and the categories that they chose.
#[derive(Clone, Debug)]
pub struct Account {
    pub user: identity::User,
    /// The entitlements that have not ended: current and future ones.
    pub entitlements: Vec<Entitlement>,
    /// The best current entitlement; `None` if the member has no plan now.
    pub plan: Option<Entitlement>,
    /// The categories that the member chose, ordered by id.
    pub recommends: Vec<CategoryId>,
}

/// Reads a member's account; `None` if the account was deleted.
pub fn account<A>(pg: &mut Pg<'_, A>, user: UserId, now: Timestamp) -> Result<Option<Account>, StoreError> {
    let Some(user) = pg.user(user)? else { return Ok(None) };
    let entitlements = pg.entitlements_of(user.id, now)?;
    match pg.recommends_of(user.id) {
        Ok(recommends) => Ok(Some(Account::new(user, entitlements, recommends, now))),
        Err(ProgressError::Store(error)) => Err(error),
        // Deleted between the reads.
        Err(_) => Ok(None),
    }
}

impl Account {
    /// Builds an account from its parts.
    pub fn new(
        user: identity::User,
        entitlements: Vec<Entitlement>,
        recommends: Vec<CategoryId>,
        now: Timestamp,
    ) -> Self {
        let plan = Entitlement::best(&entitlements, now).cloned();
        Self { user, entitlements, plan, recommends }
    }

    /// The account as the session of these claims may use it: with the token's role.
    #[must_use]
    pub fn seen_by(mut self, claims: &Claims) -> Self {
        self.user.role = claims.role;
        self
    }

    /// Whether the member has a plan now.
    pub const fn is_paid(&self) -> bool {
        self.plan.is_some()
    }
}
