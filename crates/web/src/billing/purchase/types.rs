//! Purchases on the wire. Amounts are in cents, times in milliseconds since the Unix epoch.

use billing::{
    CheckoutKey, CheckoutState, Discount, Plan, PlanKind, delivery_moment,
    gateway::{GatewayProvider, NextAction, PageSettings, PaymentToken, SwitchPreview, SwitchStart},
};
use kernel::{Email, Money, Timestamp, UserId};
use referral::LinkId;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use workflows::billing::{
    checkout::{
        GiftDetails,
        price::{Offer, PriceRequest},
        purchase::{CheckoutOutcome, PayBy, PurchaseRequest},
    },
    given_gift::GivenGift,
};

use crate::{billing::purchase::receipts::receipt_url, http::error::ApiError};

/// What sort of thing a plan is.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum KindName {
    Monthly,
    Yearly,
    Lifetime,
    Gift,
    Bulk,
    Once,
}

impl From<PlanKind> for KindName {
    fn from(kind: PlanKind) -> Self {
        match kind {
            PlanKind::Monthly => Self::Monthly,
            PlanKind::Yearly => Self::Yearly,
            PlanKind::Lifetime => Self::Lifetime,
            PlanKind::Gift => Self::Gift,
            PlanKind::Bulk => Self::Bulk,
            PlanKind::Once => Self::Once,
        }
    }
}

/// Who takes cards.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum CardProvider {
    Stripe,
    Sandbox,
}

/// How far a purchase is.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum ChargeStatus {
    Paid,
    Pending,
    Declined,
    RequiresAction,
}

/// What a plan is and costs.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PlanOffer {
    /// Its name in addresses; `book` stands for `book-{subid}`.
    id: String,
    /// Its name for people.
    name: String,
    /// What sort of thing it is.
    kind: KindName,
    /// What one costs, in cents.
    price: i64,
    /// How many months a renewal pays for; null: it does not renew.
    #[schema(required)]
    renewal_months: Option<u32>,
    /// How many days a person who had no trial may try it.
    trial_days: u32,
    /// The fewest in one purchase.
    min_quantity: u32,
    /// The most in one purchase.
    max_quantity: u32,
}

impl From<&Plan> for PlanOffer {
    fn from(plan: &Plan) -> Self {
        let (min_quantity, max_quantity) = plan.kind.quantity();
        Self {
            id: plan.id.clone(),
            name: plan.name.clone(),
            kind: plan.kind.into(),
            price: plan.price.cents(),
            renewal_months: plan.kind.renewal_months(),
            trial_days: plan.kind.trial_days(),
            min_quantity,
            max_quantity,
        }
    }
}

/// What a page needs to sell.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ChargeSettings {
    /// Who takes cards; null: nobody does.
    #[schema(required)]
    provider: Option<CardProvider>,
    /// The publishable key of the card form.
    #[schema(required)]
    public_key: Option<String>,
    /// Whether payments are pretended: the page says so.
    sandbox: bool,
    /// The client id of PayPal's buttons; null: no PayPal.
    #[schema(required)]
    paypal_client_id: Option<String>,
    /// What can be bought.
    plans: Vec<PlanOffer>,
}

impl ChargeSettings {
    pub(super) fn new(plans: &[Plan], cards: Option<PageSettings>, paypal: Option<PageSettings>) -> Self {
        let provider = cards.as_ref().map(|settings| settings.provider);
        Self {
            provider: match provider {
                Some(GatewayProvider::Stripe) => Some(CardProvider::Stripe),
                Some(GatewayProvider::Sandbox) => Some(CardProvider::Sandbox),
                Some(GatewayProvider::PayPal) | None => None,
            },
            sandbox: provider == Some(GatewayProvider::Sandbox),
            public_key: cards.and_then(|settings| settings.public_key),
            paypal_client_id: paypal.and_then(|settings| settings.public_key),
            plans: plans.iter().map(PlanOffer::from).collect(),
        }
    }
}

/// What is asked the price of.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PriceBody {
    /// The plan, or `book-{subid}`.
    plan_id: String,
    /// How many; the fewest that can be bought when it is missing.
    quantity: Option<u32>,
    /// How many infographics with it: 0, 20 or 50.
    add_infographics: Option<u32>,
    /// A guest's address: whether it has had a trial.
    email: Option<String>,
}

impl From<PriceBody> for PriceRequest {
    fn from(body: PriceBody) -> Self {
        Self {
            plan_id: body.plan_id,
            quantity: body.quantity,
            infographics: body.add_infographics.unwrap_or(0),
            coupon: None,
            email: body.email.as_deref().and_then(|text| Email::parse(text).ok()),
        }
    }
}

/// What is asked the price of, with a coupon.
#[derive(Deserialize, ToSchema)]
pub(super) struct CouponBody {
    /// The coupon's code.
    coupon: String,
    #[serde(flatten)]
    price: PriceBody,
}

impl From<CouponBody> for PriceRequest {
    fn from(body: CouponBody) -> Self {
        // A blank coupon counts as an unknown one.
        let coupon = if body.coupon.trim().is_empty() { "-".to_owned() } else { body.coupon };
        Self { coupon: Some(coupon), ..body.price.into() }
    }
}

/// What each later charge is.
#[derive(Serialize, ToSchema)]
pub(super) struct PriceRenewal {
    /// In cents.
    price: i64,
    /// How many months it pays for.
    months: u32,
}

/// What buying changes of the plan that runs.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PriceSwitch {
    /// When the new plan begins.
    starts_at: i64,
    /// What is charged at once, in cents.
    charged_now: i64,
    /// What is left over of the plan that runs, in cents; it lowers later charges.
    credit_left: i64,
    /// The charge after that, in cents.
    next_charge: i64,
    /// When that is due.
    next_charge_at: i64,
    /// The plan that runs.
    from_plan_name: String,
}

impl PriceSwitch {
    /// The provider's preview of a switch from the plan `from_plan_name`.
    pub fn new(switch: &SwitchPreview, from_plan_name: String) -> Self {
        Self {
            starts_at: match switch.starts {
                SwitchStart::Now => switch.computed_at.millis(),
                SwitchStart::NextPeriod => switch.next_charge_at.millis(),
            },
            charged_now: switch.charged_now.cents(),
            credit_left: switch.credit_left.cents(),
            next_charge: switch.next_charge.cents(),
            next_charge_at: switch.next_charge_at.millis(),
            from_plan_name,
        }
    }
}

/// What a purchase costs. What is shown is what is charged.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PriceQuote {
    /// What one costs, in cents.
    price: i64,
    /// The title of the book that is bought.
    #[schema(required)]
    book_title: Option<String>,
    /// Always null: there are no courses.
    #[schema(required)]
    course: Option<String>,
    /// The plan's id at PayPal.
    #[schema(required)]
    paypal_plan: Option<String>,
    /// The plan.
    plan_id: String,
    /// Its name for people.
    plan_name: String,
    /// What sort of thing it is.
    kind: KindName,
    /// How many.
    quantity: u32,
    /// How many infographics with it.
    add_infographics: u32,
    /// How many infographics there are today; an add-on gives the newest of them, and later ones until its number is reached.
    infographics_today: u64,
    /// Price times quantity, and the infographics, in cents.
    before_discount: i64,
    /// What the coupon takes off, in percent; null also where it takes off an amount.
    #[serde(rename = "percent_off")]
    #[schema(required)]
    percent_off: Option<u32>,
    /// What the coupon takes off the first charge, in cents.
    discount: i64,
    /// Whether the coupon reduces each renewal too.
    every_charge: bool,
    /// What the first charge is, in cents.
    first_charge: i64,
    /// When it is charged.
    first_charge_at: i64,
    /// What is charged at once, in cents.
    due_now: i64,
    /// The trial's end; null: no trial.
    #[schema(required)]
    trial_ends_at: Option<i64>,
    /// What each later charge is; null: it does not renew.
    #[schema(required)]
    renewal: Option<PriceRenewal>,
    /// Whether a card or PayPal is needed.
    needs_payment_method: bool,
    /// What buying changes of the plan that runs; null: none does.
    #[schema(required)]
    switch: Option<PriceSwitch>,
}

impl From<&Offer> for PriceQuote {
    fn from(offer: &Offer) -> Self {
        let priced = &offer.priced;
        let (cart, quote) = (&priced.cart, &priced.quote);
        let from = priced.running.as_ref().map(|running| running.plan_name.clone());
        let switch = offer.switch.as_ref().zip(from).map(|(switch, from)| PriceSwitch::new(switch, from));
        let (first_charge, first_charge_at) = offer.first_charge();
        let coupon = priced.coupon.as_ref().map(|(_, terms)| *terms);
        Self {
            price: cart.plan().price.cents(),
            book_title: priced.book_title.clone(),
            course: None,
            paypal_plan: offer.paypal_plan.clone(),
            plan_id: cart.plan().id.clone(),
            plan_name: cart.plan().name.clone(),
            kind: cart.plan().kind.into(),
            quantity: cart.quantity(),
            add_infographics: cart.add_on().count(),
            infographics_today: offer.infographics_today,
            before_discount: quote.before_discount.cents(),
            percent_off: match coupon.map(|terms| terms.discount) {
                Some(Discount::Percent(percent)) => Some(percent.get()),
                Some(Discount::Amount(_)) | None => None,
            },
            discount: quote.discount.cents(),
            every_charge: coupon.is_some_and(|terms| terms.every_charge),
            first_charge: first_charge.cents(),
            first_charge_at: first_charge_at.millis(),
            due_now: offer.due_now().cents(),
            trial_ends_at: quote.trial_ends_at.map(Timestamp::millis),
            renewal: quote.renewal.map(|terms| PriceRenewal { price: terms.price.cents(), months: terms.months }),
            needs_payment_method: quote.needs_payment_method(),
            switch,
        }
    }
}

/// What is bought.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ProcessBody {
    /// The plan, or `book-{subid}`. Where the address names one, that one counts.
    pub(super) plan_id: Option<String>,
    /// What the card form made; none where nothing is to be paid.
    token: Option<String>,
    /// How many.
    quantity: Option<u32>,
    /// How many infographics with it: 0, 20 or 50.
    add_infographics: Option<u32>,
    /// A coupon.
    coupon_code: Option<String>,
    /// Where the receipt goes. A guest must give it.
    email: Option<String>,
    /// The referral link through which the person came.
    r_id: Option<String>,
    /// The giver of a gift, as the recipient is to read it.
    sender_name: Option<String>,
    /// The recipient of a gift.
    recipient_name: Option<String>,
    /// The recipient's address; the buyer's when it is blank.
    recipient_email: Option<String>,
    /// A message to the recipient.
    recipient_msg: Option<String>,
    /// The day on which a gift is mailed to its recipient, by the giver's calendar, at most a year ahead: `2026-12-24`. Without it, or with
    /// today, at once.
    deliver_on: Option<String>,
    /// The giver's time zone, for that day: an IANA name such as `Europe/Vienna`; UTC without one.
    timezone: Option<String>,
    /// False: it is no gift, and what says whom it is for does not count.
    gift: Option<bool>,
    /// With what is paid here.
    payment_method: Option<PaymentMethodName>,
    /// What the page showed as due now, in cents. Where it is another sum by now, nothing is charged.
    due_now: Option<i64>,
}

/// With what is paid at `POST /api/charge/process/{planId}`; PayPal has calls of its own.
#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum PaymentMethodName {
    Card,
}

/// The maximum lengths of a gift's names and of its message, in characters.
const GIFT_NAME_MAX: usize = 100;
const GIFT_MESSAGE_MAX: usize = 1_000;

/// The error for a delivery day without a recipient: a code for the giver is mailed at once.
const NO_RECIPIENT: &str = "Please enter the recipient's email address, or leave the date blank.";

impl ProcessBody {
    pub(super) fn read(
        self,
        plan_id: String,
        key: CheckoutKey,
        member: Option<UserId>,
        now: Timestamp,
    ) -> Result<PurchaseRequest, ApiError> {
        let typed = |field, text: Option<String>| match text.filter(|text| !text.trim().is_empty()) {
            None => Ok(None),
            Some(text) => Email::parse(&text).map(Some).map_err(|error| ApiError::invalid(field, error.to_string())),
        };
        let short = |field, text: Option<String>, most: usize| match text.unwrap_or_default() {
            text if text.chars().count() > most => {
                Err(ApiError::invalid(field, format!("Please use at most {most} characters.")))
            }
            text => Ok(text),
        };
        let gift = GiftDetails {
            sender_name: short("senderName", self.sender_name, GIFT_NAME_MAX)?,
            recipient_name: short("recipientName", self.recipient_name, GIFT_NAME_MAX)?,
            recipient_email: typed("recipientEmail", self.recipient_email)?.map(|email| email.as_str().to_owned()),
            message: short("recipientMsg", self.recipient_msg, GIFT_MESSAGE_MAX)?,
            deliver_at: None,
        };
        let gift = match self.deliver_on.filter(|day| !day.trim().is_empty()) {
            Some(day) if self.gift != Some(false) => {
                let at = delivery_moment(&day, self.timezone.as_deref().unwrap_or("UTC"), now)
                    .map_err(|error| ApiError::invalid("deliverOn", error.to_string()))?;
                if at.is_some() && gift.recipient_email.is_none() {
                    return Err(ApiError::invalid("recipientEmail", NO_RECIPIENT));
                }
                GiftDetails { deliver_at: at.map(Timestamp::millis), ..gift }
            }
            Some(_) | None => gift,
        };
        let token = self.token.filter(|token| !token.is_empty()).map(PaymentToken::new);
        Ok(PurchaseRequest {
            key,
            price: PriceRequest {
                plan_id,
                quantity: self.quantity,
                infographics: self.add_infographics.unwrap_or(0),
                coupon: self.coupon_code,
                email: typed("email", self.email)?,
            },
            member,
            gift: if self.gift == Some(false) { GiftDetails::default() } else { gift },
            // An invalid referral link is ignored: it must not prevent a purchase.
            referral: self.r_id.as_deref().and_then(|text| LinkId::parse(text).ok()),
            pay_by: match self.payment_method {
                Some(PaymentMethodName::Card) | None => PayBy::Card(token),
            },
            shown: self.due_now.map(Money::from_cents),
        })
    }
}

/// A checkout that goes on.
#[derive(Deserialize, ToSchema)]
pub(super) struct ConfirmBody {
    /// The `checkout` of the charge result.
    pub(super) checkout: String,
}

/// By what a checkout that was left is found.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(super) struct StateParams {
    /// The guest's `chargeId`.
    pub(super) charge_id: Option<String>,
}

/// What the payer does at the sandbox's bank.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SandboxAuthentication {
    /// The `clientSecret` of the charge result.
    pub(super) client_secret: String,
    /// Whether they prove themselves.
    pub(super) succeeds: bool,
}

/// A charge that will be.
#[derive(Serialize, ToSchema)]
pub(super) struct NextCharge {
    /// When it is due.
    at: i64,
    /// In cents.
    amount: i64,
}

/// How a purchase stands.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ChargeResult {
    /// How far it is.
    status: ChargeStatus,
    /// What a guest claims the purchase with, at sign-up or login; null for a member's.
    #[schema(required)]
    charge_id: Option<String>,
    /// The checkout, for `POST /api/charge/confirm`.
    checkout: String,
    /// Always null: the documents name it and say nothing of it.
    #[schema(required)]
    landing_page_variant: Option<String>,
    /// Where the infographics that were bought are downloaded.
    #[schema(required)]
    infographics_url: Option<String>,
    /// Always null: a book's purchase answers the PDF itself.
    #[schema(required)]
    buffer: Option<String>,
    /// Always null: failures have a status of their own.
    #[schema(required)]
    error: Option<String>,
    /// Always false: anybody may buy.
    not_logged_in: bool,
    /// Whether the payer has to authenticate.
    requires_action: bool,
    /// With what the page authenticates the payer.
    #[schema(required)]
    client_secret: Option<String>,
    /// The plan.
    plan_id: String,
    /// Its name; of a book its title.
    plan_name: String,
    /// What was charged so far, in cents.
    amount: i64,
    /// Where the receipt is read; null: nothing was charged yet.
    #[schema(required)]
    receipt_url: Option<String>,
    /// The trial's end; null: no trial.
    #[schema(required)]
    trial_ends_at: Option<i64>,
    /// The next charge; null: there is none.
    #[schema(required)]
    next_charge: Option<NextCharge>,
    /// Where the gift goes that was bought; null: it is none, or nothing is paid yet.
    #[schema(required)]
    gift: Option<GiftResult>,
}

/// A gift as its giver sees it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GiftResult {
    /// The recipient; may be empty.
    recipient_name: String,
    /// The address to which the code is mailed; null: it went to the giver, or the address was forgotten.
    #[schema(required)]
    recipient_email: Option<String>,
    /// The code, where it went to the giver.
    #[schema(required)]
    code: Option<String>,
    /// When it is mailed.
    deliver_at: i64,
    /// When it was mailed; null: not yet.
    #[schema(required)]
    delivered_at: Option<i64>,
}

impl From<&GivenGift> for GiftResult {
    fn from(given: &GivenGift) -> Self {
        let gift = &given.gift;
        Self {
            recipient_name: gift.recipient_name.clone(),
            recipient_email: gift.recipient.as_ref().map(|email| email.as_str().to_owned()),
            code: given.code.as_ref().map(ToString::to_string),
            deliver_at: gift.deliver_at.millis(),
            delivered_at: gift.delivered_at.map(Timestamp::millis),
        }
    }
}

/// The URL path of the download of purchased infographics. `link` contains its own proof.
fn infographics_url(link: &str) -> String {
    format!("/api/infographics/download?link={link}")
}

impl From<&CheckoutOutcome> for ChargeResult {
    fn from(outcome: &CheckoutOutcome) -> Self {
        let (checkout, order) = (&outcome.checkout, &outcome.checkout.order);
        let client_secret = match &outcome.action {
            Some(NextAction::Authenticate { client_secret }) => Some(client_secret.clone()),
            Some(NextAction::Approve { .. }) | None => None,
        };
        Self {
            status: match checkout.state {
                CheckoutState::Started | CheckoutState::Submitted => ChargeStatus::Pending,
                CheckoutState::NeedsAction => ChargeStatus::RequiresAction,
                CheckoutState::Paid => ChargeStatus::Paid,
                CheckoutState::Declined | CheckoutState::PriceChanged | CheckoutState::Reconciled => {
                    ChargeStatus::Declined
                }
            },
            charge_id: outcome.charge_id.as_ref().map(|id| id.as_str().to_owned()),
            checkout: checkout.reference.as_str().to_owned(),
            landing_page_variant: None,
            infographics_url: outcome.infographics.as_deref().map(infographics_url),
            buffer: None,
            error: None,
            not_logged_in: false,
            requires_action: outcome.action.is_some(),
            client_secret,
            plan_id: order.plan_id.clone(),
            plan_name: order.plan_name.clone(),
            amount: outcome.charged.cents(),
            receipt_url: outcome.receipt.as_deref().map(receipt_url),
            trial_ends_at: order.trial_ends_at.map(Timestamp::millis),
            gift: outcome.gift.as_ref().map(GiftResult::from),
            next_charge: outcome.next_charge.map(|(at, amount)| NextCharge { at: at.millis(), amount: amount.cents() }),
        }
    }
}

/// What the payer approves at PayPal.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PayPalOrder {
    /// The order, of what is paid once.
    #[schema(required)]
    pub(super) order_id: Option<String>,
    /// The subscription.
    #[schema(required)]
    pub(super) subscription_id: Option<String>,
    /// PayPal's page; empty when there is nothing to approve (any more).
    pub(super) approve_url: String,
}

/// What the payer approved at PayPal. What it is and costs is known from the order.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PayPalApproved {
    /// The order.
    pub(super) order_id: Option<String>,
    /// The subscription.
    pub(super) subscription_id: Option<String>,
}
