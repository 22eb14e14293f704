//! Prices: what a purchase costs a person.

use billing::{
    BillingQueries, Cart, CartError, CartRequest, CouponCode, CouponError, CouponTerms, PurchaseConflict, Quote,
    Subscription, TrialIdentity, conflict,
    gateway::{CheckoutReference, GatewayError, GatewayProvider, SubscriptionId, SubscriptionTerms, SwitchPreview},
};
use catalogue::{BookRef, CatalogueQueries};
use identity::IdentityQueries;
use kernel::{Email, Money, StoreError, Timestamp, UserId};

use crate::{billing::payments::PaymentFlows, tx::Tx};

/// A request for a price.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PriceRequest {
    /// The plan's id, as in URLs.
    pub plan_id: String,
    /// The number of codes or seats; `None` for plans without one.
    pub quantity: Option<u32>,
    /// The number of infographics in the add-on.
    pub infographics: u32,
    /// The coupon code, as typed.
    pub coupon: Option<String>,
    /// A guest's address, to check whether they have had a trial.
    pub email: Option<Email>,
}

/// Why there is no price.
#[derive(Debug, thiserror::Error)]
pub enum PriceError {
    /// The plan can't be bought in this way.
    #[error(transparent)]
    Cart(#[from] CartError),
    /// The coupon is not valid.
    #[error(transparent)]
    Coupon(#[from] CouponError),
    /// The member has this plan already.
    #[error("You already have this plan.")]
    AlreadySubscribed,
    /// Another plan is running, at a provider that can't switch it.
    #[error(
        "Your plan is paid through PayPal and can't be switched here. Turn off its renewal in your account; once it has ended, you can choose another plan."
    )]
    NoSwitchAtProvider,
    /// The member owns it already.
    #[error("You have already bought this.")]
    AlreadyOwned,
    /// The viewer's account was deleted meanwhile.
    #[error("the member is not signed in any more")]
    SignedOut,
    /// The provider could not compute the cost of a switch.
    #[error(transparent)]
    Gateway(#[from] GatewayError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A cart with its price.
#[derive(Clone, Debug)]
pub struct PricedCart {
    pub cart: Cart,
    /// What is charged, and when.
    pub quote: Quote,
    /// The valid coupon and what it takes off.
    pub coupon: Option<(CouponCode, CouponTerms)>,
    /// The title, if a book is bought.
    pub book_title: Option<String>,
    /// The running subscription of another plan, which must be switched instead.
    pub running: Option<Subscription>,
}

/// What the payment page shows before a purchase.
#[derive(Clone, Debug)]
pub struct Offer {
    pub priced: PricedCart,
    /// What a switch from the running subscription would cost.
    pub switch: Option<SwitchPreview>,
    /// The plan's id at PayPal.
    pub paypal_plan: Option<String>,
    /// How many infographics exist today: an add-on includes the newest of them, and later ones.
    pub infographics_today: u64,
}

impl Offer {
    /// What is charged at the moment of the purchase. For a switch, this is what the provider charges.
    pub fn due_now(&self) -> Money {
        self.switch.as_ref().map_or_else(|| self.priced.quote.due_now(), |switch| switch.charged_now)
    }

    /// Amount and time of the first charge.
    pub fn first_charge(&self) -> (Money, Timestamp) {
        match &self.switch {
            None => (self.priced.quote.first_charge, self.priced.quote.first_charge_at),
            Some(switch) => switch.first_charge(),
        }
    }
}

/// Fails if nothing is sold under this id: no plan has it, and no published book.
pub fn check_plan<A>(tx: &mut Tx<'_, '_, A>, plan_id: &str) -> Result<(), PriceError> {
    let plans = tx.pg.plans()?;
    let asked = CartRequest { plan_id, quantity: None, infographics: 0 };
    let cart = Cart::read(&plans, &asked, &tx.settings.monthly_price_ids)?;
    book_title(tx, &cart).map(|_| ())
}

/// Computes the price of a purchase.
pub fn price<A>(
    tx: &mut Tx<'_, '_, A>,
    viewer: Option<UserId>,
    request: &PriceRequest,
) -> Result<PricedCart, PriceError> {
    let now = tx.now();
    let plans = tx.pg.plans()?;
    let asked =
        CartRequest { plan_id: &request.plan_id, quantity: request.quantity, infographics: request.infographics };
    let cart = Cart::read(&plans, &asked, &tx.settings.monthly_price_ids)?;
    let book_title = book_title(tx, &cart)?;
    let running = running(tx, viewer, &cart)?;
    let coupon = match request.coupon.as_deref().map(str::trim).filter(|text| !text.is_empty()) {
        None => None,
        Some(text) => {
            let code = CouponCode::parse(text)?;
            let (coupon, uses) = tx.pg.find_coupon(&code)?.ok_or(CouponError::Unknown)?;
            let terms = coupon.terms_for(&cart.plan().id, uses, now)?;
            if running.is_some() {
                return Err(CouponError::PlanSwitch.into());
            }
            Some((code, terms))
        }
    };
    let may_try = cart.plan().kind.is_subscription() && !has_had_trial(tx, viewer, request.email.as_ref())?;
    let quote = cart.quote(coupon.as_ref().map(|(_, terms)| *terms), may_try, now)?;
    Ok(PricedCart { cart, quote, coupon, book_title, running })
}

fn book_title<A>(tx: &mut Tx<'_, '_, A>, cart: &Cart) -> Result<Option<String>, PriceError> {
    let Some(name) = cart.book() else { return Ok(None) };
    let book = BookRef::parse(name).ok_or(CartError::InvalidPlan)?;
    let book = tx.pg.book(&book)?.filter(|book| !book.body.is_empty()).ok_or(CartError::InvalidPlan)?;
    Ok(Some(book.card.title))
}

/// The running subscription of another plan. Fails if the member has already what the cart contains.
fn running<A>(tx: &mut Tx<'_, '_, A>, viewer: Option<UserId>, cart: &Cart) -> Result<Option<Subscription>, PriceError> {
    let Some(member) = viewer else { return Ok(None) };
    let (has, now) = (tx.pg.member_plan(member)?, tx.now());
    match conflict(&has, (&cart.plan().id, cart.plan().kind), cart.add_on().plan_id(), now) {
        None => Ok(None),
        Some(PurchaseConflict::OtherPlanRuns(running)) => Ok(Some(running)),
        Some(PurchaseConflict::AlreadyOwned) => Err(PriceError::AlreadyOwned),
        Some(PurchaseConflict::AlreadySubscribed) => Err(PriceError::AlreadySubscribed),
    }
}

/// Whether a person has had a trial: by account, mailbox, or a card that they have paid with.
fn has_had_trial<A>(tx: &mut Tx<'_, '_, A>, viewer: Option<UserId>, typed: Option<&Email>) -> Result<bool, PriceError> {
    let mut cards = vec![None];
    let email = match viewer {
        None => typed.cloned(),
        Some(member) => {
            cards.extend(tx.pg.cards_of(member)?.into_iter().map(Some));
            Some(tx.pg.user(member)?.ok_or(PriceError::SignedOut)?.email)
        }
    };
    let Some(email) = email else { return Ok(false) };
    for card in cards {
        if tx.pg.has_had_trial(&TrialIdentity::new(viewer, &email, card))? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The terms of a subscription for the provider; `None` if the purchase does not renew.
pub fn terms_of(priced: &PricedCart) -> Option<SubscriptionTerms> {
    let renewal = priced.quote.renewal?;
    Some(SubscriptionTerms::new(
        (&priced.cart.plan().id, &priced.cart.plan().name),
        renewal,
        priced.quote.trial_ends_at.is_some(),
        priced.quote.first_charge,
    ))
}

impl PaymentFlows {
    /// Computes a price, and adds what the providers say about it.
    pub async fn offer(&self, viewer: Option<UserId>, request: PriceRequest) -> Result<Offer, PriceError> {
        let (priced, subscription, infographics_today) = self
            .transactions
            .read(move |tx| {
                let priced = price(tx, viewer, &request)?;
                let running = match &priced.running {
                    None => None,
                    Some(running) => tx.pg.find_checkout(&CheckoutReference::new(running.purchase.as_str()))?,
                };
                Ok::<_, PriceError>((priced, running, tx.pg.visual_books_total()?))
            })
            .await?;
        let terms = terms_of(&priced);
        if subscription.as_ref().is_some_and(|checkout| !checkout.order.provider.switches_plans()) {
            return Err(PriceError::NoSwitchAtProvider);
        }
        let mut switch = None;
        if let (Some(terms), Some(running), Some(checkout)) = (&terms, &priced.running, subscription)
            && let Some(gateway) = self.gateway(checkout.order.provider)
            && let Some(id) = checkout.provider_id
        {
            let id = SubscriptionId::new(id);
            switch = Some(self.shown_preview(running.clone(), &**gateway, &id, terms).await?);
        }
        // A switch is not a checkout: it needs no plan at PayPal.
        let new = terms.as_ref().filter(|_| priced.running.is_none());
        let paypal_plan = match (new, self.gateway(GatewayProvider::PayPal)) {
            (Some(terms), Some(paypal)) => paypal.provider_plan(terms).await.unwrap_or_else(|error| {
                tracing::warn!(%error, "PayPal could not be asked for a plan");
                None
            }),
            _ => None,
        };
        let paypal_plan = paypal_plan.map(|plan| plan.as_str().to_owned());
        Ok(Offer { priced, switch, paypal_plan, infographics_today })
    }
}
