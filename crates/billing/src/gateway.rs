//! The port to payment providers: what billing asks of one, and what it learns.
//!
//! `payments` implements it for Stripe, PayPal and the sandbox (`billing.card-payments`). The futures are boxed futures of the
//! standard library, so that this crate knows neither a runtime nor HTTP.
//!
//! Invariants:
//!
//! - Sums are whole cents, USD. The amount is the server's; a provider's answer says what was charged.
//! - Every call that changes something takes an [`IdempotencyKey`]. The same call with the same key acts once, however often
//!   it is made within 24 hours. After that a caller looks things up ([`PaymentGateway::find_charge`]) instead of calling again.
//! - An error says whether the provider may have acted ([`GatewayError::may_have_acted`]). Then the call is repeated with
//!   the same key, or looked up; it is never made with another key.
//! - An event names objects and carries no state: the caller that applies it fetches the object. So events may come late, twice, in
//!   any order, and before the answer of the call that caused them.

use std::{fmt, pin::Pin, str::FromStr, time::Duration};

use kernel::{DAY, Email, Money, Period, Timestamp};

/// What a call of a gateway returns.
pub type GatewayFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, GatewayError>> + Send + 'a>>;
/// What the verification of a webhook returns.
pub type WebhookFuture<'a> = Pin<Box<dyn Future<Output = Result<ProviderEvent, WebhookError>> + Send + 'a>>;

/// A payment provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum GatewayProvider {
    /// The provider inside the server, for running without keys (`billing.sandbox-cards`).
    Sandbox,
    /// Cards and wallets.
    Stripe,
    /// PayPal.
    PayPal,
}

/// The text names no payment provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no such payment provider")]
pub struct UnknownGatewayProvider;

impl GatewayProvider {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Sandbox, Self::Stripe, Self::PayPal];

    /// Whether a running subscription can be switched to another plan from here. A payer of PayPal's would have to approve it
    /// there, and PayPal counts nothing of what was paid.
    pub const fn switches_plans(self) -> bool {
        !matches!(self, Self::PayPal)
    }

    /// Its name in the store and on the wire.
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
            /// Takes the text.
            pub fn new(text: impl Into<String>) -> Self {
                Self(text.into())
            }

            /// The text.
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
    /// Our own id of a checkout. It is stored with the provider, so that what it charged is found by it. Up to 100 characters,
    /// ASCII letters, digits, `-` and `_`.
    CheckoutReference,
    /// A customer as the provider knows them, with their payment methods: `cus_…`. PayPal: the payer's id.
    CustomerId,
    /// One attempt to charge once: `pi_…`. PayPal: the order's id.
    ChargeId,
    /// Money that was taken, what a refund names: `pi_…`. PayPal: the capture's or the transaction's id.
    PaymentId,
    /// A subscription: `sub_…`. PayPal: `I-…`.
    SubscriptionId,
    /// An attempt to change a payment method: `seti_…`. PayPal: the subscription's id.
    SetupId,
    /// A refund: `re_…`.
    RefundId,
    /// A provider's event: `evt_…`. Unique within the provider.
    ProviderEventId,
    /// A plan as the provider knows it (PayPal's `P-…`), for the wire's `paypalPlan`.
    ProviderPlanId,
    /// The same text for the same card number in all accounts. PayPal: the payer's id.
    CardFingerprint,
    /// One operation of ours. Providers get a hash of it, so any text will do that is not empty.
    IdempotencyKey,
}

impl IdempotencyKey {
    /// The key of one step of this operation.
    #[must_use]
    pub fn step(&self, name: &str) -> Self {
        Self(format!("{}/{name}", self.0))
    }
}

/// What the page's card form made: a confirmation token (`ctoken_…`), a payment method (`pm_…`) or a legacy token (`tok_…`). It
/// can be charged with, so `Debug` hides it.
#[derive(Clone, PartialEq, Eq)]
pub struct PaymentToken(String);

impl PaymentToken {
    /// Takes the text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for PaymentToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PaymentToken(…)")
    }
}

/// With what is paid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PaymentSource {
    /// What the page's card form made.
    Token(PaymentToken),
    /// The default payment method of the stored customer: the one that their subscription took last. A charge stores none.
    Saved,
    /// The payer approves at the provider (PayPal). The answer is [`NextAction::Approve`].
    Approval {
        /// Where the provider sends the payer who approved.
        return_url: String,
        /// Where the provider sends the payer who did not.
        cancel_url: String,
    },
}

/// Who pays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payer {
    /// Where the provider's receipts go, and how the customer is found by people at the provider.
    pub email: Option<Email>,
    /// The customer that an earlier answer named; without one the gateway makes one.
    pub customer: Option<CustomerId>,
}

/// Something is charged once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChargeRequest {
    /// Our id of the checkout.
    pub checkout: CheckoutReference,
    /// What is charged: above zero.
    pub amount: Money,
    /// What it is for, as it stands in the provider's receipt. Up to 127 characters.
    pub description: String,
    /// Who pays.
    pub payer: Payer,
    /// With what.
    pub source: PaymentSource,
    /// Where the provider's page leads back to when authentication takes place there. An absolute URL.
    pub return_url: String,
}

/// How often a subscription renews.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RenewalInterval {
    /// Each calendar month.
    Month,
    /// Each calendar year.
    Year,
}

impl RenewalInterval {
    /// How many calendar months it has.
    pub const fn months(self) -> i64 {
        match self {
            Self::Month => 1,
            Self::Year => 12,
        }
    }
}

/// What a subscription costs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SubscriptionTerms {
    /// Our plan's id: `monthly`.
    pub plan_id: String,
    /// The plan's name for people.
    pub name: String,
    /// What each renewal costs: above zero.
    pub price: Money,
    /// How often it renews.
    pub interval: RenewalInterval,
    /// How many days pass before the first charge: 0 or `TRIAL_DAYS`.
    pub trial_days: u32,
    /// The first charge, which add-ons raise and a coupon lowers (`billing.coupon-first-charge`): due at the trial's end, at once without a
    /// trial. Not below zero.
    pub first_charge: Money,
}

/// A subscription begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubscribeRequest {
    /// Our id of the checkout.
    pub checkout: CheckoutReference,
    /// What it costs.
    pub terms: SubscriptionTerms,
    /// Who pays.
    pub payer: Payer,
    /// With what.
    pub source: PaymentSource,
    /// Where the provider's page leads back to when authentication takes place there. An absolute URL.
    pub return_url: String,
}

/// What the payer has to do before the provider acts.
#[derive(Clone, PartialEq, Eq)]
pub enum NextAction {
    /// The page authenticates the payer (3-D Secure): `requiresAction` with this `clientSecret`.
    Authenticate {
        /// The provider's secret for the payer's browser. It is never logged.
        client_secret: String,
    },
    /// The payer approves at the provider's page, or in its buttons with the id of the charge or subscription.
    Approve {
        /// The provider's page.
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

/// A payment method, as far as it may be known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaymentMethod {
    /// The brand as people read it (`visa`), or `paypal`.
    pub brand: String,
    /// The card's last four digits; none for PayPal.
    pub last4: Option<String>,
    /// Month and year of expiry.
    pub expires: Option<(u32, u32)>,
    /// Equal for equal card numbers; `None` where the provider does not tell.
    pub fingerprint: Option<CardFingerprint>,
}

/// An attempt to charge once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Charge {
    /// Its id.
    pub id: ChargeId,
    /// Our id of the checkout, when the provider has one stored.
    pub checkout: Option<CheckoutReference>,
    /// What is or was to be charged.
    pub amount: Money,
    /// The customer.
    pub customer: Option<CustomerId>,
    /// The payment method, once it is known.
    pub method: Option<PaymentMethod>,
    /// How far it is.
    pub state: ChargeState,
}

/// How far an attempt to charge is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChargeState {
    /// The money was taken.
    Succeeded(Payment),
    /// The payer has to do something. Nothing was taken.
    RequiresAction(NextAction),
    /// The payer approved; [`PaymentGateway::confirm_charge`] takes the money.
    RequiresConfirmation,
    /// The provider has not decided yet. An event tells when it has.
    Processing,
    /// It failed for good. Nothing was taken. Only lookups return this; the calls that charge fail with
    /// [`GatewayError::Declined`].
    Failed(Decline),
    /// It was called off or has expired. Nothing was taken.
    Canceled,
}

/// Money that was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payment {
    /// Its id, which a refund names.
    pub id: PaymentId,
    /// What was taken.
    pub amount: Money,
    /// How much of it went back since.
    pub refunded: Money,
    /// When it was taken.
    pub at: Timestamp,
}

/// A subscription at the provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subscription {
    /// Its id.
    pub id: SubscriptionId,
    /// Our id of the checkout.
    pub checkout: Option<CheckoutReference>,
    /// Our plan's id, as the provider has it stored; `None`: it was not made by us.
    pub plan_id: Option<String>,
    /// What the next renewal costs, before credits.
    pub price: Money,
    /// What is left over of an earlier plan, and lowers the next charges. Not below zero.
    pub credit: Money,
    /// The customer.
    pub customer: Option<CustomerId>,
    /// The payment method, once it is known.
    pub method: Option<PaymentMethod>,
    /// How far it is.
    pub state: SubscriptionState,
    /// What becomes of it at the end of its period.
    pub renewal: Renewal,
    /// The latest period that was paid; in the trial, the trial. `None` before it began. In a pause or deferral it ends before
    /// the next charge.
    pub period: Option<Period>,
    /// When the next charge is due, or the end of a subscription whose renewal is off; `None` when it has ended or not begun.
    pub next_charge_at: Option<Timestamp>,
    /// The end of the trial, when there is or was one.
    pub trial_ends_at: Option<Timestamp>,
}

impl Subscription {
    /// The moment of a pause or a deferral that is over; `None`: it goes on by itself, or not yet.
    pub fn resume_due(&self, capabilities: Capabilities, now: Timestamp) -> Option<Timestamp> {
        match self.renewal {
            Renewal::PausedUntil(until) | Renewal::DeferredUntil(until) => {
                Some(until).filter(|until| *until <= now && !capabilities.resumes_by_itself)
            }
            Renewal::On | Renewal::Stopped => None,
        }
    }
}

/// How far a subscription is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SubscriptionState {
    /// The payer has to do something before it begins.
    RequiresAction(NextAction),
    /// Nothing was charged yet; the first charge is due at the trial's end.
    Trialing,
    /// Paid up to the end of its period.
    Active,
    /// A renewal failed; the provider tries again, and [`PaymentGateway::collect_overdue`] does at once.
    PastDue,
    /// It has ended, or never began.
    Ended,
}

impl SubscriptionState {
    /// Whether nothing can have been charged yet.
    pub const fn took_nothing(&self) -> bool {
        matches!(self, Self::RequiresAction(_) | Self::Trialing)
    }

    /// Whether money was taken for it, and it goes on.
    pub const fn is_charged(&self) -> bool {
        matches!(self, Self::Active | Self::PastDue)
    }
}

/// What becomes of a subscription at the end of its period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Renewal {
    /// It renews.
    On,
    /// It ends.
    Stopped,
    /// The member paused it: nothing is collected until then. A new period begins with the charge at that moment.
    PausedUntil(Timestamp),
    /// The next charge was put off to that moment, with which a new period begins.
    DeferredUntil(Timestamp),
}

/// What a switch of plan costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwitchPreview {
    /// When the new plan begins.
    pub starts: SwitchStart,
    /// What is charged at once: the new price less what is left of the old period. Not below zero.
    pub charged_now: Money,
    /// What is left over of the old period, and lowers later charges. Not below zero.
    pub credit_left: Money,
    /// The charge after that.
    pub next_charge: Money,
    /// When that is due.
    pub next_charge_at: Timestamp,
    /// The moment for which the sums were computed. [`PaymentGateway::switch_plan`] takes it back, so that what was shown is charged.
    pub computed_at: Timestamp,
}

impl SwitchPreview {
    /// What is charged first with the new plan, and when: of a switch that costs nothing now the charge of the next period.
    pub fn first_charge(&self) -> (Money, Timestamp) {
        if self.charged_now.cents() > 0 {
            (self.charged_now, self.computed_at)
        } else {
            (self.next_charge, self.next_charge_at)
        }
    }
}

/// When a switched plan begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwitchStart {
    /// At once, prorated.
    Now,
    /// With the next period: the provider does not prorate (PayPal). The payer approves it first.
    NextPeriod,
}

/// A refund is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefundRequest {
    /// What is given back.
    pub payment: PaymentId,
    /// How much; `None`: all that is left.
    pub amount: Option<Money>,
}

/// A refund.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refund {
    /// Its id.
    pub id: RefundId,
    /// What is given back.
    pub payment: PaymentId,
    /// How much.
    pub amount: Money,
    /// Whether the provider has decided.
    pub state: RefundState,
}

/// How far a refund is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefundState {
    /// It is done.
    Succeeded,
    /// It is on its way. An event tells when it is done.
    Pending,
    /// It failed: the money is still ours.
    Failed,
}

/// What a change of payment method came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MethodChange {
    /// Renewals use it from now on.
    Changed(PaymentMethod),
    /// The payer has to do something; then [`PaymentGateway::confirm_payment_method`] is called.
    RequiresAction {
        /// What is confirmed.
        setup: SetupId,
        /// What the payer has to do.
        action: NextAction,
    },
}

/// How a charge or a subscription is looked up: by the provider's id when it is known, otherwise by our checkout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookup<'a, Id> {
    /// By the provider's id.
    Id(&'a Id),
    /// By our checkout. A provider may take a minute until what it just made is found by it.
    Checkout(&'a CheckoutReference),
}

/// What a page needs to take money with a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageSettings {
    /// The provider.
    pub provider: GatewayProvider,
    /// The publishable key (Stripe) or the client id (PayPal). None in the sandbox.
    pub public_key: Option<String>,
}

/// What a provider does by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// Whether a paused or deferred subscription goes on by itself at its moment. Otherwise a sweep calls
    /// [`PaymentGateway::resume_collection`] then.
    pub resumes_by_itself: bool,
    /// Whether a subscription whose renewal was stopped ends by itself at the end of its period. Otherwise a sweep calls
    /// [`PaymentGateway::cancel_now`] then.
    pub ends_by_itself: bool,
    /// Whether charges and subscriptions are found by our checkout. Otherwise the provider takes no money that the server
    /// does not take with an id in its hands.
    pub finds_by_checkout: bool,
}

/// A webhook as it arrived.
#[derive(Clone, Copy, Debug)]
pub struct WebhookRequest<'a> {
    /// Names in lower case, and values, of the headers.
    pub headers: &'a [(String, String)],
    /// The raw body: a signature covers its bytes.
    pub body: &'a [u8],
}

impl WebhookRequest<'_> {
    /// The value of a header, by its name in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

/// A verified event of a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderEvent {
    /// Its id: it is stored once by it.
    pub id: ProviderEventId,
    /// Whose it is.
    pub provider: GatewayProvider,
    /// When it happened, by the provider's clock.
    pub at: Timestamp,
    /// What changed. The object is fetched before anything is decided.
    pub kind: ProviderEventKind,
    /// Our checkout, when the event has it.
    pub checkout: Option<CheckoutReference>,
}

/// For how long an event is tried again whose object is not known here, in milliseconds.
pub const EVENT_KEPT: i64 = DAY;

impl ProviderEvent {
    /// Whether the provider is asked the same for both: what it says for one is also what it says for the other.
    pub fn is_about_the_same(&self, other: &Self) -> bool {
        self.provider == other.provider && self.kind == other.kind && self.checkout == other.checkout
    }

    /// Whether an event whose object is not known here is tried no more.
    pub const fn is_given_up(&self, now: Timestamp) -> bool {
        now.since(self.at) > EVENT_KEPT
    }
}

/// What changed at the provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProviderEventKind {
    /// A charge went through, failed, was approved, or was called off.
    Charge(ChargeId),
    /// A subscription began, was renewed, failed to renew, changed or ended.
    Subscription(SubscriptionId),
    /// Money went back, in whole or in part.
    Refund(PaymentId),
    /// The payer disputes a payment with their bank; the money is held back.
    DisputeOpened(PaymentId),
    /// A dispute was decided.
    DisputeClosed {
        /// The payment.
        payment: PaymentId,
        /// Whether the money stays ours.
        won: bool,
    },
    /// A customer's payment methods changed.
    Customer(CustomerId),
    /// Nothing that billing acts on. It is stored and answered like the others.
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

/// Why a gateway could not do as asked. Causes are for the log and hold no secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GatewayError {
    /// The payment was declined. Nothing was taken.
    #[error("the payment was declined: {0}")]
    Declined(Decline),
    /// The provider was not reached: nothing was sent.
    #[error("the payment provider can't be reached: {0}")]
    Unreachable(String),
    /// The request was sent and no answer came, or one of a failing server. The provider may have acted.
    #[error("it is not known what the payment provider did: {0}")]
    UnknownOutcome(String),
    /// Too many requests. The provider did not act.
    #[error("the payment provider limits requests")]
    RateLimited {
        /// How long to wait, when the provider says so.
        retry_after: Option<Duration>,
    },
    /// The provider refused the request: it does not fit its state, or ours. It did not act.
    #[error("the payment provider refused the request: {0}")]
    Refused(String),
    /// The key was used for another request. The provider did not act on this one.
    #[error("the idempotency key was used for another request")]
    KeyReused,
    /// The answer can't be read. The provider may have acted.
    #[error("the answer of the payment provider can't be read: {0}")]
    Malformed(String),
    /// The provider has no such thing.
    #[error("the payment provider does not do this: {0}")]
    Unsupported(&'static str),
}

impl GatewayError {
    /// Whether the provider may have acted: then the call is repeated with the same key, or looked up.
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

    /// Whether the same call with the same key may end differently later.
    pub const fn is_transient(&self) -> bool {
        match self {
            Self::Unreachable(_) | Self::UnknownOutcome(_) | Self::RateLimited { .. } | Self::Malformed(_) => true,
            Self::Declined(_) | Self::Refused(_) | Self::KeyReused | Self::Unsupported(_) => false,
        }
    }
}

/// Why a webhook is not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WebhookError {
    /// It bears no signature.
    #[error("the webhook is not signed")]
    Unsigned,
    /// The signature is not the provider's, or not of this body.
    #[error("the webhook's signature is wrong")]
    WrongSignature,
    /// It was signed more than [`WEBHOOK_TOLERANCE`] ago, or as much in the future.
    #[error("the webhook's signature is too old")]
    TooOld,
    /// The body is no event.
    #[error("the webhook can't be read: {0}")]
    Unreadable(String),
    /// The provider, which verifies its webhooks itself (PayPal), could not be asked: the answer is a 503, and it sends again.
    #[error("the webhook can't be verified now: {0}")]
    Unverified(GatewayError),
}

/// The greatest age of a webhook's signature.
pub const WEBHOOK_TOLERANCE: Duration = Duration::from_mins(5);

/// A payment provider.
///
/// Calls are bounded in time. A gateway repeats a call by itself only where the key makes that safe.
pub trait PaymentGateway: Send + Sync + fmt::Debug {
    /// Which one it is.
    fn provider(&self) -> GatewayProvider;

    /// What it does by itself.
    fn capabilities(&self) -> Capabilities;

    /// What a page needs to take money with it.
    fn page_settings(&self) -> PageSettings;

    /// The provider's id of a plan with these terms, where pages need one (PayPal). Makes it when it is not there.
    fn provider_plan<'a>(&'a self, terms: &'a SubscriptionTerms) -> GatewayFuture<'a, Option<ProviderPlanId>>;

    /// Charges once.
    fn charge<'a>(&'a self, key: &'a IdempotencyKey, request: &'a ChargeRequest) -> GatewayFuture<'a, Charge>;

    /// Goes on after the payer authenticated or approved: takes the money where the provider has not (PayPal's capture), and returns
    /// how far the charge is. It is refused, before anything is taken, when the amount is not `expected`.
    fn confirm_charge<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        charge: &'a ChargeId,
        expected: Money,
    ) -> GatewayFuture<'a, Charge>;

    /// Looks a charge up.
    fn find_charge<'a>(&'a self, lookup: Lookup<'a, ChargeId>) -> GatewayFuture<'a, Option<Charge>>;

    /// Begins a subscription. With a trial the payment method is set up and nothing is charged.
    fn subscribe<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        request: &'a SubscribeRequest,
    ) -> GatewayFuture<'a, Subscription>;

    /// Goes on after the payer authenticated or approved.
    fn confirm_subscription<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        subscription: &'a SubscriptionId,
    ) -> GatewayFuture<'a, Subscription>;

    /// Looks a subscription up.
    fn find_subscription<'a>(&'a self, lookup: Lookup<'a, SubscriptionId>) -> GatewayFuture<'a, Option<Subscription>>;

    /// What a subscription took, the latest first, at most the latest twelve.
    fn subscription_payments<'a>(&'a self, subscription: &'a SubscriptionId) -> GatewayFuture<'a, Vec<Payment>>;

    /// Stops renewal: the subscription ends with its period.
    fn cancel_at_period_end<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        subscription: &'a SubscriptionId,
    ) -> GatewayFuture<'a, Subscription>;

    /// Turns renewal on again, before the period has ended.
    fn resume_renewal<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        subscription: &'a SubscriptionId,
    ) -> GatewayFuture<'a, Subscription>;

    /// Ends a subscription at once. Nothing is given back by this.
    fn cancel_now<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        subscription: &'a SubscriptionId,
    ) -> GatewayFuture<'a, Subscription>;

    /// Takes what is left of the credit of switches, which pays for nothing any more.
    fn forfeit_credit<'a>(&'a self, key: &'a IdempotencyKey, subscription: &'a SubscriptionId)
    -> GatewayFuture<'a, ()>;

    /// What a switch to these terms would cost now. Trial and first charge of the terms do not count. A paused or deferred
    /// subscription is resumed first; it is refused otherwise.
    fn preview_switch<'a>(
        &'a self,
        subscription: &'a SubscriptionId,
        terms: &'a SubscriptionTerms,
    ) -> GatewayFuture<'a, SwitchPreview>;

    /// Switches the plan as previewed. In a trial nothing is charged and the trial goes on.
    fn switch_plan<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        subscription: &'a SubscriptionId,
        terms: &'a SubscriptionTerms,
        preview: &'a SwitchPreview,
    ) -> GatewayFuture<'a, Subscription>;

    /// Collects nothing until that moment, which is after the end of the period. A new period begins with the charge then.
    fn pause_collection<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        subscription: &'a SubscriptionId,
        until: Timestamp,
    ) -> GatewayFuture<'a, Subscription>;

    /// Ends a pause or a deferral: the next charge is due at the end of the paid period, at once when that has passed.
    fn resume_collection<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        subscription: &'a SubscriptionId,
    ) -> GatewayFuture<'a, Subscription>;

    /// Puts the next charge off to that moment, without proration (a redeemed year, `billing.redeemed-period`).
    fn defer_renewal<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        subscription: &'a SubscriptionId,
        until: Timestamp,
    ) -> GatewayFuture<'a, Subscription>;

    /// Collects a failed renewal now, with the subscription's payment method.
    fn collect_overdue<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        subscription: &'a SubscriptionId,
    ) -> GatewayFuture<'a, Subscription>;

    /// Changes the payment method of a subscription.
    fn change_payment_method<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        subscription: &'a SubscriptionId,
        source: &'a PaymentSource,
        return_url: &'a str,
    ) -> GatewayFuture<'a, MethodChange>;

    /// Goes on after the payer authenticated or approved.
    fn confirm_payment_method<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        subscription: &'a SubscriptionId,
        setup: &'a SetupId,
    ) -> GatewayFuture<'a, MethodChange>;

    /// Gives money back.
    fn refund<'a>(&'a self, key: &'a IdempotencyKey, request: &'a RefundRequest) -> GatewayFuture<'a, Refund>;

    /// Looks a payment up.
    fn find_payment<'a>(&'a self, payment: &'a PaymentId) -> GatewayFuture<'a, Option<Payment>>;

    /// What can be seen of a webhook at `now` without asking anybody, and whether verifying it asks the provider: then a caller limits
    /// how often.
    ///
    /// # Errors
    /// Those of [`PaymentGateway::verify_webhook`].
    fn check_webhook(&self, _: WebhookRequest<'_>, _: Timestamp) -> Result<bool, WebhookError> {
        Ok(false)
    }

    /// Verifies a webhook at `now` and reads its event.
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
        let found = |renewal| Subscription {
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
