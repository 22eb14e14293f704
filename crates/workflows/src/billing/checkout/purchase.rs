//! The states of a checkout: recorded, sent to the provider, authenticated, decided.

use billing::{
    AddOn, Billing, BillingCommands, BillingQueries, Checkout, CheckoutError, CheckoutKey, CheckoutOrder,
    CheckoutState, ClaimToken, CouponUseError, MemberPlan, Movement, MovementKind, OrderRefusal, PlanKind,
    PurchaseConflict, TrialIdentity, are_rivals, conflict,
    gateway::{
        Charge, ChargeId, ChargeRequest, ChargeState, CheckoutReference, CustomerId, Decline, GatewayError,
        GatewayProvider, IdempotencyKey, Lookup, NextAction, Payer, PaymentGateway, PaymentSource, PaymentToken,
        ProviderSubscription, SubscribeRequest, SubscriptionId, SubscriptionState, SubscriptionTerms,
    },
    settlement,
};
use identity::IdentityQueries;
use kernel::{Email, Money, PayerId, SECOND, StoreError, Timestamp, UserId};
use referral::{LinkId, ReferralQueries};
use sha2::{Digest, Sha256};

use crate::billing::checkout::{
    details::{Details, GiftDetails},
    error::SettleError,
    fulfil::{Buyer, pick_up_link},
    price::{PriceError, PriceRequest, PricedCart, price},
    settle::{decline_second_trial, settle_charge, settle_free, settle_subscription, surplus_of},
};
use crate::{
    billing::{
        given_gift::{GivenGift, gift_of},
        payments::PaymentFlows,
        receipts::receipt_link,
    },
    catalogue::infographics::{infographics_link, is_add_on},
    tx::Tx,
};

/// While a checkout waits for the provider's response, the person can't start a rival one for this long, in milliseconds: longer
/// than a provider's call takes.
const UNDER_WAY: i64 = 30 * SECOND;
/// The longest description of a charge, in characters.
const DESCRIPTION_MAX: usize = 127;

/// The payment method of a purchase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PayBy {
    /// A card: the token that the page's card form created. `None`: nothing is to be paid.
    Card(Option<PaymentToken>),
    PayPal,
}

/// A purchase that a person requests.
#[derive(Clone, Debug)]
pub struct PurchaseRequest {
    /// The page's idempotency key: the same however often the button is pressed.
    pub key: CheckoutKey,
    /// What is bought, with the coupon and the address for the receipt.
    pub price: PriceRequest,
    /// `None`: a guest.
    pub member: Option<UserId>,
    /// Empty for purchases that are not gifts.
    pub gift: GiftDetails,
    /// The referral link through which the person came.
    pub referral: Option<LinkId>,
    pub pay_by: PayBy,
    /// The amount due now as the page showed it, if it says.
    pub shown: Option<Money>,
}

/// The state of a checkout, as its payer sees it.
#[derive(Clone, Debug)]
pub struct CheckoutOutcome {
    pub checkout: Checkout,
    /// What the payer has to do, such as authenticate.
    pub action: Option<NextAction>,
    /// The claim token of a guest's purchase; `None` for a member's.
    pub charge_id: Option<ClaimToken>,
    /// What was charged so far.
    pub charged: Money,
    /// Time and amount of the next charge; `None` if there is none.
    pub next_charge: Option<(Timestamp, Money)>,
    /// The last part of the URL of the latest charge's receipt; `None` if nothing was charged.
    pub receipt: Option<String>,
    /// The last part of the URL of the infographics that were paid for; `None` if none were.
    pub infographics: Option<String>,
    /// The gift, if one was paid for.
    pub gift: Option<GivenGift>,
}

/// Why a purchase failed. Nothing was charged, unless a variant says so.
#[derive(Debug, thiserror::Error)]
pub enum PurchaseError {
    /// It can't be bought, or has no price.
    #[error(transparent)]
    Price(#[from] PriceError),
    /// A guest gave no address (`billing.buyer-address`).
    #[error("Please input an email address. We will send your payment receipt to that email.")]
    NoEmail,
    /// No card was given.
    #[error("There was an error processing your request. Please make sure your card number is valid.")]
    NoCard,
    /// The price differs from the one shown, or the coupon or the trial was used up meanwhile.
    #[error("The price has changed. Please check it before you pay.")]
    PriceChanged,
    /// A rival purchase waits for the provider's response.
    #[error("Another purchase of yours is being processed. Please wait a moment.")]
    UnderWay,
    /// The person owned this already: the second charge is refunded.
    #[error("You already have this. The charge will be refunded.")]
    GivenBack,
    /// The card was used for a trial before.
    #[error("This card has already been used for a free trial. Please check the price before you pay.")]
    TrialUsed,
    /// Another plan is running, which must be switched.
    #[error("You have another plan. Please switch it on your account page.")]
    SwitchInstead,
    /// The operator has configured no provider for this payment method.
    #[error("Payments are not available at the moment.")]
    NoProvider,
    /// The provider declined.
    #[error("{0}")]
    Declined(String),
    /// The provider can't be reached, or its outcome is unknown: the same key may be sent again.
    #[error("We could not reach the payment provider. You will not be charged twice: please try again in a moment.")]
    Unavailable,
    /// The key was used for another purchase, or there is no such checkout.
    #[error(transparent)]
    Checkout(#[from] CheckoutError),
    /// The provider's data could not be recorded.
    #[error(transparent)]
    Settle(SettleError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<ApplyError> for PurchaseError {
    fn from(error: ApplyError) -> Self {
        match error {
            ApplyError::TrialUsed => Self::TrialUsed,
            ApplyError::CouponUsed => Self::PriceChanged,
            ApplyError::Gateway(error) => error.into(),
            ApplyError::Settle(error) => error.into(),
            ApplyError::Store(error) => error.into(),
        }
    }
}

impl From<SettleError> for PurchaseError {
    fn from(error: SettleError) -> Self {
        match error {
            SettleError::Store(error) => Self::Store(error),
            SettleError::Checkout(error) => Self::Checkout(error),
            SettleError::TrialUsed => Self::TrialUsed,
            SettleError::CouponUsed => Self::PriceChanged,
            other @ SettleError::Billing(_) => Self::Settle(other),
        }
    }
}

impl From<GatewayError> for PurchaseError {
    fn from(error: GatewayError) -> Self {
        match error {
            GatewayError::Declined(decline) => Self::Declined(decline.message),
            GatewayError::KeyReused => Self::Checkout(CheckoutError::KeyReused),
            error if error.is_transient() => {
                tracing::warn!(%error, "a payment provider did not answer");
                Self::Unavailable
            }
            error => {
                tracing::warn!(%error, "a payment provider refused a request");
                Self::NoCard
            }
        }
    }
}

/// A provider's object of a checkout.
#[derive(Clone, Debug)]
pub enum ProviderObject {
    Charge(Charge),
    Subscription(ProviderSubscription),
}

impl ProviderObject {
    fn action(&self) -> Option<NextAction> {
        match self {
            Self::Charge(Charge { state: ChargeState::RequiresAction(action), .. })
            | Self::Subscription(ProviderSubscription { state: SubscriptionState::RequiresAction(action), .. }) => {
                Some(action.clone())
            }
            Self::Charge(_) | Self::Subscription(_) => None,
        }
    }

    fn decline(&self) -> Option<&Decline> {
        match self {
            Self::Charge(Charge { state: ChargeState::Failed(decline), .. }) => Some(decline),
            Self::Charge(_) | Self::Subscription(_) => None,
        }
    }
}

/// Why a provider's data was not applied.
#[derive(Debug, thiserror::Error)]
pub enum ApplyError {
    /// The card was used for a trial before: the subscription was ended, and nothing was charged.
    #[error("the card was used for a trial before")]
    TrialUsed,
    /// The coupon of a trial was used up meanwhile: the subscription was ended, and nothing was charged.
    #[error("the coupon was used up meanwhile")]
    CouponUsed,
    /// The provider could not be asked for the rest of the data.
    #[error(transparent)]
    Gateway(#[from] GatewayError),
    /// The data could not be recorded.
    #[error(transparent)]
    Settle(SettleError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<SettleError> for ApplyError {
    fn from(error: SettleError) -> Self {
        match error {
            SettleError::TrialUsed => Self::TrialUsed,
            SettleError::CouponUsed => Self::CouponUsed,
            SettleError::Store(error) => Self::Store(error),
            other @ (SettleError::Checkout(_) | SettleError::Billing(_)) => Self::Settle(other),
        }
    }
}

/// A checkout to be sent to the provider, with the data that is not stored with it.
struct CheckoutSubmission {
    checkout: Checkout,
    email: Option<Email>,
    customer: Option<CustomerId>,
    return_url: String,
}

/// Why a checkout was not started.
enum StartError {
    /// A concurrent request with the same key recorded it first: this transaction is rolled back, and tried again.
    Raced,
    Failed(PurchaseError),
}

impl<E: Into<PurchaseError>> From<E> for StartError {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

impl PaymentFlows {
    /// Buys something. Called again with the same key, it continues where it stopped, or returns the same outcome.
    pub async fn purchase(&self, request: PurchaseRequest) -> Result<CheckoutOutcome, PurchaseError> {
        let gateway = match request.pay_by {
            PayBy::Card(_) => self.cards(),
            PayBy::PayPal => self.gateway(GatewayProvider::PayPal),
        };
        let gateway = gateway.ok_or(PurchaseError::NoProvider)?.clone();
        let source = source_of(&request.pay_by);
        let sending = self.begin(request, gateway.provider()).await?;
        match sending.checkout.state {
            CheckoutState::Paid => self.outcome(sending.checkout, None).await,
            CheckoutState::Declined => Err(PurchaseError::Declined("Your card was declined.".to_owned())),
            CheckoutState::PriceChanged if sending.checkout.order.coupon.is_some() => Err(PurchaseError::PriceChanged),
            CheckoutState::PriceChanged => Err(PurchaseError::TrialUsed),
            CheckoutState::Reconciled => {
                Err(PurchaseError::Declined("Nothing was charged. Please try again.".to_owned()))
            }
            CheckoutState::NeedsAction => self.refresh(sending.checkout).await,
            CheckoutState::Started | CheckoutState::Submitted => self.send(&*gateway, sending, source).await,
        }
    }

    /// Records the checkout, or finds the one with this key.
    async fn begin(
        &self,
        request: PurchaseRequest,
        provider: GatewayProvider,
    ) -> Result<CheckoutSubmission, PurchaseError> {
        loop {
            let request = request.clone();
            match self.transactions.write(move |tx| begin(tx, &request, provider)).await {
                Ok(sending) => return Ok(sending),
                Err(StartError::Raced) => {}
                Err(StartError::Failed(error)) => return Err(error),
            }
        }
    }

    /// Sends the checkout to the provider, and applies the response.
    async fn send(
        &self,
        gateway: &dyn PaymentGateway,
        sending: CheckoutSubmission,
        source: Option<PaymentSource>,
    ) -> Result<CheckoutOutcome, PurchaseError> {
        let CheckoutSubmission { checkout, email, customer, return_url } = sending;
        if checkout.must_be_reconciled(self.env.now()) {
            return self.refresh(checkout).await;
        }
        let source = match source {
            Some(PaymentSource::Approval { .. }) => {
                let cancel_url = self.transactions.settings().link(&format!("/payment/{}", checkout.order.plan_id));
                PaymentSource::Approval { return_url: return_url.clone(), cancel_url }
            }
            Some(source) => source,
            None => return Err(PurchaseError::NoCard),
        };
        let key = IdempotencyKey::new(checkout.reference.as_str());
        let payer = Payer { email, customer };
        let answered = if let Some(renewal) = checkout.order.renewal {
            let order = &checkout.order;
            let names = (order.plan_id.as_str(), order.plan_name.as_str());
            let has_trial = order.trial_ends_at.is_some();
            let terms = SubscriptionTerms::new(names, renewal, has_trial, order.first_charge);
            let reference = checkout.reference.clone();
            let request = SubscribeRequest { checkout: reference, terms, payer, source, return_url };
            gateway.subscribe(&key, &request).await.map(ProviderObject::Subscription)
        } else {
            let description = checkout.order.plan_name.chars().take(DESCRIPTION_MAX).collect();
            let (reference, amount) = (checkout.reference.clone(), checkout.order.first_charge);
            let request = ChargeRequest { checkout: reference, amount, description, payer, source, return_url };
            gateway.charge(&key, &request).await.map(ProviderObject::Charge)
        };
        self.answered(checkout, answered).await
    }

    /// Applies the provider's response to a checkout.
    async fn answered(
        &self,
        checkout: Checkout,
        answered: Result<ProviderObject, GatewayError>,
    ) -> Result<CheckoutOutcome, PurchaseError> {
        match answered {
            Ok(object) => {
                let (action, decline) = (object.action(), object.decline().cloned());
                let checkout = self.apply(&checkout.reference, object).await?;
                match decline {
                    Some(decline) => Err(PurchaseError::Declined(decline.message)),
                    None => self.outcome(checkout, action).await,
                }
            }
            // The key was sent before with data that has changed since, such as the customer: looks up what the
            // provider did then.
            Err(GatewayError::KeyReused) => {
                let (reference, before) = (checkout.reference.clone(), checkout.state);
                let found = self.find(&checkout).await?.ok_or(CheckoutError::KeyReused)?;
                let action = found.action();
                let checkout = self.apply(&reference, found).await?;
                tracing::info!(%reference, ?before, "a checkout was looked up instead of sent again");
                self.outcome(checkout, action).await
            }
            Err(error) => {
                if !error.is_transient() {
                    self.close(&checkout.reference, CheckoutState::Declined).await?;
                }
                Err(error.into())
            }
        }
    }

    /// Closes a checkout that was not paid.
    async fn close(&self, reference: &CheckoutReference, state: CheckoutState) -> Result<Checkout, SettleError> {
        let reference = reference.clone();
        let closed = self.transactions.write::<_, CheckoutError, _>(move |tx| {
            let now = tx.now();
            tx.pg.advance_checkout(&reference, state, None, now)
        });
        Ok(closed.await?)
    }

    /// Applies a provider's charge or subscription to its checkout, in one transaction.
    ///
    /// # Errors
    /// After [`ApplyError::TrialUsed`] and [`ApplyError::CouponUsed`] the checkout is closed and the subscription ended.
    pub async fn apply(&self, reference: &CheckoutReference, object: ProviderObject) -> Result<Checkout, ApplyError> {
        let name = reference.clone();
        let subscription = match object {
            ProviderObject::Charge(charge) => {
                let applied = self.transactions.write(move |tx| settle_charge(tx, &name, &charge)).await;
                return Ok(applied?);
            }
            ProviderObject::Subscription(subscription) => subscription,
        };
        let looked_up = reference.clone();
        let checkout = self.transactions.read(move |tx| tx.pg.find_checkout(&looked_up)).await?;
        let checkout = checkout.ok_or(ApplyError::Settle(CheckoutError::Unknown.into()))?;
        let gateway = self.gateway(checkout.order.provider).ok_or(GatewayError::Unsupported("provider"))?;
        let took_nothing = subscription.state.took_nothing();
        let payments = if took_nothing { Vec::new() } else { gateway.subscription_payments(&subscription.id).await? };
        let id = subscription.id.clone();
        let applied = self.transactions.write(move |tx| settle_subscription(tx, &name, &subscription, &payments)).await;
        match applied {
            Err(SettleError::TrialUsed) => {
                let key = IdempotencyKey::new(reference.as_str()).step("second trial");
                gateway.cancel_now(&key, &id).await?;
                let name = reference.clone();
                self.transactions.write(move |tx| decline_second_trial(tx, &name)).await?;
                Err(ApplyError::TrialUsed)
            }
            Err(SettleError::CouponUsed) => {
                let key = IdempotencyKey::new(reference.as_str()).step("coupon used");
                gateway.cancel_now(&key, &id).await?;
                self.close(reference, CheckoutState::PriceChanged).await?;
                Err(ApplyError::CouponUsed)
            }
            applied => Ok(applied?),
        }
    }

    /// Looks up a checkout's charge or subscription at the provider; `None` if the provider has none.
    async fn find(&self, checkout: &Checkout) -> Result<Option<ProviderObject>, GatewayError> {
        let gateway = self.gateway(checkout.order.provider).ok_or(GatewayError::Unsupported("provider"))?;
        if checkout.order.renewal.is_some() {
            let id = checkout.provider_id.as_deref().map(SubscriptionId::new);
            let lookup = id.as_ref().map_or(Lookup::Checkout(&checkout.reference), Lookup::Id);
            return Ok(gateway.find_subscription(lookup).await?.map(ProviderObject::Subscription));
        }
        let id = checkout.provider_id.as_deref().map(ChargeId::new);
        let lookup = id.as_ref().map_or(Lookup::Checkout(&checkout.reference), Lookup::Id);
        Ok(gateway.find_charge(lookup).await?.map(ProviderObject::Charge))
    }

    /// Looks up a checkout at the provider, and applies what it finds; `None` if the provider has nothing.
    pub async fn reconcile(&self, checkout: &Checkout) -> Result<Option<Checkout>, ApplyError> {
        let Some(mut found) = self.find(checkout).await? else { return Ok(None) };
        if let ProviderObject::Charge(Charge { id, state: ChargeState::RequiresConfirmation, .. }) = &found {
            // The payer has approved: captures the money as if they had come back.
            if self.conflict_of(checkout).await?.is_some() {
                return Ok(Some(self.close(&checkout.reference, CheckoutState::Declined).await?));
            }
            let gateway = self.gateway(checkout.order.provider).ok_or(GatewayError::Unsupported("provider"))?;
            let key = IdempotencyKey::new(checkout.reference.as_str()).step("confirm");
            found = ProviderObject::Charge(gateway.confirm_charge(&key, id, checkout.order.first_charge).await?);
        }
        self.apply(&checkout.reference, found).await.map(Some)
    }

    /// Continues a viewer's checkout after the payer authenticated or approved.
    pub async fn confirm(
        &self,
        reference: CheckoutReference,
        viewer: Option<UserId>,
    ) -> Result<CheckoutOutcome, PurchaseError> {
        let checkout = self.transactions.read(move |tx| checkout_of(tx, &reference, viewer)).await?;
        self.go_on(checkout).await
    }

    /// Continues the checkout of an order or a subscription that the payer approved at PayPal.
    pub async fn confirm_approved(&self, id: String, viewer: Option<UserId>) -> Result<CheckoutOutcome, PurchaseError> {
        let checkout = self
            .transactions
            .read(move |tx| {
                let found = tx.pg.find_checkout_of_provider(GatewayProvider::PayPal, &id)?;
                let reference = found.ok_or(CheckoutError::Unknown)?.reference;
                checkout_of(tx, &reference, viewer)
            })
            .await?;
        self.go_on(checkout).await
    }

    async fn go_on(&self, checkout: Checkout) -> Result<CheckoutOutcome, PurchaseError> {
        let gateway = self.gateway(checkout.order.provider).ok_or(PurchaseError::NoProvider)?;
        let (true, Some(id)) = (checkout.state == CheckoutState::NeedsAction, &checkout.provider_id) else {
            return self.refresh(checkout).await;
        };
        if let Some(conflict) = self.conflict_of(&checkout).await? {
            return self.give_up(&**gateway, checkout, conflict).await;
        }
        let key = IdempotencyKey::new(checkout.reference.as_str()).step("confirm");
        let answered = if checkout.order.renewal.is_some() {
            gateway.confirm_subscription(&key, &SubscriptionId::new(id)).await.map(ProviderObject::Subscription)
        } else {
            let expected = checkout.order.first_charge;
            gateway.confirm_charge(&key, &ChargeId::new(id), expected).await.map(ProviderObject::Charge)
        };
        self.answered(checkout, answered).await
    }

    /// What the person has bought since the checkout started that rules it out.
    async fn conflict_of(&self, checkout: &Checkout) -> Result<Option<PurchaseConflict>, StoreError> {
        let (reference, order, purchase) = (checkout.reference.clone(), checkout.order.clone(), checkout.purchase());
        self.transactions
            .read(move |tx| {
                let Some(member) = tx.pg.member_of_payer(order.payer)? else { return Ok(None) };
                // If a webhook has settled the checkout meanwhile, its own purchase is no conflict.
                let is_waiting = |one: Checkout| one.state == CheckoutState::NeedsAction;
                if !tx.pg.find_checkout(&reference)?.is_some_and(is_waiting) {
                    return Ok(None);
                }
                let now = tx.now();
                let mut others = tx.pg.movements_of(member)?;
                others.retain(|one| one.purchase != purchase);
                let has = MemberPlan::of(&others);
                let kind = PlanKind::of_plan(&tx.pg.plans()?, &order.plan_id);
                Ok(conflict(&has, (&order.plan_id, kind), AddOn::plan_id_of_count(order.infographics), now))
            })
            .await
    }

    /// Closes a checkout that the person should no longer pay for. If the provider has taken the money already, it is recorded
    /// and then refunded as surplus.
    async fn give_up(
        &self,
        gateway: &dyn PaymentGateway,
        checkout: Checkout,
        conflict: PurchaseConflict,
    ) -> Result<CheckoutOutcome, PurchaseError> {
        let found = self.find(&checkout).await?;
        let is_taken = match &found {
            Some(ProviderObject::Charge(charge)) => matches!(charge.state, ChargeState::Succeeded(_)),
            Some(ProviderObject::Subscription(one)) => one.state.is_charged(),
            None => false,
        };
        if let Some(object) = found.filter(|_| is_taken) {
            let checkout = self.apply(&checkout.reference, object).await?;
            return self.outcome(checkout, None).await;
        }
        if let (Some(_), Some(id)) = (checkout.order.renewal, &checkout.provider_id) {
            let key = IdempotencyKey::new(checkout.reference.as_str()).step("given up");
            gateway.cancel_now(&key, &SubscriptionId::new(id)).await?;
        }
        self.close(&checkout.reference, CheckoutState::Declined).await?;
        Err(match conflict {
            PurchaseConflict::AlreadyOwned => PriceError::AlreadyOwned.into(),
            PurchaseConflict::AlreadySubscribed => PriceError::AlreadySubscribed.into(),
            PurchaseConflict::OtherPlanRuns(_) => PurchaseError::SwitchInstead,
        })
    }

    /// The state of a checkout that the payer left: for its member, or for a bearer of its claim token.
    pub async fn checkout_state(
        &self,
        reference: CheckoutReference,
        charge_id: Option<String>,
        viewer: Option<UserId>,
    ) -> Result<CheckoutOutcome, PurchaseError> {
        let checkout = self
            .transactions
            .read(move |tx| {
                let found = tx.pg.find_checkout(&reference)?.ok_or(CheckoutError::Unknown)?;
                if charge_id.as_deref() == Some(found.charge_id.as_str()) {
                    return Ok(found);
                }
                match (viewer, tx.pg.member_of_payer(found.order.payer)?) {
                    (Some(viewer), Some(owner)) if viewer == owner => Ok(found),
                    _ => Err(CheckoutError::Unknown),
                }
            })
            .await?;
        if checkout.state.is_pending() { self.refresh(checkout).await } else { self.outcome(checkout, None).await }
    }

    /// Asks the provider for the state of a checkout, and applies it.
    async fn refresh(&self, checkout: Checkout) -> Result<CheckoutOutcome, PurchaseError> {
        let object = self.find(&checkout).await?;
        let Some(object) = object else { return self.outcome(checkout, None).await };
        let action = object.action();
        let checkout = self.apply(&checkout.reference, object).await?;
        self.outcome(checkout, action).await
    }

    pub(crate) async fn outcome(
        &self,
        checkout: Checkout,
        action: Option<NextAction>,
    ) -> Result<CheckoutOutcome, PurchaseError> {
        self.transactions.read(move |tx| outcome(tx, checkout.clone(), action.clone())).await
    }
}

fn source_of(pay_by: &PayBy) -> Option<PaymentSource> {
    match pay_by {
        PayBy::Card(token) => token.clone().map(PaymentSource::Token),
        // `send` derives both URLs from the checkout.
        PayBy::PayPal => Some(PaymentSource::Approval { return_url: String::new(), cancel_url: String::new() }),
    }
}

/// A checkout that the viewer may continue: a guest's, or their own.
pub(crate) fn checkout_of<A>(
    tx: &mut Tx<'_, '_, A>,
    reference: &CheckoutReference,
    viewer: Option<UserId>,
) -> Result<Checkout, PurchaseError> {
    let found = tx.pg.find_checkout(reference)?.ok_or(CheckoutError::Unknown)?;
    match tx.pg.member_of_payer(found.order.payer)? {
        Some(owner) if viewer != Some(owner) => Err(CheckoutError::Unknown.into()),
        _ => Ok(found),
    }
}

fn outcome<A>(
    tx: &mut Tx<'_, '_, A>,
    checkout: Checkout,
    action: Option<NextAction>,
) -> Result<CheckoutOutcome, PurchaseError> {
    let (payer, purchase) = (checkout.order.payer, checkout.purchase());
    let movements = tx.pg.movements_of_payer(payer)?;
    if checkout.state == CheckoutState::Paid && is_given_back(tx, &checkout, &movements)? {
        return Err(PurchaseError::GivenBack);
    }
    let all_charges = || movements.iter().filter(|one| one.kind == MovementKind::Charged && one.purchase == purchase);
    let charged: i64 = all_charges().map(|one| one.amount.cents()).sum();
    let receipt = all_charges().next_back().and_then(|one| receipt_link(tx, one));
    let has_infographics = all_charges().any(|one| one.infographics > 0 || is_add_on(&one.plan_id));
    let infographics = has_infographics.then(|| infographics_link(tx, payer));
    let subscriptions = tx.pg.payer_plan(payer)?.subscriptions;
    let running = subscriptions.iter().find(|one| one.purchase == purchase);
    let next_charge = running.and_then(|one| one.next_charge_at(tx.now()));
    let is_guest = tx.pg.member_of_payer(payer)?.is_none();
    let charge_id = is_guest.then(|| checkout.charge_id.clone());
    let charged = Money::from_cents(charged);
    let gift = gift_of(tx, &checkout)?;
    Ok(CheckoutOutcome { checkout, action, charge_id, charged, next_charge, receipt, infographics, gift })
}

/// Whether what a checkout took is surplus and will be refunded, or was refunded as surplus.
fn is_given_back<A>(tx: &mut Tx<'_, '_, A>, checkout: &Checkout, movements: &[Movement]) -> Result<bool, StoreError> {
    let purchase = checkout.purchase();
    if !tx.pg.has_coupon_use(checkout)?
        || surplus_of(tx, checkout.order.payer)?.iter().any(|one| one.purchase == purchase)
    {
        return Ok(true);
    }
    Ok(settlement::is_given_back(&purchase, movements))
}

/// Records a checkout; a new one with its coupon use and trial. A member's checkouts start one after the other, so that each sees
/// the previous one.
fn begin(
    tx: &mut Tx<'_, '_>,
    request: &PurchaseRequest,
    provider: GatewayProvider,
) -> Result<CheckoutSubmission, StartError> {
    let (body_hash, now) = (body_hash(request), tx.now());
    let own = match request.member {
        Some(member) => {
            let email = tx.pg.user(member)?.ok_or(PriceError::SignedOut)?.email;
            let payer = tx.pg.payer_of_member(member, now)?;
            tx.pg.lock_payers(&[payer])?;
            Some((payer, email))
        }
        None => None,
    };
    if let Some(known) = tx.pg.known_checkout(&request.key, &body_hash)? {
        return Ok(sending(tx, known)?);
    }
    let priced = price(tx, request.member, &request.price)?;
    let typed = request.price.email.clone();
    let email = own.as_ref().map(|(_, email)| email.clone()).or(typed).ok_or(PurchaseError::NoEmail)?;
    check(request, &priced)?;
    let payer = match own {
        Some((payer, _)) => {
            check_rivals(tx, payer, &priced)?;
            payer
        }
        None => tx.pg.insert_guest_payer(&email, now)?,
    };
    // The browser may have lost the link through which the member came.
    let referral = match (&request.referral, request.member) {
        (None, Some(member)) => tx.pg.link_that_brought(member)?,
        (referral, _) => referral.clone(),
    };
    let details = Details {
        email: request.price.email.as_ref().map(|email| email.as_str().to_owned()),
        gift: request.gift.clone(),
    };
    let quote = &priced.quote;
    let order = CheckoutOrder {
        payer,
        provider,
        plan_id: priced.cart.plan().id.clone(),
        plan_name: priced.book_title.clone().unwrap_or_else(|| priced.cart.plan().name.clone()),
        quantity: priced.cart.quantity(),
        infographics: priced.cart.add_on().count(),
        coupon: priced.coupon.as_ref().map(|(code, _)| code.clone()),
        first_charge: quote.first_charge,
        trial_ends_at: quote.trial_ends_at,
        renewal: quote.renewal,
        referral: referral.map(|link| link.as_str().to_owned()),
        sealed_details: Some(details.seal(tx)?),
    };
    let checkout = Checkout::start(request.key.clone(), body_hash, order, tx.env);
    if !tx.pg.insert_checkout(&checkout)? {
        return Err(StartError::Raced);
    }
    let purchase = checkout.purchase();
    if let Some((code, shown)) = &priced.coupon {
        let used = tx.pg.use_coupon(code, (&purchase, &checkout.order.plan_id), now).map_err(|error| match error {
            CouponUseError::Coupon(error) => PurchaseError::Price(error.into()),
            CouponUseError::Store(error) => PurchaseError::Store(error),
        })?;
        if used != *shown {
            return Err(PurchaseError::PriceChanged.into());
        }
    }
    if quote.trial_ends_at.is_some()
        && !tx.pg.claim_trial(&TrialIdentity::new(request.member, &email, None), &purchase, now)?
    {
        return Err(PurchaseError::PriceChanged.into());
    }
    if !quote.needs_payment_method() {
        let checkout = settle_free(tx, &checkout.reference)?;
        return Ok(sending(tx, checkout)?);
    }
    let checkout = tx.pg.advance_checkout(&checkout.reference, CheckoutState::Submitted, None, now)?;
    Ok(sending(tx, checkout)?)
}

/// Fails while a rival purchase waits for the provider's response: both might be charged.
fn check_rivals(tx: &mut Tx<'_, '_>, payer: PayerId, priced: &PricedCart) -> Result<(), PurchaseError> {
    let since = tx.now().plus(-UNDER_WAY);
    let waiting = tx.pg.checkouts_under_way(payer, since)?;
    if waiting.is_empty() {
        return Ok(());
    }
    let (plan, plans) = (priced.cart.plan(), tx.pg.plans()?);
    let is_rival = |one: &Checkout| {
        let other = one.order.plan_id.as_str();
        are_rivals(
            (&plan.id, plan.kind, priced.cart.add_on().count()),
            (other, PlanKind::of_plan(&plans, other), one.order.infographics),
        )
    };
    if waiting.iter().any(is_rival) { Err(PurchaseError::UnderWay) } else { Ok(()) }
}

/// Fails if a plan must be switched instead, the price shown is outdated, or the payment method is missing.
fn check(request: &PurchaseRequest, priced: &PricedCart) -> Result<(), PurchaseError> {
    if priced.running.is_some() {
        return Err(PurchaseError::SwitchInstead);
    }
    let has_source = !matches!(request.pay_by, PayBy::Card(None));
    priced.quote.check_order(request.shown, has_source).map_err(|refusal| match refusal {
        OrderRefusal::PriceChanged => PurchaseError::PriceChanged,
        OrderRefusal::NoPaymentMethod => PurchaseError::NoCard,
    })
}

fn sending(tx: &mut Tx<'_, '_>, checkout: Checkout) -> Result<CheckoutSubmission, StoreError> {
    let (payer, provider) = (checkout.order.payer, checkout.order.provider);
    let email = Buyer::of(tx, payer)?.email;
    let return_url = pick_up_link(tx, &checkout);
    Ok(CheckoutSubmission { email, customer: tx.pg.provider_customer_of(payer, provider)?, return_url, checkout })
}

/// The hash of who requests what, which must not differ between requests with the same key.
fn body_hash(request: &PurchaseRequest) -> [u8; 32] {
    let mut hasher = Sha256::new();
    let mut add = |text: &str| {
        hasher.update(text.len().to_be_bytes());
        hasher.update(text.as_bytes());
    };
    let price = &request.price;
    add(&request.member.map_or_else(|| "guest".to_owned(), |member| member.to_string()));
    add(&price.plan_id);
    add(&format!("{:?} {}", price.quantity, price.infographics));
    add(price.coupon.as_deref().unwrap_or_default());
    add(price.email.as_ref().map_or("", Email::as_str));
    let gift = &request.gift;
    for text in [&gift.sender_name, &gift.recipient_name, &gift.message] {
        add(text);
    }
    add(gift.recipient_email.as_deref().unwrap_or_default());
    if let Some(at) = gift.deliver_at {
        add(&format!("deliver at {at}"));
    }
    add(request.referral.as_ref().map_or("", LinkId::as_str));
    match &request.pay_by {
        PayBy::Card(token) => add(token.as_ref().map_or("", PaymentToken::expose)),
        PayBy::PayPal => add("paypal"),
    }
    hasher.finalize().into()
}
