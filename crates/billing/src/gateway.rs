//! The port to payment providers: the operations billing needs, and the data it gets back.
//!
//! The `payments` crate implements it for Stripe, PayPal and the sandbox (`billing.card-payments`). The futures are boxed
//! standard-library futures, so that this crate depends on neither an async runtime nor HTTP.
//!
//! Invariants:
//!
//! - Amounts are in whole US cents. The server decides the amount; the provider's response says what was charged.
//! - Every operation that changes something takes an [`IdempotencyKey`]. Repeating a call with the same key within 24
//!   hours has no further effect. After that the caller looks the object up ([`PaymentGateway::find_charge`]) instead of
//!   repeating.
//! - An error says whether the provider may have acted ([`GatewayError::may_have_acted`]). If so, the caller repeats the
//!   call with the same key or looks the object up; it never uses another key.
//! - An event names an object and carries no state; the caller fetches the object. So events may arrive late, twice, in
//!   any order, and before the response of the call that caused them.

use std::{fmt, pin::Pin, str::FromStr, time::Duration};

use kernel::{DAY, Email, Money, Period, Timestamp};

/// The return type of gateway operations.
pub type GatewayFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, GatewayError>> + Send + 'a>>;
/// The return type of [`PaymentGateway::verify_webhook`].
pub type WebhookFuture<'a> = Pin<Box<dyn Future<Output = Result<ProviderEvent, WebhookError>> + Send + 'a>>;

/// A payment provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum GatewayProvider {
    /// The built-in provider, for running without API keys (`billing.sandbox-cards`).
    Sandbox,
    /// Cards and wallets.
    Stripe,
    PayPal,
}

/// The text is not a payment provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no such payment provider")]
pub struct UnknownGatewayProvider;

impl GatewayProvider {
    pub const ALL: [Self; 3] = [Self::Sandbox, Self::Stripe, Self::PayPal];

    /// Whether a running subscription can be switched to another plan through the API. Not with PayPal: the payer would
    /// have to approve it there, and PayPal does not prorate.
    pub const fn switches_plans(self) -> bool {
        !matches!(self, Self::PayPal)
    }

    /// The name in the database and on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Sandbox => "sandbox",
            Self::Stripe => "stripe",
            Self::PayPal => "paypal",
        }
    }
}

impl FromStr for GatewayProvider {
    type Err = UnknownGatewayProvider;

    fn from_str(text: &str) -> Result<Self, UnknownGatewayProvider> {
        Self::ALL.into_iter().find(|one| one.as_str() == text).ok_or(UnknownGatewayProvider)
    }
}

macro_rules! text_ids {
    ($($(#[$doc:meta])* $name:ident,)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(String);

        impl $name {
            pub fn new(text: impl Into<String>) -> Self {
                Self(text.into())
            }

            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    )+};
}

text_ids! {
    /// Our id of a checkout. It is stored with the provider, so that a charge can be found by it. Up to 100 ASCII
    /// letters, digits, `-` and `_`.
    CheckoutReference,
    /// The provider's id of a customer with stored payment methods: `cus_…`. PayPal: the payer's id.
    CustomerId,
    /// An attempt to charge once: `pi_…`. PayPal: the order's id.
    ChargeId,
    /// A payment that was taken, which a refund refers to: `pi_…`. PayPal: the id of the capture or transaction.
    PaymentId,
    /// A subscription: `sub_…`. PayPal: `I-…`.
    SubscriptionId,
    /// An attempt to change the payment method: `seti_…`. PayPal: the subscription's id.
    SetupId,
    /// A refund: `re_…`.
    RefundId,
    /// An event of the provider: `evt_…`. Unique per provider.
    ProviderEventId,
    /// The provider's id of a plan (PayPal's `P-…`): `paypalPlan` on the wire.
    ProviderPlanId,
    /// A fingerprint of a card: equal for the same card number in all accounts. PayPal: the payer's id.
    CardFingerprint,
    /// Identifies one operation of ours. Providers get a hash of it, so any non-empty text is valid.
    IdempotencyKey,
}

impl IdempotencyKey {
    /// A key for one step of this operation.
    #[must_use]
    pub fn step(&self, name: &str) -> Self {
        Self(format!("{}/{name}", self.0))
    }
}

/// The token from the client's card form: a confirmation token (`ctoken_…`), a payment method (`pm_…`) or a legacy token
/// (`tok_…`). It can be charged, so `Debug` redacts it.
#[derive(Clone, PartialEq, Eq)]
pub struct PaymentToken(String);

impl PaymentToken {
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The secret value.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for PaymentToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PaymentToken(…)")
    }
}

/// The payment method to charge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PaymentSource {
    /// The token from the client's card form.
    Token(PaymentToken),
    /// The customer's default payment method, set by their latest subscription. A one-time charge stores none.
    Saved,
    /// The payer approves at the provider (PayPal). The call returns [`NextAction::Approve`].
    Approval {
        /// The URL for a payer who approved.
        return_url: String,
        /// The URL for a payer who canceled.
        cancel_url: String,
    },
}

/// The payer as the provider needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payer {
    /// The address for the provider's receipts, and for finding the customer in the provider's dashboard.
    pub email: Option<Email>,
    /// The customer id from an earlier response; `None`: the gateway creates a customer.
    pub customer: Option<CustomerId>,
}

/// A request to charge once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChargeRequest {
    pub checkout: CheckoutReference,
    /// Above zero.
    pub amount: Money,
    /// What is paid for, as shown in the provider's receipt. Up to 127 characters.
    pub description: String,
    pub payer: Payer,
    pub source: PaymentSource,
    /// The absolute URL to which the provider's page returns after authentication.
    pub return_url: String,
}

/// The renewal interval of a subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RenewalInterval {
    Month,
    Year,
}

impl RenewalInterval {
    /// The interval in calendar months.
    pub const fn months(self) -> i64 {
        match self {
            Self::Month => 1,
            Self::Year => 12,
        }
    }
}

/// Plan, price and trial of a subscription.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SubscriptionTerms {
    /// The id of our plan: `monthly`.
    pub plan_id: String,
    /// The plan's display name.
    pub name: String,
    /// The price of each renewal; above zero.
    pub price: Money,
    pub interval: RenewalInterval,
    /// The number of days before the first charge: 0 or `TRIAL_DAYS`.
    pub trial_days: u32,
    /// The amount of the first charge, including add-ons and the coupon (`billing.coupon-terms`). Due at the end
    /// of the trial, or at once without one. Never negative.
    pub first_charge: Money,
}

/// A request to start a subscription.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubscribeRequest {
    pub checkout: CheckoutReference,
    pub terms: SubscriptionTerms,
    pub payer: Payer,
    pub source: PaymentSource,
    /// The absolute URL to which the provider's page returns after authentication.
    pub return_url: String,
}

/// What the payer must do before the provider acts.
#[derive(Clone, PartialEq, Eq)]
pub enum NextAction {
    /// The client authenticates the payer (3-D Secure): `requiresAction` with this `clientSecret` on the wire.
    Authenticate {
        /// The provider's secret for the payer's browser. Never logged.
        client_secret: String,
    },
    /// The payer approves on the provider's page, or through the provider's buttons with the id of the charge or
    /// subscription.
    Approve {
        /// The URL of the provider's page.
        url: String,
    },
}

impl fmt::Debug for NextAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Authenticate { .. } => f.write_str("Authenticate(…)"),
            Self::Approve { .. } => f.write_str("Approve(…)"),
        }
    }
}

/// The displayable part of a payment method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaymentMethod {
    /// The card brand (`visa`), or `paypal`.
    pub brand: String,
    /// The last four digits of the card; `None` for PayPal.
    pub last4: Option<String>,
    /// Month and year of expiry.
    pub expires: Option<(u32, u32)>,
    /// Equal for equal card numbers; `None` if the provider does not report it.
    pub fingerprint: Option<CardFingerprint>,
}

/// One attempt to charge, as reported by the provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Charge {
    pub id: ChargeId,
    /// Our id of the checkout, if the provider has it stored.
    pub checkout: Option<CheckoutReference>,
    /// The amount charged or to be charged.
    pub amount: Money,
    pub customer: Option<CustomerId>,
    /// The payment method, once known.
    pub method: Option<PaymentMethod>,
    pub state: ChargeState,
}

/// The states of a charge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChargeState {
    Succeeded(Payment),
    /// The payer must act first. Nothing was taken.
    RequiresAction(NextAction),
    /// The payer approved; [`PaymentGateway::confirm_charge`] takes the money.
    RequiresConfirmation,
    /// The provider has not decided yet. An event follows when it has.
    Processing,
    /// It failed permanently. Nothing was taken. Only lookups return this state; calls that charge return
    /// [`GatewayError::Declined`] instead.
    Failed(Decline),
    /// It was canceled or has expired. Nothing was taken.
    Canceled,
}

/// A payment that was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payment {
    /// The id to refund it by.
    pub id: PaymentId,
    pub amount: Money,
    /// The part of the amount refunded since.
    pub refunded: Money,
    pub at: Timestamp,
}

/// A subscription as reported by the provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderSubscription {
    pub id: SubscriptionId,
    pub checkout: Option<CheckoutReference>,
    /// The id of our plan as stored with the provider; `None` if we did not create the subscription.
    pub plan_id: Option<String>,
    /// The price of the next renewal, before credits.
    pub price: Money,
    /// The credit left from an earlier plan, which reduces the next charges. Never negative.
    pub credit: Money,
    pub customer: Option<CustomerId>,
    /// The payment method, once known.
    pub method: Option<PaymentMethod>,
    pub state: SubscriptionState,
    /// What happens at the end of the period.
    pub renewal: Renewal,
    /// The latest paid period; during a trial, the trial; `None` before the subscription began. With a pause or deferral
    /// it ends before the next charge.
    pub period: Option<Period>,
    /// When the next charge is due, or when a subscription with renewal off ends; `None` if it has ended or not begun.
    pub next_charge_at: Option<Timestamp>,
    /// The end of the trial, past or future; `None` without a trial.
    pub trial_ends_at: Option<Timestamp>,
}

impl ProviderSubscription {
    /// The end of a pause or deferral that has passed at a provider that does not resume by itself; otherwise `None`.
    pub fn resume_due(&self, capabilities: Capabilities, now: Timestamp) -> Option<Timestamp> {
        match self.renewal {
            Renewal::PausedUntil(until) | Renewal::DeferredUntil(until) => {
                Some(until).filter(|until| *until <= now && !capabilities.resumes_by_itself)
            }
            Renewal::On | Renewal::Stopped => None,
        }
    }
}

/// The states of a provider's subscription.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SubscriptionState {
    /// The payer must act before it begins.
    RequiresAction(NextAction),
    /// Nothing was charged yet; the first charge is due at the trial's end.
    Trialing,
    /// Paid up to the end of its period.
    Active,
    /// A renewal failed. The provider retries later; [`PaymentGateway::collect_overdue`] retries at once.
    PastDue,
    /// It has ended, or never began.
    Ended,
}

impl SubscriptionState {
    /// Whether nothing can have been charged yet.
    pub const fn took_nothing(&self) -> bool {
        matches!(self, Self::RequiresAction(_) | Self::Trialing)
    }

    /// Whether money was taken for it and it has not ended.
    pub const fn is_charged(&self) -> bool {
        matches!(self, Self::Active | Self::PastDue)
    }
}

/// What happens to a subscription at the end of its period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Renewal {
    On,
    Stopped,
    /// The member paused it: nothing is collected until this time. A new period begins with the charge at that time.
    PausedUntil(Timestamp),
    /// The next charge was postponed to this time, at which a new period begins.
    DeferredUntil(Timestamp),
}

/// The price of switching a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwitchPreview {
    pub starts: SwitchStart,
    /// The amount charged at once: the new price less the credit for the rest of the old period. Never negative.
    pub charged_now: Money,
    /// The credit that remains and reduces later charges. Never negative.
    pub credit_left: Money,
    /// The charge after `charged_now`.
    pub next_charge: Money,
    pub next_charge_at: Timestamp,
    /// The time for which the amounts were computed. [`PaymentGateway::switch_plan`] takes it back, so that the amounts
    /// shown are charged.
    pub computed_at: Timestamp,
}

impl SwitchPreview {
    /// The first charge of the new plan and its time; if the switch itself costs nothing, that is the charge of the next
    /// period.
    pub fn first_charge(&self) -> (Money, Timestamp) {
        if self.charged_now.cents() > 0 {
            (self.charged_now, self.computed_at)
        } else {
            (self.next_charge, self.next_charge_at)
        }
    }
}

/// When the new plan of a switch begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwitchStart {
    /// At once, prorated.
    Now,
    /// With the next period, because the provider does not prorate (PayPal). The payer must approve it first.
    NextPeriod,
}

/// A request to refund a payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefundRequest {
    /// The payment to refund.
    pub payment: PaymentId,
    /// The amount; `None` for all that is left.
    pub amount: Option<Money>,
}

/// A refund as reported by the provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refund {
    pub id: RefundId,
    /// The refunded payment.
    pub payment: PaymentId,
    pub amount: Money,
    pub state: RefundState,
}

/// The states of a refund.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefundState {
    Succeeded,
    /// The provider is processing it. An event follows when it is done.
    Pending,
    /// It failed; the money stays with us.
    Failed,
}

/// The result of changing a payment method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MethodChange {
    /// Renewals use it from now on.
    Changed(PaymentMethod),
    /// The payer must act; then [`PaymentGateway::confirm_payment_method`] is called.
    RequiresAction {
        /// The attempt to confirm.
        setup: SetupId,
        action: NextAction,
    },
}

/// How to look up a charge or subscription: by the provider's id if known, otherwise by our checkout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookup<'a, Id> {
    /// By the provider's id.
    Id(&'a Id),
    /// By our checkout. A provider may take a minute until a new object can be found this way.
    Checkout(&'a CheckoutReference),
}

/// What the client needs to use a provider's payment form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageSettings {
    pub provider: GatewayProvider,
    /// The publishable key (Stripe) or the client id (PayPal). `None` in the sandbox.
    pub public_key: Option<String>,
}

/// What a provider does without a call from us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// Whether it resumes a paused or deferred subscription at the agreed time. If not, a sweep calls
    /// [`PaymentGateway::resume_collection`].
    pub resumes_by_itself: bool,
    /// Whether it ends a subscription with renewal off at the end of its period. If not, a sweep calls
    /// [`PaymentGateway::cancel_now`].
    pub ends_by_itself: bool,
    /// Whether charges and subscriptions can be found by our checkout. If not, the provider takes no money before the
    /// server confirms the charge by its id.
    pub finds_by_checkout: bool,
}

/// A webhook request as received.
#[derive(Clone, Copy, Debug)]
pub struct WebhookRequest<'a> {
    /// Header names in lower case, and their values.
    pub headers: &'a [(String, String)],
    /// The raw body, which the signature covers byte by byte.
    pub body: &'a [u8],
}

impl WebhookRequest<'_> {
    /// The value of a header. `name` is in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

/// A verified event from a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderEvent {
    /// The id by which the event is stored once.
    pub id: ProviderEventId,
    pub provider: GatewayProvider,
    /// When it happened, by the provider's clock.
    pub at: Timestamp,
    /// What changed. The object is fetched before anything is decided.
    pub kind: ProviderEventKind,
    /// Our checkout, if the event names it.
    pub checkout: Option<CheckoutReference>,
}

/// How long an event about an unknown object is retried, in milliseconds.
pub const EVENT_KEPT: i64 = DAY;

impl ProviderEvent {
    /// Whether both events need the same lookup at the provider, so that one lookup serves both.
    pub fn is_about_the_same(&self, other: &Self) -> bool {
        self.provider == other.provider && self.kind == other.kind && self.checkout == other.checkout
    }

    /// Whether an event about an unknown object is too old to retry.
    pub const fn is_given_up(&self, now: Timestamp) -> bool {
        now.since(self.at) > EVENT_KEPT
    }
}

/// What changed at the provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProviderEventKind {
    /// A charge succeeded, failed, was approved or was canceled.
    Charge(ChargeId),
    /// A subscription began, renewed, failed to renew, changed or ended.
    Subscription(SubscriptionId),
    /// A payment was refunded, in whole or in part.
    Refund(PaymentId),
    /// The payer disputes a payment with their bank; the money is withheld.
    DisputeOpened(PaymentId),
    /// A dispute was decided.
    DisputeClosed {
        payment: PaymentId,
        /// Whether we keep the money.
        won: bool,
    },
    /// A customer's payment methods changed.
    Customer(CustomerId),
    /// An event of another type, here its name. It is stored and acknowledged but changes nothing.
    Other(String),
}

/// Why a charge was declined. Nothing was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decline {
    /// The provider's code: `card_declined`, `insufficient_funds`, `INSTRUMENT_DECLINED`.
    pub code: String,
    /// A sentence for the payer: 'Your card was declined.'
    pub message: String,
}

impl fmt::Display for Decline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.code)
    }
}

/// Why a gateway call failed. The texts are for the log and contain no secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GatewayError {
    /// The payment was declined. Nothing was taken.
    #[error("the payment was declined: {0}")]
    Declined(Decline),
    /// No connection to the provider, so nothing was sent.
    #[error("the payment provider can't be reached: {0}")]
    Unreachable(String),
    /// The request was sent, but no response or a server error came back. The provider may have acted.
    #[error("it is not known what the payment provider did: {0}")]
    UnknownOutcome(String),
    /// Too many requests. The provider did not act.
    #[error("the payment provider limits requests")]
    RateLimited {
        /// How long to wait, if the provider says so.
        retry_after: Option<Duration>,
    },
    /// The provider rejected the request as invalid or as not possible in the object's state. It did not act.
    #[error("the payment provider refused the request: {0}")]
    Refused(String),
    /// The idempotency key was used for another request. The provider did not act on this one.
    #[error("the idempotency key was used for another request")]
    KeyReused,
    /// The response can't be parsed. The provider may have acted.
    #[error("the answer of the payment provider can't be read: {0}")]
    Malformed(String),
    /// The provider does not support the operation.
    #[error("the payment provider does not do this: {0}")]
    Unsupported(&'static str),
}

impl GatewayError {
    /// Whether the provider may have acted. If so, the call is repeated with the same key, or the object is looked up.
    pub const fn may_have_acted(&self) -> bool {
        match self {
            Self::UnknownOutcome(_) | Self::Malformed(_) => true,
            Self::Declined(_)
            | Self::Unreachable(_)
            | Self::RateLimited { .. }
            | Self::Refused(_)
            | Self::KeyReused
            | Self::Unsupported(_) => false,
        }
    }

    /// Whether repeating the call with the same key may succeed later.
    pub const fn is_transient(&self) -> bool {
        match self {
            Self::Unreachable(_) | Self::UnknownOutcome(_) | Self::RateLimited { .. } | Self::Malformed(_) => true,
            Self::Declined(_) | Self::Refused(_) | Self::KeyReused | Self::Unsupported(_) => false,
        }
    }
}

/// Why a webhook is rejected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WebhookError {
    /// It has no signature.
    #[error("the webhook is not signed")]
    Unsigned,
    /// The signature does not match the body or the provider's key.
    #[error("the webhook's signature is wrong")]
    WrongSignature,
    /// It was signed more than [`WEBHOOK_TOLERANCE`] ago or in the future.
    #[error("the webhook's signature is too old")]
    TooOld,
    /// The body is not a valid event.
    #[error("the webhook can't be read: {0}")]
    Unreadable(String),
    /// The provider that verifies its own webhooks (PayPal) could not be asked. The response is 503, so the provider
    /// sends it again.
    #[error("the webhook can't be verified now: {0}")]
    Unverified(GatewayError),
}

/// The maximum difference between the signing time of a webhook and now.
pub const WEBHOOK_TOLERANCE: Duration = Duration::from_mins(5);

/// A client of one payment provider.
///
/// Calls have a timeout. A gateway retries a call itself only where the idempotency key makes that safe.
pub trait PaymentGateway: Send + Sync + fmt::Debug {
    /// The provider it talks to.
    fn provider(&self) -> GatewayProvider;

    /// What the provider does by itself.
    fn capabilities(&self) -> Capabilities;

    /// What the client needs to use this provider's payment form.
    fn page_settings(&self) -> PageSettings;

    /// The provider's id of a plan with these terms, created on first use. `None` if clients need no such id (all but
    /// PayPal).
    fn provider_plan<'a>(&'a self, terms: &'a SubscriptionTerms) -> GatewayFuture<'a, Option<ProviderPlanId>>;

    /// Charges once.
    fn charge<'a>(&'a self, key: &'a IdempotencyKey, request: &'a ChargeRequest) -> GatewayFuture<'a, Charge>;

    /// Continues after the payer authenticated or approved: takes the money if the provider has not (PayPal's capture)
    /// and returns the charge. Refused before anything is taken if the amount is not `expected`.
    fn confirm_charge<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        charge: &'a ChargeId,
        expected: Money,
    ) -> GatewayFuture<'a, Charge>;

    /// Looks up a charge; `None` if the provider does not know it.
    fn find_charge<'a>(&'a self, lookup: Lookup<'a, ChargeId>) -> GatewayFuture<'a, Option<Charge>>;

    /// Starts a subscription. With a trial, the payment method is stored and nothing is charged.
    fn subscribe<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        request: &'a SubscribeRequest,
    ) -> GatewayFuture<'a, ProviderSubscription>;

    /// Continues after the payer authenticated or approved.
    fn confirm_subscription<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        subscription: &'a SubscriptionId,
    ) -> GatewayFuture<'a, ProviderSubscription>;

    /// Looks up a subscription; `None` if the provider does not know it.
    fn find_subscription<'a>(
        &'a self,
        lookup: Lookup<'a, SubscriptionId>,
    ) -> GatewayFuture<'a, Option<ProviderSubscription>>;

    /// The latest payments of a subscription, at most twelve, newest first.
    fn subscription_payments<'a>(&'a self, subscription: &'a SubscriptionId) -> GatewayFuture<'a, Vec<Payment>>;

    /// Turns renewal off: the subscription ends with its period.
    fn cancel_at_period_end<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        subscription: &'a SubscriptionId,
    ) -> GatewayFuture<'a, ProviderSubscription>;

    /// Turns renewal on again before the period has ended.
    fn resume_renewal<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        subscription: &'a SubscriptionId,
    ) -> GatewayFuture<'a, ProviderSubscription>;

    /// Ends a subscription at once, without a refund.
    fn cancel_now<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        subscription: &'a SubscriptionId,
    ) -> GatewayFuture<'a, ProviderSubscription>;

    /// Removes the remaining credit of plan switches when the subscription is ended early, so that it pays for nothing
    /// more.
    fn forfeit_credit<'a>(&'a self, key: &'a IdempotencyKey, subscription: &'a SubscriptionId)
    -> GatewayFuture<'a, ()>;

    /// What a switch to these terms would cost now. Trial and first charge of `terms` are ignored. Refused for a paused
    /// or deferred subscription, which must be resumed first.
    fn preview_switch<'a>(
        &'a self,
        subscription: &'a SubscriptionId,
        terms: &'a SubscriptionTerms,
    ) -> GatewayFuture<'a, SwitchPreview>;

    /// Switches the plan as previewed. During a trial nothing is charged and the trial continues.
    fn switch_plan<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        subscription: &'a SubscriptionId,
        terms: &'a SubscriptionTerms,
        preview: &'a SwitchPreview,
    ) -> GatewayFuture<'a, ProviderSubscription>;

    /// Collects nothing until `until`, which must be after the end of the period. A new period begins with the charge at
    /// that time.
    fn pause_collection<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        subscription: &'a SubscriptionId,
        until: Timestamp,
    ) -> GatewayFuture<'a, ProviderSubscription>;

    /// Ends a pause or deferral: the next charge is due at the end of the paid period, or at once if that has passed.
    fn resume_collection<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        subscription: &'a SubscriptionId,
    ) -> GatewayFuture<'a, ProviderSubscription>;

    /// Postpones the next charge to `until`, without proration (for a redeemed code, `billing.redeemed-period`).
    fn defer_renewal<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        subscription: &'a SubscriptionId,
        until: Timestamp,
    ) -> GatewayFuture<'a, ProviderSubscription>;

    /// Retries a failed renewal now, with the subscription's payment method.
    fn collect_overdue<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        subscription: &'a SubscriptionId,
    ) -> GatewayFuture<'a, ProviderSubscription>;

    /// Changes the payment method of a subscription.
    fn change_payment_method<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        subscription: &'a SubscriptionId,
        source: &'a PaymentSource,
        return_url: &'a str,
    ) -> GatewayFuture<'a, MethodChange>;

    /// Continues after the payer authenticated or approved.
    fn confirm_payment_method<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        subscription: &'a SubscriptionId,
        setup: &'a SetupId,
    ) -> GatewayFuture<'a, MethodChange>;

    /// Refunds a payment, in whole or in part.
    fn refund<'a>(&'a self, key: &'a IdempotencyKey, request: &'a RefundRequest) -> GatewayFuture<'a, Refund>;

    /// Looks up a payment; `None` if the provider does not know it.
    fn find_payment<'a>(&'a self, payment: &'a PaymentId) -> GatewayFuture<'a, Option<Payment>>;

    /// Checks what can be checked of a webhook at `now` without a network call. Returns whether verifying it calls the
    /// provider; callers rate-limit those.
    ///
    /// # Errors
    /// The same as [`PaymentGateway::verify_webhook`].
    fn check_webhook(&self, _: WebhookRequest<'_>, _: Timestamp) -> Result<bool, WebhookError> {
        Ok(false)
    }

    /// Verifies a webhook at `now` and parses its event.
    fn verify_webhook<'a>(&'a self, webhook: WebhookRequest<'a>, now: Timestamp) -> WebhookFuture<'a>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_says_whether_the_provider_may_have_acted() {
        let decline = Decline { code: "card_declined".to_owned(), message: "Your card was declined.".to_owned() };
        for (error, acted, transient) in [
            (GatewayError::Declined(decline), false, false),
            (GatewayError::Unreachable(String::new()), false, true),
            (GatewayError::UnknownOutcome(String::new()), true, true),
            (GatewayError::RateLimited { retry_after: None }, false, true),
            (GatewayError::Refused(String::new()), false, false),
            (GatewayError::KeyReused, false, false),
            (GatewayError::Malformed(String::new()), true, true),
            (GatewayError::Unsupported(""), false, false),
        ] {
            assert_eq!((error.may_have_acted(), error.is_transient()), (acted, transient), "{error:?}");
        }
    }

    #[test]
    fn what_can_be_charged_with_is_never_printed() {
        assert_eq!(PaymentToken::new("pm_secret").expose(), "pm_secret");
        let source = PaymentSource::Token(PaymentToken::new("pm_secret"));
        let actions = [
            NextAction::Authenticate { client_secret: "pi_1_secret_x".to_owned() },
            NextAction::Approve { url: "https://pay.example/secret".to_owned() },
        ];
        assert!(!format!("{source:?}{actions:?}").contains("secret"));
    }

    #[test]
    fn providers_are_read_by_their_names_and_steps_have_keys_of_their_own() {
        for provider in GatewayProvider::ALL {
            assert_eq!(provider.as_str().parse(), Ok(provider));
        }
        assert_eq!("cash".parse::<GatewayProvider>(), Err(UnknownGatewayProvider));
        let key = IdempotencyKey::new("k");
        assert_eq!((key.step("capture").as_str(), key.as_str()), ("k/capture", "k"));
    }

    const NOW: Timestamp = Timestamp::from_millis(1_773_144_000_000);

    #[test]
    fn a_pause_or_a_deferral_that_is_over_is_ended_where_the_provider_does_not() {
        let found = |renewal| ProviderSubscription {
            id: SubscriptionId::new("sub_1"),
            checkout: None,
            plan_id: None,
            price: Money::from_cents(999),
            credit: Money::from_cents(0),
            customer: None,
            method: None,
            state: SubscriptionState::Active,
            renewal,
            period: None,
            next_charge_at: None,
            trial_ends_at: None,
        };
        let due = |renewal, resumes_by_itself| {
            let capabilities = Capabilities { resumes_by_itself, ends_by_itself: true, finds_by_checkout: true };
            found(renewal).resume_due(capabilities, NOW)
        };
        let later = NOW.plus(1);
        for renewal in [Renewal::PausedUntil(NOW), Renewal::DeferredUntil(NOW)] {
            assert_eq!((due(renewal, false), due(renewal, true)), (Some(NOW), None), "{renewal:?}");
        }
        for renewal in [Renewal::PausedUntil(later), Renewal::DeferredUntil(later), Renewal::On, Renewal::Stopped] {
            assert_eq!(due(renewal, false), None, "{renewal:?}");
        }
    }

    #[test]
    fn a_subscription_takes_nothing_before_its_trial_is_over() {
        let action = NextAction::Approve { url: String::new() };
        for (state, took_nothing, is_charged) in [
            (SubscriptionState::RequiresAction(action), true, false),
            (SubscriptionState::Trialing, true, false),
            (SubscriptionState::Active, false, true),
            (SubscriptionState::PastDue, false, true),
            (SubscriptionState::Ended, false, false),
        ] {
            assert_eq!((state.took_nothing(), state.is_charged()), (took_nothing, is_charged), "{state:?}");
        }
    }

    #[test]
    fn a_switch_that_costs_nothing_now_is_first_charged_with_the_next_period() {
        let preview = |charged_now| SwitchPreview {
            starts: SwitchStart::Now,
            charged_now: Money::from_cents(charged_now),
            credit_left: Money::from_cents(0),
            next_charge: Money::from_cents(999),
            next_charge_at: NOW.plus(DAY),
            computed_at: NOW,
        };
        assert_eq!(preview(1).first_charge(), (Money::from_cents(1), NOW));
        assert_eq!(preview(0).first_charge(), (Money::from_cents(999), NOW.plus(DAY)));
    }

    #[test]
    fn events_of_one_object_are_about_the_same_and_an_unknown_one_is_tried_for_a_day() {
        let one = ProviderEvent {
            id: ProviderEventId::new("evt_1"),
            provider: GatewayProvider::Stripe,
            at: NOW,
            kind: ProviderEventKind::Charge(ChargeId::new("pi_1")),
            checkout: None,
        };
        let later = ProviderEvent { id: ProviderEventId::new("evt_2"), at: NOW.plus(5), ..one.clone() };
        assert!(one.is_about_the_same(&later));
        for other in [
            ProviderEvent { provider: GatewayProvider::PayPal, ..later.clone() },
            ProviderEvent { kind: ProviderEventKind::Charge(ChargeId::new("pi_2")), ..later.clone() },
            ProviderEvent { kind: ProviderEventKind::Refund(PaymentId::new("pi_1")), ..later.clone() },
            ProviderEvent { checkout: Some(CheckoutReference::new("co_1")), ..later },
        ] {
            assert!(!one.is_about_the_same(&other), "{other:?}");
        }
        assert!(!one.is_given_up(NOW.plus(EVENT_KEPT)) && one.is_given_up(NOW.plus(EVENT_KEPT + 1)));
    }

    #[test]
    fn a_header_is_found_by_its_name() {
        let headers = [("stripe-signature".to_owned(), "t=1".to_owned())];
        let webhook = WebhookRequest { headers: &headers, body: b"{}" };
        assert_eq!((webhook.header("stripe-signature"), webhook.header("date")), (Some("t=1"), None));
    }
}
