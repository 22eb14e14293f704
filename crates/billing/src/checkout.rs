//! Checkouts: one for each idempotency key, from the press on the button to what the provider did (`billing.idempotency-key`).

use kernel::{DAY, Env, MINUTE, Money, PayerId, SECOND, StoreError, Timestamp};

use crate::{
    CouponCode, PurchaseKey, RenewalTerms,
    gateway::{CheckoutReference, GatewayProvider},
    ledger::named,
    random_text::random_text,
};

/// After how long a checkout is reconciled with the provider and never sent again, in milliseconds.
pub const RECONCILE_AFTER: i64 = DAY;
/// How long a checkout is left to the request that made it before it is swept, in milliseconds.
pub const SWEEP_AFTER: i64 = 20 * SECOND;
/// From which age on a checkout is swept less often, and one that no provider knows is closed, in milliseconds.
pub const SWEEP_OLD: i64 = 10 * MINUTE;
/// The longest idempotency key, in characters.
const KEY_MAX_CHARS: usize = 200;
/// The characters of a charge id and of a reference: 130 random bits.
const RANDOM_CHARS: usize = 26;

/// The idempotency key of a page's checkout.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CheckoutKey(String);

impl CheckoutKey {
    /// Reads the header: 1 to 200 visible ASCII characters.
    pub fn parse(text: &str) -> Result<Self, CheckoutError> {
        let fits = (1..=KEY_MAX_CHARS).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
        if fits { Ok(Self(text.to_owned())) } else { Err(CheckoutError::InvalidKey) }
    }

    /// The key of a call without the header.
    pub fn generate(env: &dyn Env) -> Self {
        Self(random_text(env, RANDOM_CHARS))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What a guest's purchase is claimed with: `chargeId`. Possession alone entitles.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ClaimToken(String);

impl ClaimToken {
    /// One that nobody can guess.
    pub fn generate(env: &dyn Env) -> Self {
        Self(random_text(env, RANDOM_CHARS))
    }

    /// Takes a text from outside, or from a store.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text.
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
    /// How far a checkout is.
    CheckoutState, UnknownCheckoutState, "state of a checkout":
    /// It is recorded; the provider was not asked.
    Started = "started",
    /// The provider is being asked, and may have acted.
    Submitted = "submitted",
    /// The payer has to authenticate or approve.
    NeedsAction = "needs_action",
    /// It went through: money was taken, a trial began, or it cost nothing.
    Paid = "paid",
    /// The provider declined.
    Declined = "declined",
    /// The price was another one than was shown, so that nothing was taken: the card had had its trial.
    PriceChanged = "price_changed",
    /// The sweep found that nothing was taken, and closed it.
    Reconciled = "reconciled",
}

impl CheckoutState {
    /// Whether it is not decided yet.
    pub const fn is_pending(self) -> bool {
        matches!(self, Self::Started | Self::Submitted | Self::NeedsAction)
    }

    /// Whether nothing came of it: coupon and trial are given back, and there is nothing to claim.
    pub const fn came_to_nothing(self) -> bool {
        matches!(self, Self::Declined | Self::PriceChanged | Self::Reconciled)
    }

    /// Whether it may become so. What went through stays; what was closed goes through all the same when the provider says so.
    pub const fn may_become(self, next: Self) -> bool {
        match (self, next) {
            (Self::Paid, _) | (_, Self::Started) => false,
            (_, Self::Paid) => true,
            (from, _) => from.is_pending(),
        }
    }
}

/// What a checkout buys, and what was shown for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckoutOrder {
    /// Who pays.
    pub payer: PayerId,
    /// Through which provider.
    pub provider: GatewayProvider,
    /// The plan.
    pub plan_id: String,
    /// The plan's name as people read it.
    pub plan_name: String,
    /// How many.
    pub quantity: u32,
    /// The infographics that come with it.
    pub infographics: u32,
    /// The coupon.
    pub coupon: Option<CouponCode>,
    /// What the first charge is.
    pub first_charge: Money,
    /// The trial's end.
    pub trial_ends_at: Option<Timestamp>,
    /// What later charges are.
    pub renewal: Option<RenewalTerms>,
    /// The referral link through which the person came.
    pub referral: Option<String>,
    /// What else is needed when it went through (whom a gift is for), sealed; deleted when the checkout is decided.
    pub sealed_details: Option<Vec<u8>>,
}

/// A checkout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkout {
    /// The page's key.
    pub key: CheckoutKey,
    /// The hash of who asked for what: the same key with another one is refused.
    pub body_hash: [u8; 32],
    /// Our id of it, which the provider stores.
    pub reference: CheckoutReference,
    /// What it buys.
    pub order: CheckoutOrder,
    /// How far it is.
    pub state: CheckoutState,
    /// The provider's id of the charge or the subscription, once it is known.
    pub provider_id: Option<String>,
    /// The claim token of a guest's purchase.
    pub charge_id: ClaimToken,
    /// When it was claimed.
    pub claimed_at: Option<Timestamp>,
    /// When it began.
    pub created_at: Timestamp,
    /// When it came to its state.
    pub changed_at: Timestamp,
}

impl Checkout {
    /// A checkout that begins.
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

    /// The purchase to which its movements belong.
    pub fn purchase(&self) -> PurchaseKey {
        PurchaseKey::new(self.reference.as_str())
    }

    /// Whether it is too old to be sent again: what became of it is asked of the provider.
    pub fn must_be_reconciled(&self, now: Timestamp) -> bool {
        self.state.is_pending() && now.since(self.created_at) >= RECONCILE_AFTER
    }

    /// Whether a sweep asks the provider about it now (`billing.pending-sweep`). An old one that has just changed is left for a while.
    pub fn is_sweep_due(&self, now: Timestamp) -> bool {
        !self.is_old(now) || now.since(self.changed_at) >= SWEEP_OLD
    }

    /// What a sweep does with it. `after` is the checkout as it is by what the provider says; `None`: the provider knows nothing of it.
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
    /// The next sweep asks again.
    Wait,
    /// Nothing was taken and nothing will be: it is closed.
    Close,
    /// It is closed once what was begun of it at the provider has been ended, so that nothing is charged later.
    EndAndClose,
}

/// What came of beginning a checkout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StartedCheckout {
    /// It was recorded now.
    New(Checkout),
    /// The same one was recorded before: it goes on from its state.
    Known(Checkout),
}

/// Why a checkout can't go on.
#[derive(Debug, thiserror::Error)]
pub enum CheckoutError {
    /// The idempotency key has no characters, too many, or some that can't be seen.
    #[error("The idempotency key is not valid.")]
    InvalidKey,
    /// The key was used for something else (`billing.idempotency-key`).
    #[error("This idempotency key was used for another purchase.")]
    KeyReused,
    /// There is no such checkout.
    #[error("This purchase does not exist.")]
    Unknown,
    /// A purchase was claimed before, is a member's, or came to nothing.
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
