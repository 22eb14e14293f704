//! Checkouts: one per idempotency key, from submission to the provider's outcome (`billing.idempotency-key`).

use kernel::{DAY, Env, MINUTE, Money, PayerId, SECOND, StoreError, Timestamp, random_text};

use crate::{
    CouponCode, PurchaseKey, RenewalTerms,
    gateway::{CheckoutReference, GatewayProvider},
    ledger::named,
};

/// The age in milliseconds from which a checkout is only reconciled with the provider and never resubmitted.
pub const RECONCILE_AFTER: i64 = DAY;
/// The age in milliseconds below which sweeps leave a checkout to the request that created it.
pub const SWEEP_AFTER: i64 = 20 * SECOND;
/// The age in milliseconds from which a checkout is swept less often, and is closed if no provider knows it.
pub const SWEEP_OLD: i64 = 10 * MINUTE;
/// The maximum length of an idempotency key, in characters.
const KEY_MAX_CHARS: usize = 200;
/// The length of a generated key, claim token or reference, in characters: 130 random bits.
const RANDOM_CHARS: usize = 26;

/// The idempotency key of a checkout, chosen by the client.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CheckoutKey(String);

impl CheckoutKey {
    /// Parses the header: 1 to 200 visible ASCII characters.
    pub fn parse(text: &str) -> Result<Self, CheckoutError> {
        let fits = (1..=KEY_MAX_CHARS).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
        if fits { Ok(Self(text.to_owned())) } else { Err(CheckoutError::InvalidKey) }
    }

    /// Generates a key for a request without the header.
    pub fn generate(env: &dyn Env) -> Self {
        Self(random_text(env, RANDOM_CHARS))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The claim token of a guest purchase (`chargeId` on the wire). It is a bearer token: having it is enough to claim the purchase.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ClaimToken(String);

impl ClaimToken {
    pub fn generate(env: &dyn Env) -> Self {
        Self(random_text(env, RANDOM_CHARS))
    }

    /// Wraps a token from a request or from the store, unchecked.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for ClaimToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ClaimToken(…)")
    }
}

named! {
    /// The states of a checkout.
    CheckoutState, UnknownCheckoutState, "state of a checkout":
    /// It is recorded; nothing has been sent to the provider.
    Started = "started",
    /// The request was sent to the provider, which may have acted.
    Submitted = "submitted",
    /// The payer must authenticate or approve.
    NeedsAction = "needs_action",
    /// It succeeded: money was taken, a trial began, or it cost nothing.
    Paid = "paid",
    Declined = "declined",
    /// The price differs from the one shown because the card has already had a trial. Nothing was taken.
    PriceChanged = "price_changed",
    /// A sweep found that nothing was taken, and closed it.
    Reconciled = "reconciled",
}

impl CheckoutState {
    /// Whether the outcome is still open.
    pub const fn is_pending(self) -> bool {
        matches!(self, Self::Started | Self::Submitted | Self::NeedsAction)
    }

    /// Whether it failed: coupon and trial are released, and there is nothing to claim.
    pub const fn came_to_nothing(self) -> bool {
        matches!(self, Self::Declined | Self::PriceChanged | Self::Reconciled)
    }

    /// Whether the transition is allowed. `Paid` is final; a closed checkout can still become `Paid` when the provider
    /// reports it.
    pub const fn may_become(self, next: Self) -> bool {
        match (self, next) {
            (Self::Paid, _) | (_, Self::Started) => false,
            (_, Self::Paid) => true,
            (from, _) => from.is_pending(),
        }
    }
}

/// What a checkout buys, with the prices shown to the payer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckoutOrder {
    pub payer: PayerId,
    pub provider: GatewayProvider,
    pub plan_id: String,
    /// The plan's display name.
    pub plan_name: String,
    pub quantity: u32,
    /// The number of infographics in the add-on; 0 without one.
    pub infographics: u32,
    pub coupon: Option<CouponCode>,
    /// The amount of the first charge.
    pub first_charge: Money,
    /// `None` without a trial.
    pub trial_ends_at: Option<Timestamp>,
    /// Price and interval of later charges; `None` if it does not renew.
    pub renewal: Option<RenewalTerms>,
    /// The referral link that the payer followed.
    pub referral: Option<String>,
    /// Encrypted details needed after payment, such as the recipient of a gift. Deleted when the checkout is no longer
    /// pending.
    pub sealed_details: Option<Vec<u8>>,
}

/// One attempt to buy something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkout {
    pub key: CheckoutKey,
    /// A hash of the payer and the request body. The same key with another hash is refused.
    pub body_hash: [u8; 32],
    /// Our id of the checkout, which the provider stores with the charge.
    pub reference: CheckoutReference,
    pub order: CheckoutOrder,
    pub state: CheckoutState,
    /// The provider's id of the charge or subscription, once known.
    pub provider_id: Option<String>,
    /// The claim token, with which a guest claims the purchase.
    pub charge_id: ClaimToken,
    pub claimed_at: Option<Timestamp>,
    pub created_at: Timestamp,
    /// When `state` last changed.
    pub changed_at: Timestamp,
}

impl Checkout {
    /// A new checkout in the state `Started`, with a generated reference and claim token.
    pub fn start(key: CheckoutKey, body_hash: [u8; 32], order: CheckoutOrder, env: &dyn Env) -> Self {
        let now = env.now();
        Self {
            key,
            body_hash,
            reference: CheckoutReference::new(format!("co_{}", random_text(env, RANDOM_CHARS))),
            order,
            state: CheckoutState::Started,
            provider_id: None,
            charge_id: ClaimToken::generate(env),
            claimed_at: None,
            created_at: now,
            changed_at: now,
        }
    }

    /// The key under which its movements are recorded.
    pub fn purchase(&self) -> PurchaseKey {
        PurchaseKey::new(self.reference.as_str())
    }

    /// Whether it is too old to resubmit, so that its outcome must be looked up at the provider.
    pub fn must_be_reconciled(&self, now: Timestamp) -> bool {
        self.state.is_pending() && now.since(self.created_at) >= RECONCILE_AFTER
    }

    /// Whether a sweep looks it up at the provider now (`billing.pending-sweep`). An old checkout that changed recently
    /// is skipped for a while.
    pub fn is_sweep_due(&self, now: Timestamp) -> bool {
        !self.is_old(now) || now.since(self.changed_at) >= SWEEP_OLD
    }

    /// What a sweep does with it. `after` is the checkout updated from the provider; `None` if the provider does not know
    /// it.
    pub fn sweep_step(&self, after: Option<&Self>, now: Timestamp) -> SweepStep {
        match after {
            // The payer did not come back within a day.
            Some(after) if after.must_be_reconciled(now) => SweepStep::EndAndClose,
            None if self.is_old(now) => SweepStep::Close,
            Some(_) | None => SweepStep::Wait,
        }
    }

    fn is_old(&self, now: Timestamp) -> bool {
        now.since(self.created_at) >= SWEEP_OLD
    }
}

/// What a sweep does with a checkout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SweepStep {
    /// The next sweep looks it up again.
    Wait,
    /// Nothing was taken and nothing will be.
    Close,
    /// First ends what was started at the provider, so that nothing is charged later; then closes it.
    EndAndClose,
}

/// Why a checkout can't continue.
#[derive(Debug, thiserror::Error)]
pub enum CheckoutError {
    /// The idempotency key is empty, too long, or contains a character that is not visible ASCII.
    #[error("The idempotency key is not valid.")]
    InvalidKey,
    /// The key was used with another request body (`billing.idempotency-key`).
    #[error("This idempotency key was used for another purchase.")]
    KeyReused,
    /// There is no such checkout.
    #[error("This purchase does not exist.")]
    Unknown,
    /// The purchase was already claimed, belongs to a member, or failed.
    #[error("This purchase can't be claimed.")]
    NotClaimable,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

#[cfg(test)]
mod tests {
    use kernel::FixedEnv;

    use super::*;

    #[test]
    fn what_went_through_stays_and_what_was_closed_may_still_go_through() {
        use CheckoutState::{Declined, NeedsAction, Paid, PriceChanged, Reconciled, Started, Submitted};
        let allowed = |from: CheckoutState| {
            CheckoutState::ALL.iter().copied().filter(|next| from.may_become(*next)).collect::<Vec<_>>()
        };
        for pending in [Started, Submitted, NeedsAction] {
            assert!(pending.is_pending());
            assert_eq!(allowed(pending), [Submitted, NeedsAction, Paid, Declined, PriceChanged, Reconciled]);
            assert!(!pending.came_to_nothing());
        }
        for (closed, next) in
            [(Declined, vec![Paid]), (PriceChanged, vec![Paid]), (Reconciled, vec![Paid]), (Paid, vec![])]
        {
            assert!(!closed.is_pending());
            assert_eq!(allowed(closed), next, "{closed:?}");
            assert_eq!(closed.came_to_nothing(), closed != Paid, "{closed:?}");
        }
    }

    #[test]
    fn keys_are_1_to_200_visible_characters() {
        for text in ["", " ", "a b", "ä", "a\n", &"x".repeat(201)] {
            assert!(matches!(CheckoutKey::parse(text), Err(CheckoutError::InvalidKey)), "{text:?}");
        }
        for text in ["x", "018f-{}", &"x".repeat(200)] {
            assert_eq!(CheckoutKey::parse(text).unwrap().as_str(), text);
        }
    }

    fn order() -> CheckoutOrder {
        CheckoutOrder {
            payer: PayerId::from_store(1),
            provider: GatewayProvider::Sandbox,
            plan_id: "quiz".to_owned(),
            plan_name: "Quiz".to_owned(),
            quantity: 1,
            infographics: 0,
            coupon: None,
            first_charge: Money::from_cents(299),
            trial_ends_at: None,
            renewal: None,
            referral: None,
            sealed_details: None,
        }
    }

    #[test]
    fn a_sweep_leaves_an_old_checkout_that_has_just_changed_for_a_while() {
        let env = FixedEnv::at(Timestamp::from_millis(1_773_144_000_000));
        let one = Checkout::start(CheckoutKey::generate(&env), [0; 32], order(), &env);
        for (age, unchanged, is_due) in [
            (SWEEP_AFTER, SWEEP_AFTER, true),
            (SWEEP_OLD - 1, 0, true),
            (SWEEP_OLD, 0, false),
            (SWEEP_OLD, SWEEP_OLD - 1, false),
            (SWEEP_OLD, SWEEP_OLD, true),
            (RECONCILE_AFTER, 0, false),
        ] {
            let now = one.created_at.plus(age);
            let changed = Checkout { changed_at: now.plus(-unchanged), ..one.clone() };
            assert_eq!(changed.is_sweep_due(now), is_due, "{age} {unchanged}");
        }
    }

    #[test]
    fn a_sweep_closes_what_no_provider_knows_and_what_was_left_for_a_day() {
        use CheckoutState::{NeedsAction, Paid, Submitted};
        let env = FixedEnv::at(Timestamp::from_millis(1_773_144_000_000));
        let one = Checkout::start(CheckoutKey::generate(&env), [0; 32], order(), &env);
        let step = |after: Option<&Checkout>, age| one.sweep_step(after, one.created_at.plus(age));
        assert_eq!(step(None, SWEEP_OLD - 1), SweepStep::Wait, "it may not be found yet");
        assert_eq!(step(None, SWEEP_OLD), SweepStep::Close);
        for (state, late) in
            [(NeedsAction, SweepStep::EndAndClose), (Submitted, SweepStep::EndAndClose), (Paid, SweepStep::Wait)]
        {
            let after = Checkout { state, ..one.clone() };
            assert_eq!(step(Some(&after), RECONCILE_AFTER - 1), SweepStep::Wait, "{state:?}");
            assert_eq!(step(Some(&after), RECONCILE_AFTER), late, "{state:?}");
        }
    }

    #[test]
    fn a_checkout_has_ids_that_nobody_can_guess_and_is_reconciled_after_a_day() {
        let env = FixedEnv::at(Timestamp::from_millis(1_773_144_000_000));
        let start = || Checkout::start(CheckoutKey::generate(&env), [0; 32], order(), &env);
        let (one, other) = (start(), start());
        assert!(one.reference != other.reference && one.charge_id != other.charge_id && one.key != other.key);
        // 26 characters of five bits.
        assert!(one.charge_id.as_str().len() * 5 >= 80);
        assert_eq!(one.purchase().as_str(), one.reference.as_str());
        assert_eq!(format!("{:?}", one.charge_id), "ClaimToken(…)");
        assert!(!one.must_be_reconciled(env.now().plus(RECONCILE_AFTER - 1)));
        assert!(one.must_be_reconciled(env.now().plus(RECONCILE_AFTER)));
        assert_eq!(RECONCILE_AFTER, 24 * 60 * 60 * 1_000);
        let paid = Checkout { state: CheckoutState::Paid, ..one };
        assert!(!paid.must_be_reconciled(env.now().plus(RECONCILE_AFTER)));
    }
}
