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

/// The kind of a plan.
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

/// The provider of card payments.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum CardProvider {
    Stripe,
    Sandbox,
}

/// The status of a purchase.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum ChargeStatus {
    Paid,
    Pending,
    Declined,
    RequiresAction,
}

/// A plan and its price.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PlanOffer {
    /// The id of the plan, used in URLs; `book` stands for `book-{subid}`.
    id: String,
    /// The display name.
    name: String,
    /// The kind of plan.
    kind: KindName,
    /// The price of one unit, in cents.
    price: i64,
    /// The number of months that a renewal pays for; null if the plan does not renew.
    #[schema(required)]
    renewal_months: Option<u32>,
    /// The length of the free trial for a person who has had none, in days; 0 without a trial.
    trial_days: u32,
    /// The minimum quantity of a purchase.
    min_quantity: u32,
    /// The maximum quantity of a purchase.
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

/// The settings of a payment page.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ChargeSettings {
    /// The provider of card payments; null if cards are not accepted.
    #[schema(required)]
    provider: Option<CardProvider>,
    /// The publishable key for the card form; null if the provider has none.
    #[schema(required)]
    public_key: Option<String>,
    /// Whether payments are simulated.
    sandbox: bool,
    /// The client id for PayPal's buttons; null if PayPal is not available.
    #[schema(required)]
    paypal_client_id: Option<String>,
    /// The plans on sale.
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

/// The body of a price request.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PriceBody {
    /// The id of the plan, or `book-{subid}`.
    plan_id: String,
    /// The quantity. Default: the minimum quantity of the plan.
    quantity: Option<u32>,
    /// The number of infographics in the add-on: 0, 20 or 50. Default: 0.
    add_infographics: Option<u32>,
    /// A guest's email address, to check whether they have had a trial.
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

/// The body of a price request with a coupon.
#[derive(Deserialize, ToSchema)]
pub(super) struct CouponBody {
    /// The coupon code.
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

/// The charges after the first one.
#[derive(Serialize, ToSchema)]
pub(super) struct PriceRenewal {
    /// The price of each renewal, in cents.
    price: i64,
    /// The number of months that a renewal pays for.
    months: u32,
}

/// The cost of a switch from the running plan to another one.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PriceSwitch {
    /// When the new plan begins, in milliseconds since the Unix epoch.
    starts_at: i64,
    /// The amount charged immediately, in cents.
    charged_now: i64,
    /// The remaining credit of the running plan, in cents; it reduces later charges.
    credit_left: i64,
    /// The amount of the charge after that, in cents.
    next_charge: i64,
    /// When that charge is due, in milliseconds since the Unix epoch.
    next_charge_at: i64,
    /// The display name of the running plan.
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

/// The price of a purchase. The amounts shown are the amounts charged.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PriceQuote {
    /// The price of one unit, in cents.
    price: i64,
    /// The title of the book; null if the purchase is not a book.
    #[schema(required)]
    book_title: Option<String>,
    /// Always null: there are no courses.
    #[schema(required)]
    course: Option<String>,
    /// The id of the plan at PayPal; null if it does not apply or PayPal is not available.
    #[schema(required)]
    paypal_plan: Option<String>,
    /// The id of the plan.
    plan_id: String,
    /// The display name of the plan.
    plan_name: String,
    /// The kind of plan.
    kind: KindName,
    /// The quantity.
    quantity: u32,
    /// The number of infographics in the add-on.
    add_infographics: u32,
    /// The number of infographics available today. An add-on includes the newest of them, and later ones until its number is
    /// reached.
    infographics_today: u64,
    /// The price times the quantity plus the add-on, in cents.
    before_discount: i64,
    /// The coupon's percentage; null without a coupon and for a coupon that takes off an amount.
    #[serde(rename = "percent_off")]
    #[schema(required)]
    percent_off: Option<u32>,
    /// The amount that the coupon takes off the first charge, in cents.
    discount: i64,
    /// Whether the coupon also reduces each renewal.
    every_charge: bool,
    /// The amount of the first charge, in cents.
    first_charge: i64,
    /// When the first charge is due, in milliseconds since the Unix epoch.
    first_charge_at: i64,
    /// The amount charged at purchase, in cents.
    due_now: i64,
    /// The end of the trial, in milliseconds since the Unix epoch; null without a trial.
    #[schema(required)]
    trial_ends_at: Option<i64>,
    /// The charges after the first one; null if the purchase does not renew.
    #[schema(required)]
    renewal: Option<PriceRenewal>,
    /// Whether a payment method is required.
    needs_payment_method: bool,
    /// The switch from the running plan; null if the purchase is not a switch.
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

/// The body of a purchase.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ProcessBody {
    /// The id of the plan, or `book-{subid}`. Ignored where the URL names a plan.
    pub(super) plan_id: Option<String>,
    /// The token created by the card form; not needed if nothing is charged.
    token: Option<String>,
    /// The quantity. Default: the minimum quantity of the plan.
    quantity: Option<u32>,
    /// The number of infographics in the add-on: 0, 20 or 50. Default: 0.
    add_infographics: Option<u32>,
    /// The coupon code.
    coupon_code: Option<String>,
    /// The email address for the receipt. Required for a guest.
    email: Option<String>,
    /// The id of the referral link that the buyer came through. An invalid one is ignored.
    r_id: Option<String>,
    /// The giver's name, as shown to the recipient of a gift; at most 100 characters.
    sender_name: Option<String>,
    /// The name of a gift's recipient; at most 100 characters.
    recipient_name: Option<String>,
    /// The email address of a gift's recipient. If it is blank, the code is sent to the buyer.
    recipient_email: Option<String>,
    /// The message to a gift's recipient; at most 1,000 characters.
    recipient_msg: Option<String>,
    /// The day on which a gift is mailed to its recipient, in the giver's time zone, such as `2026-12-24`; at most a year ahead.
    /// Today's date, or none: it is mailed immediately.
    deliver_on: Option<String>,
    /// The giver's time zone for `deliverOn`: an IANA name such as `Europe/Vienna`. Default: UTC.
    timezone: Option<String>,
    /// False if the purchase is not a gift: the fields about the gift are then ignored.
    gift: Option<bool>,
    /// The payment method.
    payment_method: Option<PaymentMethodName>,
    /// The amount due now that the page showed, in cents. If it differs from the current amount, nothing is charged.
    due_now: Option<i64>,
}

/// The payment method of `POST /api/charge/process/{planId}`; PayPal has its own endpoints.
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

/// The body of a request that continues a checkout.
#[derive(Deserialize, ToSchema)]
pub(super) struct ConfirmBody {
    /// The `checkout` of the purchase result.
    pub(super) checkout: String,
}

/// Query parameters of the state of a checkout.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(super) struct StateParams {
    /// The guest's `chargeId`; not needed for the member who made the checkout.
    pub(super) charge_id: Option<String>,
}

/// The body of a simulated authentication by the payer's bank in the sandbox.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SandboxAuthentication {
    /// The `clientSecret` of the purchase result.
    pub(super) client_secret: String,
    /// Whether the authentication succeeds.
    pub(super) succeeds: bool,
}

/// The next charge of a subscription.
#[derive(Serialize, ToSchema)]
pub(super) struct NextCharge {
    /// When it is due, in milliseconds since the Unix epoch.
    at: i64,
    /// The amount, in cents.
    amount: i64,
}

/// The state of a purchase.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ChargeResult {
    /// The status of the purchase.
    status: ChargeStatus,
    /// The id with which a guest claims the purchase at sign-up or login; null for a member's purchase.
    #[schema(required)]
    charge_id: Option<String>,
    /// The reference of the checkout, for `POST /api/charge/confirm`.
    checkout: String,
    /// Always null: the specification does not define it.
    #[schema(required)]
    landing_page_variant: Option<String>,
    /// The URL path for downloading the purchased infographics; null if there are none.
    #[schema(required)]
    infographics_url: Option<String>,
    /// Always null: the purchase of a book responds with the PDF itself.
    #[schema(required)]
    buffer: Option<String>,
    /// Always null: errors have their own HTTP status.
    #[schema(required)]
    error: Option<String>,
    /// Always false: purchases do not require a login.
    not_logged_in: bool,
    /// Whether the payer has to take an action, such as an authentication.
    requires_action: bool,
    /// The provider's secret for authenticating the payer in the browser; null if no authentication is needed.
    #[schema(required)]
    client_secret: Option<String>,
    /// The id of the plan.
    plan_id: String,
    /// The display name of the plan; for a book, its title.
    plan_name: String,
    /// The amount charged so far, in cents.
    amount: i64,
    /// The URL path of the receipt; null if nothing has been charged.
    #[schema(required)]
    receipt_url: Option<String>,
    /// The end of the trial, in milliseconds since the Unix epoch; null without a trial.
    #[schema(required)]
    trial_ends_at: Option<i64>,
    /// The next charge; null if there is none.
    #[schema(required)]
    next_charge: Option<NextCharge>,
    /// The purchased gift; null if the purchase is not a gift or is not paid yet.
    #[schema(required)]
    gift: Option<GiftResult>,
}

/// A gift, as its giver sees it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GiftResult {
    /// The recipient's name; may be empty.
    recipient_name: String,
    /// The email address that the code is mailed to; null if it was sent to the giver or the address was deleted.
    #[schema(required)]
    recipient_email: Option<String>,
    /// The redemption code; null if it is mailed to a recipient.
    #[schema(required)]
    code: Option<String>,
    /// When the gift is due to be mailed, in milliseconds since the Unix epoch.
    deliver_at: i64,
    /// When it was mailed, in milliseconds since the Unix epoch; null if not mailed yet.
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

/// A PayPal order or subscription that the payer has to approve.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PayPalOrder {
    /// The id of the PayPal order for a one-time payment; otherwise null.
    #[schema(required)]
    pub(super) order_id: Option<String>,
    /// The id of the PayPal subscription; null for a one-time payment.
    #[schema(required)]
    pub(super) subscription_id: Option<String>,
    /// The URL of PayPal's approval page; empty if nothing has to be approved.
    pub(super) approve_url: String,
}

/// The order or subscription that the payer approved at PayPal. One of the two is required.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PayPalApproved {
    /// The id of the PayPal order.
    pub(super) order_id: Option<String>,
    /// The id of the PayPal subscription; ignored if `orderId` is given.
    pub(super) subscription_id: Option<String>,
}
