//! Maps errors of billing to API errors.

use billing::{BillingError, CartError, CheckoutError, CodeError, CouponError, InvalidCode, PlanChangeError};
use workflows::billing::{
    admin_money::AdminMoneyError,
    checkout::{
        events::ReceiveError,
        price::PriceError,
        purchase::{ApplyError, PurchaseError},
    },
    membership::{billing_page::RefundRequestError, codes::RedeemError, renewal::RenewalError},
    refunds::RefundError,
};

use crate::http::error::{ApiError, Code};

impl From<CartError> for ApiError {
    fn from(error: CartError) -> Self {
        let text = error.to_string();
        match error {
            CartError::InvalidPlan => Self::new(Code::UnknownPlan, text),
            CartError::TooFew(_) | CartError::TooMany(_) | CartError::TooLarge => Self::invalid("quantity", text),
            CartError::UnknownAddOn => Self::invalid("addInfographics", text),
        }
    }
}

impl From<CouponError> for ApiError {
    fn from(error: CouponError) -> Self {
        Self::invalid("coupon", error.to_string())
    }
}

impl From<CheckoutError> for ApiError {
    fn from(error: CheckoutError) -> Self {
        let text = error.to_string();
        match error {
            CheckoutError::InvalidKey | CheckoutError::KeyReused => Self::invalid("Idempotency-Key", text),
            CheckoutError::Unknown => Self::new(Code::NotFound, text),
            CheckoutError::NotClaimable => Self::new(Code::AlreadyThere, text),
            CheckoutError::Store(error) => error.into(),
        }
    }
}

impl From<PriceError> for ApiError {
    fn from(error: PriceError) -> Self {
        match error {
            PriceError::Cart(error) => error.into(),
            PriceError::Coupon(error) => error.into(),
            PriceError::AlreadySubscribed => Self::new(Code::AlreadySubscribed, error.to_string()),
            PriceError::NoSwitchAtProvider => Self::new(Code::SwitchUnavailable, error.to_string()),
            PriceError::AlreadyOwned => Self::new(Code::AlreadyThere, error.to_string()),
            PriceError::SignedOut => Self::unauthenticated(),
            PriceError::Gateway(error) => {
                tracing::warn!(%error, "a payment provider could not say what a switch costs");
                Self::busy()
            }
            PriceError::Store(error) => error.into(),
        }
    }
}

impl From<PurchaseError> for ApiError {
    fn from(error: PurchaseError) -> Self {
        let text = error.to_string();
        match error {
            PurchaseError::Price(error) => error.into(),
            PurchaseError::NoEmail => Self::invalid("email", text),
            PurchaseError::NoCard => Self::invalid("token", text),
            PurchaseError::PriceChanged | PurchaseError::TrialUsed => Self::new(Code::PriceChanged, text),
            PurchaseError::GivenBack | PurchaseError::UnderWay => Self::new(Code::AlreadyThere, text),
            PurchaseError::SwitchInstead => Self::new(Code::AlreadySubscribed, text),
            PurchaseError::Declined(_) => Self::new(Code::CardDeclined, text),
            PurchaseError::NoProvider | PurchaseError::Unavailable => Self::busy().saying(text),
            PurchaseError::Checkout(error) => error.into(),
            PurchaseError::Settle(error) => Self::internal(error),
            PurchaseError::Store(error) => error.into(),
        }
    }
}

impl From<ApplyError> for ApiError {
    fn from(error: ApplyError) -> Self {
        PurchaseError::from(error).into()
    }
}

impl From<ReceiveError> for ApiError {
    fn from(error: ReceiveError) -> Self {
        use billing::gateway::WebhookError;
        match error {
            ReceiveError::Webhook(WebhookError::Unverified(error)) => {
                tracing::warn!(%error, "a webhook can't be verified now");
                Self::busy()
            }
            ReceiveError::Webhook(error) => Self::new(Code::BadRequest, error.to_string()),
            ReceiveError::NoProvider => Self::not_found("page"),
            ReceiveError::RateLimited(error) => error.into(),
            ReceiveError::Store(error) => error.into(),
        }
    }
}

impl From<InvalidCode> for ApiError {
    fn from(error: InvalidCode) -> Self {
        Self::invalid("code", error.to_string())
    }
}

impl From<RedeemError> for ApiError {
    fn from(error: RedeemError) -> Self {
        match error {
            RedeemError::Code(error) => error.into(),
            RedeemError::Identity(error) => error.into(),
            RedeemError::Store(error) => error.into(),
        }
    }
}

impl From<CodeError> for ApiError {
    fn from(error: CodeError) -> Self {
        let text = error.to_string();
        match error {
            CodeError::Unknown => Self::new(Code::NotFound, text).on_field("code"),
            CodeError::Redeemed | CodeError::Revoked | CodeError::Suspended | CodeError::ForLife => {
                Self::new(Code::AlreadyThere, text).on_field("code")
            }
            CodeError::Billing(error) => error.into(),
        }
    }
}

impl From<BillingError> for ApiError {
    fn from(error: BillingError) -> Self {
        match error {
            BillingError::Store(error) => error.into(),
            BillingError::UnknownPayer | BillingError::Invalid(_) => Self::internal(error),
        }
    }
}

impl From<AdminMoneyError> for ApiError {
    fn from(error: AdminMoneyError) -> Self {
        let text = error.to_string();
        match error {
            AdminMoneyError::Unknown(_) => Self::new(Code::NotFound, text),
            AdminMoneyError::CouponExists => Self::new(Code::AlreadyThere, text).on_field("code"),
            AdminMoneyError::CouponUsed => Self::new(Code::InUse, text),
            AdminMoneyError::CouponPeriod => Self::invalid("endsAt", text),
            AdminMoneyError::CouponPlan => Self::invalid("plans", text),
            AdminMoneyError::PlanExists => Self::new(Code::AlreadyThere, text).on_field("id"),
            AdminMoneyError::PlanChange(PlanChangeError::InvalidId) => Self::invalid("id", text),
            AdminMoneyError::PlanChange(PlanChangeError::NotForOneself) => Self::invalid("kind", text),
            AdminMoneyError::PlanChange(PlanChangeError::TrialPlan) => Self::invalid("archived", text),
            AdminMoneyError::NoCodeForPlan => Self::invalid("planId", text),
            AdminMoneyError::Months(_) => Self::invalid("months", text),
            AdminMoneyError::CodeCount => Self::invalid("count", text),
            AdminMoneyError::PlanChanged => Self::new(Code::EditConflict, text),
            AdminMoneyError::PayoutChanged => Self::new(Code::PriceChanged, text),
            AdminMoneyError::Billing(error) => error.into(),
            AdminMoneyError::Store(error) => error.into(),
        }
    }
}

impl From<RenewalError> for ApiError {
    fn from(error: RenewalError) -> Self {
        let text = error.to_string();
        match error {
            RenewalError::NoSubscription => Self::new(Code::NotFound, text),
            RenewalError::NotNow => Self::new(Code::AlreadyThere, text),
            RenewalError::PauseLength => Self::invalid("months", text),
            RenewalError::UnknownPlan => Self::new(Code::UnknownPlan, text),
            RenewalError::NoSwitchAtProvider => Self::new(Code::SwitchUnavailable, text),
            RenewalError::RunsAlready => Self::new(Code::AlreadySubscribed, text),
            RenewalError::PriceChanged => Self::new(Code::PriceChanged, text),
            RenewalError::Apply(ApplyError::Gateway(error)) => RenewalError::from(error).into(),
            RenewalError::Apply(error) => error.into(),
            RenewalError::Declined(_) => Self::new(Code::CardDeclined, text),
            RenewalError::Unavailable => Self::busy(),
            RenewalError::Billing(error) => error.into(),
            RenewalError::Store(error) => error.into(),
        }
    }
}

impl From<RefundError> for ApiError {
    fn from(error: RefundError) -> Self {
        let text = error.to_string();
        match error {
            RefundError::Unknown => Self::new(Code::NotFound, text),
            RefundError::Amount => Self::invalid("amount", text),
            RefundError::Refused => Self::new(Code::AlreadyThere, text),
            RefundError::Unavailable => Self::busy(),
            RefundError::Settle(error) => PurchaseError::from(error).into(),
            RefundError::Store(error) => error.into(),
        }
    }
}

impl From<RefundRequestError> for ApiError {
    fn from(error: RefundRequestError) -> Self {
        let text = error.to_string();
        match error {
            RefundRequestError::Unknown => Self::not_found("receipt"),
            RefundRequestError::TooLate => Self::new(Code::AlreadyThere, text),
            RefundRequestError::Support(_) => Self::invalid("reason", text),
            RefundRequestError::Store(error) => error.into(),
        }
    }
}
