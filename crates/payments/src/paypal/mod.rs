//! PayPal: orders with capture, subscriptions, refunds and webhooks, through its REST API (`billing.paypal-payments`).

mod client;
mod objects;
mod plans;
mod webhooks;

use std::{future::ready, sync::Arc, time::Duration};

use billing::gateway::{
    Capabilities, Charge, ChargeId, ChargeRequest, ChargeState, GatewayError, GatewayFuture, GatewayProvider,
    IdempotencyKey, Lookup, MethodChange, PageSettings, Payment, PaymentGateway, PaymentId, PaymentSource,
    ProviderEvent, ProviderPlanId, ProviderSubscription, Refund, RefundId, RefundRequest, RefundState, Renewal,
    RenewalInterval, SetupId, SubscribeRequest, SubscriptionId, SubscriptionState, SubscriptionTerms, SwitchPreview,
    SwitchStart, WebhookError, WebhookFuture, WebhookRequest,
};
use kernel::{Env, Money, Secret, Timestamp};
use serde_json::{Value, json};
use url::Url;

use self::{
    client::PayPalClient,
    objects::{Suspension, amount, approval, cents, moment, plan_name},
    plans::PlanCache,
    webhooks::Plausible,
};
use crate::{
    json::{needed, text},
    key::digest,
    stripe::SetupError,
};

/// The base URL of PayPal's API.
pub const API: &str = "https://api-m.paypal.com/";

/// The settings of PayPal.
#[derive(Clone, Debug)]
pub struct PayPalConfig {
    /// The base URL of the API.
    pub api: Url,
    /// The client id, also sent to clients.
    pub client_id: String,
    pub client_secret: Secret,
    /// The id of our webhook at PayPal, needed to verify its events.
    pub webhook_id: String,
    /// The timeout of one request.
    pub timeout: Duration,
}

/// The PayPal gateway.
pub struct PayPal {
    config: PayPalConfig,
    client: PayPalClient,
    plans: PlanCache,
    env: Arc<dyn Env>,
}

impl std::fmt::Debug for PayPal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PayPal").field("api", &self.config.api.as_str()).finish_non_exhaustive()
    }
}

fn refused(text: &str) -> GatewayError {
    GatewayError::Refused(text.to_owned())
}

/// Checks that an id can be used as a path segment.
fn path_id(id: &str) -> Result<&str, GatewayError> {
    if !id.is_empty() && id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-') {
        Ok(id)
    } else {
        Err(refused("PayPal has no such id"))
    }
}

fn urls(source: &PaymentSource) -> Result<(&str, &str), GatewayError> {
    match source {
        PaymentSource::Approval { return_url, cancel_url } => Ok((return_url, cancel_url)),
        PaymentSource::Token(_) | PaymentSource::Saved => Err(GatewayError::Unsupported("cards")),
    }
}

/// The billing cycles of a plan: a free trial, a different first charge, and the renewals.
fn billing_cycles(terms: &SubscriptionTerms) -> Value {
    let unit = if terms.interval == RenewalInterval::Year { "YEAR" } else { "MONTH" };
    let mut cycles = Vec::new();
    let mut add = |kind: &str, unit: &str, count: u32, total: u32, price: Money| {
        let mut cycle = json!({
            "frequency": { "interval_unit": unit, "interval_count": count }, "tenure_type": kind,
            "sequence": cycles.len() + 1, "total_cycles": total,
        });
        // A free trial has no price.
        if price.cents() > 0 {
            cycle["pricing_scheme"] = json!({ "fixed_price": amount(price) });
        }
        cycles.push(cycle);
    };
    if terms.trial_days > 0 {
        add("TRIAL", "DAY", terms.trial_days, 1, Money::from_cents(0));
    }
    if terms.first_charge != terms.price {
        add("TRIAL", unit, 1, 1, terms.first_charge);
    }
    add("REGULAR", unit, 1, 0, terms.price);
    Value::Array(cycles)
}

impl PayPal {
    /// Creates the client without connecting.
    pub fn new(config: PayPalConfig, env: Arc<dyn Env>) -> Result<Self, SetupError> {
        let client = PayPalClient::new(config.clone(), Arc::clone(&env))?;
        Ok(Self { client, plans: PlanCache::default(), config, env })
    }

    /// The id of PayPal's plan for these terms, cached. `takes_failures`: a cached failure is returned too.
    async fn plan(&self, terms: &SubscriptionTerms, takes_failures: bool) -> Result<String, GatewayError> {
        let name = [&plan_name(terms), &*terms.name].join(" ");
        self.plans.get_or_fetch(&name, takes_failures, self.find_or_make_plan(terms)).await
    }

    /// The id of PayPal's plan for these terms, created if missing. Each plan has its own product, by which it is found.
    async fn find_or_make_plan(&self, terms: &SubscriptionTerms) -> Result<String, GatewayError> {
        let name = plan_name(terms);
        let product = format!("PITH-{}", digest(&["product", &name, &terms.name]));
        let key = IdempotencyKey::new(product.as_str());
        if self.client.get(&format!("/v1/catalogs/products/{product}")).await?.is_none() {
            let body = json!({ "id": product, "name": terms.name, "type": "DIGITAL" });
            self.client.post("/v1/catalogs/products", &body, &key.step("product")).await?;
        }
        let plans = self.client.get(&format!("/v1/billing/plans?product_id={product}&page_size=20")).await?;
        let known = plans
            .as_ref()
            .and_then(|plans| plans["plans"].as_array())
            .into_iter()
            .flatten()
            .find(|plan| text(plan, "/name") == Some(&name) && text(plan, "/status") == Some("ACTIVE"))
            .and_then(|plan| text(plan, "/id"));
        if let Some(id) = known {
            return Ok(id.to_owned());
        }
        let body = json!({
            "product_id": product, "name": name, "status": "ACTIVE", "billing_cycles": billing_cycles(terms),
            "payment_preferences": { "auto_bill_outstanding": true, "payment_failure_threshold": 0 },
        });
        let plan = self.client.post("/v1/billing/plans", &body, &key.step("plan")).await?;
        Ok(needed(text(&plan, "/id"), "plan.id")?.to_owned())
    }

    async fn order(&self, id: &str) -> Result<Option<Value>, GatewayError> {
        let Ok(id) = path_id(id) else { return Ok(None) };
        self.client.get(&format!("/v2/checkout/orders/{id}")).await
    }

    async fn read(&self, id: &SubscriptionId) -> Result<Option<Value>, GatewayError> {
        let Ok(id) = path_id(id.as_str()) else { return Ok(None) };
        self.client.get(&format!("/v1/billing/subscriptions/{id}?fields=plan")).await
    }

    async fn known(&self, id: &SubscriptionId) -> Result<ProviderSubscription, GatewayError> {
        let value = self.read(id).await?.ok_or_else(|| refused("PayPal has no such subscription"))?;
        objects::subscription(&value)
    }

    async fn running(&self, id: &SubscriptionId) -> Result<ProviderSubscription, GatewayError> {
        let subscription = self.known(id).await?;
        match subscription.state {
            SubscriptionState::Ended | SubscriptionState::RequiresAction(_) => {
                Err(refused("the subscription does not run"))
            }
            SubscriptionState::Trialing | SubscriptionState::Active | SubscriptionState::PastDue => Ok(subscription),
        }
    }

    /// Calls an action that changes a subscription's status.
    async fn act(
        &self,
        key: &IdempotencyKey,
        id: &SubscriptionId,
        verb: &str,
        reason: &str,
    ) -> Result<ProviderSubscription, GatewayError> {
        let path = format!("/v1/billing/subscriptions/{}/{verb}", path_id(id.as_str())?);
        self.client.post(&path, &json!({ "reason": reason }), &key.step(verb)).await?;
        self.known(id).await
    }

    async fn charge_once(&self, key: &IdempotencyKey, request: &ChargeRequest) -> Result<Charge, GatewayError> {
        if request.amount.cents() <= 0 {
            return Err(refused("a charge is above zero"));
        }
        let (return_url, cancel_url) = urls(&request.source)?;
        let body = json!({
            "intent": "CAPTURE",
            "purchase_units": [{
                "custom_id": request.checkout.as_str(), "description": request.description,
                "amount": amount(request.amount),
            }],
            "payment_source": { "paypal": { "experience_context": {
                "return_url": return_url, "cancel_url": cancel_url, "user_action": "PAY_NOW",
                "shipping_preference": "NO_SHIPPING",
            } } },
        });
        let made = self.client.post("/v2/checkout/orders", &body, key).await?;
        // A repeated key returns the object made before, whatever is requested now.
        let id = needed(text(&made, "/id"), "order.id")?;
        let order = self.order(id).await?.ok_or_else(|| GatewayError::Malformed("the order is gone".to_owned()))?;
        let charge = objects::charge(&order)?;
        if charge.amount != request.amount || charge.checkout.as_ref() != Some(&request.checkout) {
            return Err(GatewayError::KeyReused);
        }
        Ok(charge)
    }

    async fn capture(&self, key: &IdempotencyKey, id: &ChargeId, expected: Money) -> Result<Charge, GatewayError> {
        let order = self.order(id.as_str()).await?.ok_or_else(|| refused("PayPal has no such order"))?;
        let charge = objects::charge(&order)?;
        if charge.amount != expected {
            return Err(refused("the order is of another amount"));
        }
        let charge = if charge.state == ChargeState::RequiresConfirmation {
            let path = format!("/v2/checkout/orders/{}/capture", path_id(id.as_str())?);
            match self.client.post(&path, &json!({}), key).await {
                Ok(_) => {}
                // A concurrent call has captured it.
                Err(GatewayError::Refused(text)) if text.ends_with("ORDER_ALREADY_CAPTURED") => {}
                Err(error) => return Err(error),
            }
            let order = self.order(id.as_str()).await?;
            objects::charge(&order.ok_or_else(|| GatewayError::Malformed("the order is gone".to_owned()))?)?
        } else {
            charge
        };
        match charge.state {
            ChargeState::Failed(decline) => Err(GatewayError::Declined(decline)),
            _ => Ok(charge),
        }
    }

    async fn begin(
        &self,
        key: &IdempotencyKey,
        request: &SubscribeRequest,
    ) -> Result<ProviderSubscription, GatewayError> {
        let (return_url, cancel_url) = urls(&request.source)?;
        let plan = self.plan(&request.terms, false).await?;
        let body = json!({
            "plan_id": plan, "custom_id": request.checkout.as_str(),
            "application_context": {
                "return_url": return_url, "cancel_url": cancel_url, "user_action": "SUBSCRIBE_NOW",
                "shipping_preference": "NO_SHIPPING",
            },
        });
        let made = self.client.post("/v1/billing/subscriptions", &body, key).await;
        if matches!(made, Err(GatewayError::Refused(_))) {
            // The cached plan may no longer exist, so it is looked up again for the next purchase.
            self.plans.forget();
        }
        let made = made?;
        let id = SubscriptionId::new(needed(text(&made, "/id"), "subscription.id")?);
        let subscription = self.known(&id).await?;
        if subscription.checkout.as_ref() != Some(&request.checkout) {
            return Err(GatewayError::KeyReused);
        }
        Ok(subscription)
    }

    async fn finish(&self, key: &IdempotencyKey, id: &SubscriptionId) -> Result<ProviderSubscription, GatewayError> {
        let value = self.read(id).await?.ok_or_else(|| refused("PayPal has no such subscription"))?;
        if text(&value, "/status") == Some("APPROVED") {
            return self.act(key, id, "activate", "The payer approved").await;
        }
        objects::subscription(&value)
    }

    /// Suspends a subscription, with a note that stores the reason and the paid period. To replace the note of a
    /// suspended one, it is activated in between, which is possible only before its next charge is due.
    async fn suspend(
        &self,
        key: &IdempotencyKey,
        id: &SubscriptionId,
        renewal: Renewal,
    ) -> Result<ProviderSubscription, GatewayError> {
        let subscription = self.running(id).await?;
        if subscription.renewal == renewal {
            return Ok(subscription);
        }
        let paid = needed(subscription.period, "billing_info")?;
        let end = needed(paid.ends_at, "next_billing_time")?;
        if let Renewal::PausedUntil(until) | Renewal::DeferredUntil(until) = renewal
            && (until < end || until <= self.env.now())
        {
            return Err(refused("the next charge is put off to a later moment"));
        }
        if subscription.renewal != Renewal::On {
            if end <= self.env.now() {
                // Activating it would charge at once.
                return match renewal {
                    Renewal::Stopped => self.act(key, id, "cancel", "Renewal was stopped").await,
                    Renewal::On | Renewal::PausedUntil(_) | Renewal::DeferredUntil(_) => {
                        Err(refused("the paid period has passed"))
                    }
                };
            }
            self.act(key, id, "activate", "Changed").await?;
        }
        let was_trial = subscription.state == SubscriptionState::Trialing;
        self.act(key, id, "suspend", &Suspension { renewal, was_trial, paid }.to_text()).await
    }

    async fn activate(&self, key: &IdempotencyKey, id: &SubscriptionId) -> Result<ProviderSubscription, GatewayError> {
        let subscription = self.running(id).await?;
        if subscription.renewal == Renewal::On {
            return Ok(subscription);
        }
        self.act(key, id, "activate", "Resumed").await
    }

    async fn end(&self, key: &IdempotencyKey, id: &SubscriptionId) -> Result<ProviderSubscription, GatewayError> {
        let subscription = self.known(id).await?;
        match subscription.state {
            // An unapproved subscription expires by itself.
            SubscriptionState::Ended | SubscriptionState::RequiresAction(_) => Ok(subscription),
            SubscriptionState::Trialing | SubscriptionState::Active | SubscriptionState::PastDue => {
                self.act(key, id, "cancel", "Ended").await
            }
        }
    }

    async fn switch(
        &self,
        key: &IdempotencyKey,
        id: &SubscriptionId,
        terms: &SubscriptionTerms,
    ) -> Result<ProviderSubscription, GatewayError> {
        let subscription = self.running(id).await?;
        let terms = SubscriptionTerms { trial_days: 0, first_charge: terms.price, ..terms.clone() };
        let plan = self.plan(&terms, false).await?;
        let path = format!("/v1/billing/subscriptions/{}/revise", path_id(id.as_str())?);
        let revision = self.client.post(&path, &json!({ "plan_id": plan }), key).await?;
        Ok(ProviderSubscription { state: SubscriptionState::RequiresAction(approval(&revision)?), ..subscription })
    }

    async fn collect(&self, key: &IdempotencyKey, id: &SubscriptionId) -> Result<ProviderSubscription, GatewayError> {
        let value = self.read(id).await?.ok_or_else(|| refused("PayPal has no such subscription"))?;
        let owed = value.pointer("/billing_info/outstanding_balance").and_then(cents);
        if let Some(owed) = owed.filter(|owed| owed.cents() > 0) {
            let body = json!({ "note": "Renewal", "capture_type": "OUTSTANDING_BALANCE", "amount": amount(owed) });
            let path = format!("/v1/billing/subscriptions/{}/capture", path_id(id.as_str())?);
            self.client.post(&path, &body, key).await?;
        }
        self.known(id).await
    }

    async fn transactions(&self, id: &SubscriptionId) -> Result<Vec<Payment>, GatewayError> {
        let now = jiff::Timestamp::from_millisecond(self.env.now().plus(1000).millis());
        let now = now.map_err(|error| refused(&error.to_string()))?;
        let path = format!(
            "/v1/billing/subscriptions/{}/transactions?start_time=2020-01-01T00:00:00Z&end_time={now}",
            path_id(id.as_str())?
        );
        let list = self.client.get(&path).await?.unwrap_or_default();
        let mut found = Vec::new();
        for one in list["transactions"].as_array().into_iter().flatten() {
            let status = text(one, "/status");
            if !matches!(status, Some("COMPLETED" | "PARTIALLY_REFUNDED" | "REFUNDED")) {
                continue;
            }
            let taken = needed(cents(&one["amount_with_breakdown"]["gross_amount"]), "transaction.amount")?;
            let payment = PaymentId::new(needed(text(one, "/id"), "transaction.id")?);
            let refunded = match status {
                Some("REFUNDED") => taken,
                Some("PARTIALLY_REFUNDED") => self.payment(&payment).await?.map_or(taken, |known| known.refunded),
                _ => Money::from_cents(0),
            };
            let at = needed(moment(one, "/time"), "transaction.time")?;
            found.push(Payment { id: payment, amount: taken, refunded, at });
        }
        found.sort_by_key(|payment| std::cmp::Reverse(payment.at));
        found.truncate(12);
        Ok(found)
    }

    async fn payment(&self, id: &PaymentId) -> Result<Option<Payment>, GatewayError> {
        let Ok(path) = path_id(id.as_str()) else { return Ok(None) };
        let Some(capture) = self.client.get(&format!("/v2/payments/captures/{path}")).await? else { return Ok(None) };
        if !matches!(text(&capture, "/status"), Some("COMPLETED" | "PARTIALLY_REFUNDED" | "REFUNDED")) {
            return Ok(None);
        }
        let taken = needed(cents(&capture["amount"]), "capture.amount")?;
        let refunded = match text(&capture, "/status") {
            Some("REFUNDED") => taken,
            Some("PARTIALLY_REFUNDED") => {
                let order = text(&capture, "/supplementary_data/related_ids/order_id");
                let order = self.order(needed(order, "capture.order_id")?).await?;
                match order.as_ref().map(objects::charge).transpose()?.map(|charge| charge.state) {
                    Some(ChargeState::Succeeded(payment)) => payment.refunded,
                    _ => return Err(GatewayError::Malformed("the refunds are missing".to_owned())),
                }
            }
            _ => Money::from_cents(0),
        };
        let at = needed(moment(&capture, "/create_time"), "capture.create_time")?;
        Ok(Some(Payment { id: id.clone(), amount: taken, refunded, at }))
    }

    async fn give_back(&self, key: &IdempotencyKey, request: &RefundRequest) -> Result<Refund, GatewayError> {
        let body = request.amount.map_or_else(|| json!({}), |sum| json!({ "amount": amount(sum) }));
        let path = format!("/v2/payments/captures/{}/refund", path_id(request.payment.as_str())?);
        let refund = self.client.post(&path, &body, key).await?;
        Ok(Refund {
            id: RefundId::new(needed(text(&refund, "/id"), "refund.id")?),
            payment: request.payment.clone(),
            amount: needed(cents(&refund["amount"]), "refund.amount")?,
            state: match text(&refund, "/status") {
                Some("COMPLETED") => RefundState::Succeeded,
                Some("FAILED" | "CANCELLED") => RefundState::Failed,
                _ => RefundState::Pending,
            },
        })
    }

    /// Verifies a webhook through PayPal's API, which needs the body unchanged.
    async fn verify(&self, webhook: WebhookRequest<'_>, now: Timestamp) -> Result<ProviderEvent, WebhookError> {
        let Plausible { mut fields, raw, event } = webhooks::judge(webhook, now)?;
        fields["webhook_id"] = json!(self.config.webhook_id);
        let mut fields = fields.to_string();
        fields.pop();
        let body = format!("{fields},\"webhook_event\":{raw}}}");
        let path = "/v1/notifications/verify-webhook-signature";
        let verified = self.client.post_raw(path, body).await.map_err(WebhookError::Unverified)?;
        if text(&verified, "/verification_status") != Some("SUCCESS") {
            return Err(WebhookError::WrongSignature);
        }
        Ok(event)
    }
}

impl PaymentGateway for PayPal {
    fn provider(&self) -> GatewayProvider {
        GatewayProvider::PayPal
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { resumes_by_itself: false, ends_by_itself: false, finds_by_checkout: false }
    }

    fn page_settings(&self) -> PageSettings {
        PageSettings { provider: GatewayProvider::PayPal, public_key: Some(self.config.client_id.clone()) }
    }

    fn provider_plan<'a>(&'a self, terms: &'a SubscriptionTerms) -> GatewayFuture<'a, Option<ProviderPlanId>> {
        Box::pin(async move { Ok(Some(ProviderPlanId::new(self.plan(terms, true).await?))) })
    }

    fn charge<'a>(&'a self, key: &'a IdempotencyKey, request: &'a ChargeRequest) -> GatewayFuture<'a, Charge> {
        Box::pin(self.charge_once(key, request))
    }

    fn confirm_charge<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        charge: &'a ChargeId,
        expected: Money,
    ) -> GatewayFuture<'a, Charge> {
        Box::pin(self.capture(key, charge, expected))
    }

    fn find_charge<'a>(&'a self, lookup: Lookup<'a, ChargeId>) -> GatewayFuture<'a, Option<Charge>> {
        Box::pin(async move {
            match lookup {
                Lookup::Id(id) => self.order(id.as_str()).await?.as_ref().map(objects::charge).transpose(),
                // Orders can't be searched. An order whose id we never stored was neither approved nor captured.
                Lookup::Checkout(_) => Ok(None),
            }
        })
    }

    fn subscribe<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        request: &'a SubscribeRequest,
    ) -> GatewayFuture<'a, ProviderSubscription> {
        Box::pin(self.begin(key, request))
    }

    fn confirm_subscription<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        subscription: &'a SubscriptionId,
    ) -> GatewayFuture<'a, ProviderSubscription> {
        Box::pin(self.finish(key, subscription))
    }

    fn find_subscription<'a>(
        &'a self,
        lookup: Lookup<'a, SubscriptionId>,
    ) -> GatewayFuture<'a, Option<ProviderSubscription>> {
        Box::pin(async move {
            match lookup {
                Lookup::Id(id) => self.read(id).await?.as_ref().map(objects::subscription).transpose(),
                Lookup::Checkout(_) => Ok(None),
            }
        })
    }

    fn subscription_payments<'a>(&'a self, subscription: &'a SubscriptionId) -> GatewayFuture<'a, Vec<Payment>> {
        Box::pin(self.transactions(subscription))
    }

    fn cancel_at_period_end<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        subscription: &'a SubscriptionId,
    ) -> GatewayFuture<'a, ProviderSubscription> {
        Box::pin(self.suspend(key, subscription, Renewal::Stopped))
    }

    fn resume_renewal<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        subscription: &'a SubscriptionId,
    ) -> GatewayFuture<'a, ProviderSubscription> {
        Box::pin(self.activate(key, subscription))
    }

    fn cancel_now<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        subscription: &'a SubscriptionId,
    ) -> GatewayFuture<'a, ProviderSubscription> {
        Box::pin(self.end(key, subscription))
    }

    /// PayPal has no credit.
    fn forfeit_credit<'a>(&'a self, _: &'a IdempotencyKey, _: &'a SubscriptionId) -> GatewayFuture<'a, ()> {
        Box::pin(async { Ok(()) })
    }

    fn preview_switch<'a>(
        &'a self,
        subscription: &'a SubscriptionId,
        terms: &'a SubscriptionTerms,
    ) -> GatewayFuture<'a, SwitchPreview> {
        Box::pin(async move {
            let known = self.running(subscription).await?;
            if known.renewal != Renewal::On {
                return Err(refused("a paused subscription is resumed before its plan is switched"));
            }
            Ok(SwitchPreview {
                starts: SwitchStart::NextPeriod,
                charged_now: Money::from_cents(0),
                credit_left: Money::from_cents(0),
                next_charge: terms.price,
                next_charge_at: needed(known.next_charge_at, "next_billing_time")?,
                computed_at: self.env.now(),
            })
        })
    }

    fn switch_plan<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        subscription: &'a SubscriptionId,
        terms: &'a SubscriptionTerms,
        _: &'a SwitchPreview,
    ) -> GatewayFuture<'a, ProviderSubscription> {
        Box::pin(self.switch(key, subscription, terms))
    }

    fn pause_collection<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        subscription: &'a SubscriptionId,
        until: Timestamp,
    ) -> GatewayFuture<'a, ProviderSubscription> {
        Box::pin(self.suspend(key, subscription, Renewal::PausedUntil(until)))
    }

    fn resume_collection<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        subscription: &'a SubscriptionId,
    ) -> GatewayFuture<'a, ProviderSubscription> {
        Box::pin(self.activate(key, subscription))
    }

    fn defer_renewal<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        subscription: &'a SubscriptionId,
        until: Timestamp,
    ) -> GatewayFuture<'a, ProviderSubscription> {
        Box::pin(self.suspend(key, subscription, Renewal::DeferredUntil(until)))
    }

    fn collect_overdue<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        subscription: &'a SubscriptionId,
    ) -> GatewayFuture<'a, ProviderSubscription> {
        Box::pin(self.collect(key, subscription))
    }

    fn change_payment_method<'a>(
        &'a self,
        _: &'a IdempotencyKey,
        _: &'a SubscriptionId,
        _: &'a PaymentSource,
        _: &'a str,
    ) -> GatewayFuture<'a, MethodChange> {
        Box::pin(ready(Err(GatewayError::Unsupported("payers choose their method at PayPal"))))
    }

    fn confirm_payment_method<'a>(
        &'a self,
        _: &'a IdempotencyKey,
        _: &'a SubscriptionId,
        _: &'a SetupId,
    ) -> GatewayFuture<'a, MethodChange> {
        Box::pin(ready(Err(GatewayError::Unsupported("payers choose their method at PayPal"))))
    }

    fn refund<'a>(&'a self, key: &'a IdempotencyKey, request: &'a RefundRequest) -> GatewayFuture<'a, Refund> {
        Box::pin(self.give_back(key, request))
    }

    fn find_payment<'a>(&'a self, payment: &'a PaymentId) -> GatewayFuture<'a, Option<Payment>> {
        Box::pin(self.payment(payment))
    }

    fn check_webhook(&self, webhook: WebhookRequest<'_>, now: Timestamp) -> Result<bool, WebhookError> {
        webhooks::judge(webhook, now).map(|_| true)
    }

    fn verify_webhook<'a>(&'a self, webhook: WebhookRequest<'a>, now: Timestamp) -> WebhookFuture<'a> {
        Box::pin(self.verify(webhook, now))
    }
}
