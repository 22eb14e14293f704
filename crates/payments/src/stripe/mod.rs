//! Stripe: payment and setup intents, subscriptions, refunds and webhooks (`billing.card-payments`).

mod client;
mod objects;
mod webhook;

use std::{
    collections::HashSet,
    future::ready,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use billing::gateway::{
    Capabilities, Charge, ChargeId, ChargeRequest, ChargeState, GatewayError, GatewayFuture, GatewayProvider,
    IdempotencyKey, Lookup, MethodChange, PageSettings, Payer, Payment, PaymentGateway, PaymentId, PaymentSource,
    ProviderPlanId, ProviderSubscription, Refund, RefundId, RefundRequest, RefundState, Renewal, SetupId,
    SubscribeRequest, SubscriptionId, SubscriptionState, SubscriptionTerms, SwitchPreview, SwitchStart, WebhookFuture,
    WebhookRequest,
};
use kernel::{Env, Money, Secret, Timestamp};
use serde_json::Value;
use url::Url;

use self::{
    client::{Form, StripeClient, form, path_id, reference},
    objects::{Hold, authenticate, interval_text, payment, payment_method, seconds, setup_decline},
};
use crate::{
    json::{needed, number, text},
    key::digest,
    signature,
};

/// The name of the signature header of Stripe's webhooks, in lower case.
pub const SIGNATURE_HEADER: &str = "stripe-signature";
/// The base URL of Stripe's API.
pub const API: &str = "https://api.stripe.com/";
/// All amounts are in US dollars.
const CURRENCY: &str = "usd";
/// The fields to expand when reading a subscription.
const EXPANDED: [&str; 4] =
    ["customer", "default_payment_method", "pending_setup_intent", "latest_invoice.confirmation_secret"];

/// The settings of Stripe.
#[derive(Clone, Debug)]
pub struct StripeConfig {
    /// The base URL of the API.
    pub api: Url,
    /// `sk_…` or `rk_…`.
    pub secret_key: Secret,
    /// `pk_…`, for clients.
    pub publishable_key: String,
    /// `whsec_…`, to verify webhooks.
    pub webhook_secret: Secret,
    /// The timeout of one request.
    pub timeout: Duration,
}

/// The HTTP client of a payment provider could not be created.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the client of the payment provider can't be set up: {0}")]
pub struct SetupError(pub(crate) String);

/// The Stripe gateway.
pub struct Stripe {
    config: StripeConfig,
    client: StripeClient,
    env: Arc<dyn Env>,
    /// The ids of products known to exist.
    products: Mutex<HashSet<String>>,
}

impl std::fmt::Debug for Stripe {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stripe").field("api", &self.config.api.as_str()).finish_non_exhaustive()
    }
}

fn refused(text: &str) -> GatewayError {
    GatewayError::Refused(text.to_owned())
}

fn push(form: &mut Form, name: &str, value: &dyn std::fmt::Display) {
    form.push((name.to_owned(), value.to_string()));
}

fn expand(form: &mut Form, names: &[&str]) {
    for name in names {
        push(form, "expand[]", &name);
    }
}

/// An inline price, added to the form under `prefix`.
fn price(form: &mut Form, prefix: &str, product: &str, amount: Money) {
    push(form, &format!("{prefix}[currency]"), &CURRENCY);
    push(form, &format!("{prefix}[product]"), &product);
    push(form, &format!("{prefix}[unit_amount]"), &amount.cents());
}

fn declined(charge: Charge) -> Result<Charge, GatewayError> {
    match charge.state {
        ChargeState::Failed(decline) => Err(GatewayError::Declined(decline)),
        _ => Ok(charge),
    }
}

impl Stripe {
    /// Creates the client without connecting.
    pub fn new(config: StripeConfig, env: Arc<dyn Env>) -> Result<Self, SetupError> {
        Ok(Self { client: StripeClient::new(&config)?, config, env, products: Mutex::default() })
    }

    /// The payer's customer id, created if missing.
    async fn customer(&self, key: &IdempotencyKey, payer: &Payer) -> Result<String, GatewayError> {
        if let Some(customer) = &payer.customer {
            return Ok(customer.as_str().to_owned());
        }
        let mut fields = Form::new();
        if let Some(email) = &payer.email {
            push(&mut fields, "email", &email.as_str());
        }
        let customer = self.client.post("/customers", &fields, &key.step("customer")).await?;
        Ok(needed(text(&customer, "/id"), "customer.id")?.to_owned())
    }

    /// The form fields that confirm an intent with this payment method.
    async fn source(&self, source: &PaymentSource, customer: &str) -> Result<Form, GatewayError> {
        match source {
            PaymentSource::Token(token) => {
                let token = token.expose();
                Ok(match token {
                    _ if token.starts_with("ctoken_") => form([("confirmation_token", token)]),
                    _ if token.starts_with("tok_") => {
                        form([("payment_method_data[type]", "card"), ("payment_method_data[card][token]", token)])
                    }
                    _ => form([("payment_method", token)]),
                })
            }
            PaymentSource::Saved => {
                let customer = self.client.get(&format!("/customers/{}", path_id(customer)?), &Form::new()).await?;
                let method = customer.as_ref().and_then(|it| reference(it, "/invoice_settings/default_payment_method"));
                Ok(form([("payment_method", method.ok_or_else(|| refused("the customer has no payment method"))?)]))
            }
            PaymentSource::Approval { .. } => Err(GatewayError::Unsupported("approval")),
        }
    }

    /// The product id of a plan, created if missing.
    async fn product(&self, plan_id: &str, name: &str) -> Result<String, GatewayError> {
        let id = format!("plan_{}", digest(&["product", plan_id, name]));
        if self.products.lock().unwrap_or_else(PoisonError::into_inner).contains(&id) {
            return Ok(id);
        }
        let path = format!("/products/{id}");
        if self.client.get(&path, &Form::new()).await?.is_none() {
            let fields = form([("id", id.as_str()), ("name", name), ("metadata[plan]", plan_id)]);
            let made = self.client.post("/products", &fields, &IdempotencyKey::new(id.as_str()).step("product")).await;
            // Another process may have created it meanwhile.
            if made.is_err() && self.client.get(&path, &Form::new()).await?.is_none() {
                return Err(made.err().unwrap_or_else(|| refused("the product is gone")));
            }
        }
        self.products.lock().unwrap_or_else(PoisonError::into_inner).insert(id.clone());
        Ok(id)
    }

    async fn intent(&self, id: &str) -> Result<Option<Value>, GatewayError> {
        let Ok(id) = path_id(id) else { return Ok(None) };
        self.client.get(&format!("/payment_intents/{id}"), &form([("expand[]", "latest_charge")])).await
    }

    async fn read_subscription(&self, id: &str) -> Result<Option<Value>, GatewayError> {
        let Ok(id) = path_id(id) else { return Ok(None) };
        let mut query = Form::new();
        expand(&mut query, &EXPANDED);
        self.client.get(&format!("/subscriptions/{id}"), &query).await
    }

    /// Reads a subscription that must exist.
    async fn known(&self, id: &SubscriptionId) -> Result<(Value, ProviderSubscription), GatewayError> {
        let value = self.read_subscription(id.as_str()).await?;
        let value = value.ok_or_else(|| refused("Stripe has no such subscription"))?;
        let subscription = objects::subscription(&value)?;
        Ok((value, subscription))
    }

    /// Reads a subscription that must have begun and not ended.
    async fn running(&self, id: &SubscriptionId) -> Result<(Value, ProviderSubscription), GatewayError> {
        let (value, subscription) = self.known(id).await?;
        match subscription.state {
            SubscriptionState::Ended | SubscriptionState::RequiresAction(_) => {
                Err(refused("the subscription does not run"))
            }
            SubscriptionState::Trialing | SubscriptionState::Active | SubscriptionState::PastDue => {
                Ok((value, subscription))
            }
        }
    }

    async fn update(
        &self,
        key: &IdempotencyKey,
        id: &SubscriptionId,
        mut fields: Form,
    ) -> Result<ProviderSubscription, GatewayError> {
        expand(&mut fields, &EXPANDED);
        let path = format!("/subscriptions/{}", path_id(id.as_str())?);
        objects::subscription(&self.client.post(&path, &fields, key).await?)
    }

    async fn charge_once(&self, key: &IdempotencyKey, request: &ChargeRequest) -> Result<Charge, GatewayError> {
        if request.amount.cents() <= 0 {
            return Err(refused("a charge is above zero"));
        }
        let customer = self.customer(key, &request.payer).await?;
        let mut fields = self.source(&request.source, &customer).await?;
        push(&mut fields, "amount", &request.amount.cents());
        fields.extend(form([
            ("currency", CURRENCY),
            ("customer", &customer),
            ("confirm", "true"),
            ("automatic_payment_methods[enabled]", "true"),
            ("return_url", &request.return_url),
            ("description", &request.description),
            ("metadata[checkout]", request.checkout.as_str()),
            ("expand[]", "latest_charge"),
        ]));
        declined(objects::charge(&self.client.post("/payment_intents", &fields, key).await?)?)
    }

    async fn begin(
        &self,
        key: &IdempotencyKey,
        request: &SubscribeRequest,
    ) -> Result<ProviderSubscription, GatewayError> {
        let terms = &request.terms;
        let customer = self.customer(key, &request.payer).await?;
        let source = self.source(&request.source, &customer).await?;
        let product = self.product(&terms.plan_id, &terms.name).await?;
        let mut fields = form([
            ("customer", &customer),
            ("items[0][price_data][recurring][interval]", interval_text(terms.interval)),
            ("payment_behavior", "default_incomplete"),
            ("payment_settings[save_default_payment_method]", "on_subscription"),
            ("metadata[checkout]", request.checkout.as_str()),
            ("metadata[plan]", &terms.plan_id),
        ]);
        price(&mut fields, "items[0][price_data]", &product, terms.price);
        let difference = Money::from_cents(terms.first_charge.cents() - terms.price.cents());
        if terms.trial_days > 0 {
            push(&mut fields, "trial_period_days", &terms.trial_days);
            push(&mut fields, "trial_settings[end_behavior][missing_payment_method]", &"cancel");
        } else if difference.cents() > 0 {
            let extras = self.product("extras", "Extras").await?;
            price(&mut fields, "add_invoice_items[0][price_data]", &extras, difference);
        } else if difference.cents() < 0 {
            push(&mut fields, "discounts[0][coupon]", &self.coupon(-difference.cents()).await?);
        }
        expand(&mut fields, &EXPANDED);
        let made = self.client.post("/subscriptions", &fields, &key.step("subscription")).await?;
        let id = needed(text(&made, "/id"), "subscription.id")?;
        if terms.trial_days > 0 && difference.cents() != 0 {
            // It is added to the invoice at the end of the trial.
            let mut item = form([("customer", &*customer), ("subscription", id), ("currency", CURRENCY)]);
            push(&mut item, "amount", &difference.cents());
            push(&mut item, "description", &"First charge");
            self.client.post("/invoiceitems", &item, &key.step("first charge")).await?;
        }
        if let Err(error) = self.confirm(key, &made, source, &request.return_url).await {
            if matches!(error, GatewayError::Declined(_)) {
                // No trial without a payment method. If this fails, Stripe ends the subscription at the end of the trial.
                self.client.delete(&format!("/subscriptions/{}", path_id(id)?)).await.ok();
            }
            return Err(error);
        }
        self.finish(key, &SubscriptionId::new(id)).await
    }

    /// Confirms the pending intent of a new subscription: its first payment, or the setup for later ones.
    async fn confirm(
        &self,
        key: &IdempotencyKey,
        subscription: &Value,
        mut source: Form,
        return_url: &str,
    ) -> Result<(), GatewayError> {
        push(&mut source, "return_url", &return_url);
        let path = if let Some(setup) = text(subscription, "/pending_setup_intent/id") {
            format!("/setup_intents/{}/confirm", path_id(setup)?)
        } else if let Some(secret) = text(subscription, "/latest_invoice/confirmation_secret/client_secret") {
            let intent = secret.split_once("_secret_").map_or(secret, |(intent, _)| intent);
            format!("/payment_intents/{}/confirm", path_id(intent)?)
        } else {
            return Ok(());
        };
        self.client.post(&path, &source, &key.step("confirm")).await.map(|_| ())
    }

    /// Reads a subscription, and makes its payment method the default of the subscription and of the customer.
    async fn finish(&self, key: &IdempotencyKey, id: &SubscriptionId) -> Result<ProviderSubscription, GatewayError> {
        let (value, subscription) = self.known(id).await?;
        if !matches!(subscription.state, SubscriptionState::Trialing | SubscriptionState::Active) {
            return Ok(subscription);
        }
        let stored = reference(&value, "/default_payment_method");
        let set_up = reference(&value, "/pending_setup_intent/payment_method");
        match (stored.or(set_up), &subscription.customer) {
            (Some(method), Some(customer)) => {
                self.use_method(key, id, customer.as_str(), method).await?;
                if stored.is_some() { Ok(subscription) } else { Ok(self.known(id).await?.1) }
            }
            _ => Ok(subscription),
        }
    }

    /// Makes this payment method the default for renewals and saved payments.
    async fn use_method(
        &self,
        key: &IdempotencyKey,
        id: &SubscriptionId,
        customer: &str,
        method: &str,
    ) -> Result<(), GatewayError> {
        let fields = form([("invoice_settings[default_payment_method]", method)]);
        let path = format!("/customers/{}", path_id(customer)?);
        self.client.post(&path, &fields, &key.step("customer's method")).await?;
        let path = format!("/subscriptions/{}", path_id(id.as_str())?);
        let fields = form([("default_payment_method", method)]);
        self.client.post(&path, &fields, &key.step("method")).await.map(|_| ())
    }

    /// A coupon that takes `cents` off one invoice.
    async fn coupon(&self, cents: i64) -> Result<String, GatewayError> {
        let id = format!("first_charge_less_{cents}");
        let path = format!("/coupons/{id}");
        if self.client.get(&path, &Form::new()).await?.is_none() {
            let mut fields = form([("id", id.as_str()), ("currency", CURRENCY), ("duration", "once")]);
            push(&mut fields, "amount_off", &cents);
            let made = self.client.post("/coupons", &fields, &IdempotencyKey::new(id.as_str()).step("coupon")).await;
            if made.is_err() && self.client.get(&path, &Form::new()).await?.is_none() {
                return Err(made.err().unwrap_or_else(|| refused("the coupon is gone")));
            }
        }
        Ok(id)
    }

    /// Searches objects by our checkout and returns the id with the highest `rank`.
    async fn search(
        &self,
        kind: &str,
        checkout: &str,
        rank: impl Fn(&str) -> u8 + Send,
    ) -> Result<Option<String>, GatewayError> {
        if checkout.is_empty() || !checkout.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_') {
            return Ok(None);
        }
        let query = form(
            [("query", &format!("metadata['checkout']:'{checkout}'")), ("limit", &"100".to_owned())]
                .map(|(name, value)| (name, value.as_str())),
        );
        let found = self.client.get(&format!("/{kind}/search"), &query).await?;
        let best = found
            .as_ref()
            .and_then(|found| found["data"].as_array())
            .into_iter()
            .flatten()
            .filter_map(|one| Some((rank(text(one, "/status")?), text(one, "/id")?.to_owned())))
            .max_by_key(|(rank, _)| *rank);
        Ok(best.map(|(_, id)| id))
    }

    async fn preview(&self, id: &SubscriptionId, terms: &SubscriptionTerms) -> Result<SwitchPreview, GatewayError> {
        let (value, subscription) = self.running(id).await?;
        refuse_held(&subscription)?;
        let now = Timestamp::from_millis(seconds(self.env.now()) * 1000);
        let (due, total, next_charge_at) = if subscription.state == SubscriptionState::Trialing {
            (0, 0, needed(subscription.next_charge_at, "trial_end")?)
        } else {
            let product = self.product(&terms.plan_id, &terms.name).await?;
            let mut fields = form([("subscription", id.as_str())]);
            switched_item(&mut fields, "subscription_details[items][0]", &value, terms, &product)?;
            push(&mut fields, "subscription_details[proration_behavior]", &"always_invoice");
            push(&mut fields, "subscription_details[proration_date]", &seconds(now));
            push(&mut fields, "subscription_details[billing_cycle_anchor]", &"now");
            let key = IdempotencyKey::new(format!("preview {id} {} {}", terms.plan_id, now.millis()));
            let invoice = self.client.post("/invoices/create_preview", &fields, &key).await?;
            (
                needed(number(&invoice, "/amount_due"), "invoice.amount_due")?,
                needed(number(&invoice, "/total"), "invoice.total")?,
                now.plus_months(terms.interval.months()),
            )
        };
        let credit_left = (-total).max(0);
        Ok(SwitchPreview {
            starts: SwitchStart::Now,
            charged_now: Money::from_cents(due),
            credit_left: Money::from_cents(credit_left),
            next_charge: Money::from_cents((terms.price.cents() - credit_left).max(0)),
            next_charge_at,
            computed_at: now,
        })
    }

    async fn switch(
        &self,
        key: &IdempotencyKey,
        id: &SubscriptionId,
        terms: &SubscriptionTerms,
        preview: &SwitchPreview,
    ) -> Result<ProviderSubscription, GatewayError> {
        let (value, subscription) = self.running(id).await?;
        refuse_held(&subscription)?;
        if subscription.plan_id.as_ref() == Some(&terms.plan_id) && subscription.price == terms.price {
            // Already switched, with another preview.
            return Ok(subscription);
        }
        let product = self.product(&terms.plan_id, &terms.name).await?;
        let mut fields = form([("metadata[plan]", terms.plan_id.as_str()), ("cancel_at_period_end", "false")]);
        switched_item(&mut fields, "items[0]", &value, terms, &product)?;
        if subscription.state == SubscriptionState::Trialing {
            self.drop_first_charge(&subscription).await?;
            push(&mut fields, "proration_behavior", &"none");
        } else {
            push(&mut fields, "proration_behavior", &"always_invoice");
            push(&mut fields, "proration_date", &seconds(preview.computed_at));
            push(&mut fields, "billing_cycle_anchor", &"now");
            // If the payment fails, nothing changes.
            push(&mut fields, "payment_behavior", &"error_if_incomplete");
        }
        self.update(key, id, fields).await
    }

    /// Deletes the pending invoice item that adjusts the first charge of a trial.
    async fn drop_first_charge(&self, subscription: &ProviderSubscription) -> Result<(), GatewayError> {
        let customer = needed(subscription.customer.as_ref(), "subscription.customer")?;
        let query = form([("customer", customer.as_str()), ("pending", "true"), ("limit", "100")]);
        let items = self.client.get("/invoiceitems", &query).await?.unwrap_or_default();
        for item in items["data"].as_array().into_iter().flatten() {
            let owner = reference(item, "/parent/subscription_details/subscription")
                .or_else(|| reference(item, "/subscription"));
            if owner == Some(subscription.id.as_str()) {
                let id = needed(text(item, "/id"), "invoiceitem.id")?;
                self.client.delete(&format!("/invoiceitems/{}", path_id(id)?)).await?;
            }
        }
        Ok(())
    }

    /// Postpones the next charge. At Stripe this is a trial until then.
    async fn hold(
        &self,
        key: &IdempotencyKey,
        id: &SubscriptionId,
        until: Timestamp,
        is_pause: bool,
    ) -> Result<ProviderSubscription, GatewayError> {
        let (_, subscription) = self.running(id).await?;
        let period = needed(subscription.period, "current_period")?;
        let paid_end = needed(period.ends_at, "current_period_end")?;
        if until <= self.env.now() || until < paid_end {
            return Err(refused("the next charge is put off to a later moment"));
        }
        let hold = Hold {
            is_pause,
            was_trial: subscription.state == SubscriptionState::Trialing,
            paid: (seconds(period.starts_at), seconds(paid_end)),
            until: seconds(until),
        };
        let mut fields = form([("proration_behavior", "none"), ("metadata[hold]", &hold.to_text())]);
        push(&mut fields, "trial_end", &hold.until);
        self.update(key, id, fields).await
    }

    async fn resume(&self, key: &IdempotencyKey, id: &SubscriptionId) -> Result<ProviderSubscription, GatewayError> {
        let (_, subscription) = self.running(id).await?;
        if !matches!(subscription.renewal, Renewal::PausedUntil(_) | Renewal::DeferredUntil(_)) {
            return Ok(subscription);
        }
        let paid_end = needed(subscription.period.and_then(|period| period.ends_at), "current_period_end")?;
        let mut fields = form([("proration_behavior", "none")]);
        if paid_end > self.env.now() {
            let hold = Hold {
                is_pause: true,
                was_trial: subscription.state == SubscriptionState::Trialing,
                paid: (seconds(subscription.period.map_or(paid_end, |period| period.starts_at)), seconds(paid_end)),
                until: seconds(paid_end),
            };
            push(&mut fields, "trial_end", &hold.until);
            push(&mut fields, "metadata[hold]", &hold.to_text());
        } else {
            push(&mut fields, "trial_end", &"now");
            push(&mut fields, "metadata[hold]", &"");
        }
        self.update(key, id, fields).await
    }

    async fn stop(&self, key: &IdempotencyKey, id: &SubscriptionId) -> Result<ProviderSubscription, GatewayError> {
        let (_, subscription) = self.running(id).await?;
        let fields = match (subscription.renewal, subscription.period.and_then(|period| period.ends_at)) {
            (Renewal::PausedUntil(_) | Renewal::DeferredUntil(_), Some(end)) if end > self.env.now() => {
                let mut fields = form([("proration_behavior", "none")]);
                push(&mut fields, "cancel_at", &seconds(end));
                fields
            }
            (Renewal::PausedUntil(_) | Renewal::DeferredUntil(_), _) => return self.end(id).await,
            (Renewal::On | Renewal::Stopped, _) => form([("cancel_at_period_end", "true")]),
        };
        self.update(key, id, fields).await
    }

    async fn end(&self, id: &SubscriptionId) -> Result<ProviderSubscription, GatewayError> {
        let (_, subscription) = self.known(id).await?;
        if subscription.state == SubscriptionState::Ended {
            return Ok(subscription);
        }
        self.client.delete(&format!("/subscriptions/{}", path_id(id.as_str())?)).await?;
        Ok(self.known(id).await?.1)
    }

    /// Clears the credit left by switches, which is a negative balance of the customer.
    async fn clear_balance(&self, key: &IdempotencyKey, id: &SubscriptionId) -> Result<(), GatewayError> {
        let (_, subscription) = self.known(id).await?;
        let Some(customer) = subscription.customer.filter(|_| subscription.credit.cents() > 0) else { return Ok(()) };
        let path = format!("/customers/{}", path_id(customer.as_str())?);
        self.client.post(&path, &form([("balance", "0")]), key).await?;
        Ok(())
    }

    async fn change_method(
        &self,
        key: &IdempotencyKey,
        id: &SubscriptionId,
        source: &PaymentSource,
        return_url: &str,
    ) -> Result<MethodChange, GatewayError> {
        let (_, subscription) = self.running(id).await?;
        let customer = needed(subscription.customer, "subscription.customer")?;
        let mut fields = self.source(source, customer.as_str()).await?;
        fields.extend(form([
            ("customer", customer.as_str()),
            ("confirm", "true"),
            ("usage", "off_session"),
            ("automatic_payment_methods[enabled]", "true"),
            ("return_url", return_url),
            ("metadata[subscription]", id.as_str()),
            ("expand[]", "payment_method"),
        ]));
        let setup = self.client.post("/setup_intents", &fields, key).await?;
        self.apply_setup(key, id, &setup).await
    }

    /// Applies the payment method of a setup intent.
    async fn apply_setup(
        &self,
        key: &IdempotencyKey,
        id: &SubscriptionId,
        setup: &Value,
    ) -> Result<MethodChange, GatewayError> {
        match text(setup, "/status") {
            Some("succeeded") => {
                let customer = needed(reference(setup, "/customer"), "setup_intent.customer")?;
                let method = needed(reference(setup, "/payment_method"), "setup_intent.payment_method")?;
                self.use_method(key, id, customer, method).await?;
                let method = setup.get("payment_method").and_then(payment_method);
                Ok(MethodChange::Changed(needed(method, "setup_intent.payment_method")?))
            }
            Some("requires_payment_method" | "canceled") => Err(GatewayError::Declined(setup_decline(setup))),
            _ => Ok(MethodChange::RequiresAction {
                setup: SetupId::new(needed(text(setup, "/id"), "setup_intent.id")?),
                action: authenticate(setup)?,
            }),
        }
    }

    async fn payments(&self, id: &SubscriptionId) -> Result<Vec<Payment>, GatewayError> {
        let query =
            form([("subscription", id.as_str()), ("status", "paid"), ("limit", "12"), ("expand[]", "data.payments")]);
        let invoices = self.client.get("/invoices", &query).await?.unwrap_or_default();
        let mut found = Vec::new();
        for invoice in invoices["data"].as_array().into_iter().flatten() {
            if let Some(intent) = reference(invoice, "/payments/data/0/payment/payment_intent")
                && let Some(intent) = self.intent(intent).await?
            {
                found.push(payment(&intent)?);
            }
        }
        Ok(found)
    }

    async fn give_back(&self, key: &IdempotencyKey, request: &RefundRequest) -> Result<Refund, GatewayError> {
        let mut fields = form([("payment_intent", request.payment.as_str())]);
        if let Some(amount) = request.amount {
            push(&mut fields, "amount", &amount.cents());
        }
        let refund = self.client.post("/refunds", &fields, key).await?;
        Ok(Refund {
            id: RefundId::new(needed(text(&refund, "/id"), "refund.id")?),
            payment: request.payment.clone(),
            amount: Money::from_cents(needed(number(&refund, "/amount"), "refund.amount")?),
            state: match text(&refund, "/status") {
                Some("succeeded") => RefundState::Succeeded,
                Some("failed" | "canceled") => RefundState::Failed,
                _ => RefundState::Pending,
            },
        })
    }
}

fn refuse_held(subscription: &ProviderSubscription) -> Result<(), GatewayError> {
    match subscription.renewal {
        Renewal::PausedUntil(_) | Renewal::DeferredUntil(_) => {
            Err(refused("a paused subscription is resumed before its plan is switched"))
        }
        Renewal::On | Renewal::Stopped => Ok(()),
    }
}

/// Adds the fields that change the price of the subscription's item.
fn switched_item(
    fields: &mut Form,
    prefix: &str,
    subscription: &Value,
    terms: &SubscriptionTerms,
    product: &str,
) -> Result<(), GatewayError> {
    let item = needed(text(subscription, "/items/data/0/id"), "subscription.items")?;
    push(fields, &format!("{prefix}[id]"), &item);
    price(fields, &format!("{prefix}[price_data]"), product, terms.price);
    push(fields, &format!("{prefix}[price_data][recurring][interval]"), &interval_text(terms.interval));
    Ok(())
}

impl PaymentGateway for Stripe {
    fn provider(&self) -> GatewayProvider {
        GatewayProvider::Stripe
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { resumes_by_itself: true, ends_by_itself: true, finds_by_checkout: true }
    }

    fn page_settings(&self) -> PageSettings {
        PageSettings { provider: GatewayProvider::Stripe, public_key: Some(self.config.publishable_key.clone()) }
    }

    fn provider_plan<'a>(&'a self, _: &'a SubscriptionTerms) -> GatewayFuture<'a, Option<ProviderPlanId>> {
        Box::pin(ready(Ok(None)))
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
        Box::pin(async move {
            let intent = self.intent(charge.as_str()).await?.ok_or_else(|| refused("Stripe has no such charge"))?;
            let found = objects::charge(&intent)?;
            if found.amount != expected {
                return Err(refused("the charge is of another amount"));
            }
            if found.state == ChargeState::RequiresConfirmation {
                let path = format!("/payment_intents/{}/confirm", path_id(charge.as_str())?);
                let confirmed = self.client.post(&path, &form([("expand[]", "latest_charge")]), key).await?;
                return declined(objects::charge(&confirmed)?);
            }
            declined(found)
        })
    }

    fn find_charge<'a>(&'a self, lookup: Lookup<'a, ChargeId>) -> GatewayFuture<'a, Option<Charge>> {
        Box::pin(async move {
            let id = match lookup {
                Lookup::Id(id) => Some(id.as_str().to_owned()),
                Lookup::Checkout(checkout) => {
                    // Of several attempts, prefer one that took the money, then one that may still.
                    let rank = |status: &str| match status {
                        "succeeded" => 3,
                        "processing" | "requires_capture" => 2,
                        "requires_action" | "requires_confirmation" => 1,
                        _ => 0,
                    };
                    self.search("payment_intents", checkout.as_str(), rank).await?
                }
            };
            let Some(id) = id else { return Ok(None) };
            self.intent(&id).await?.as_ref().map(objects::charge).transpose()
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
            let id = match lookup {
                Lookup::Id(id) => Some(id.as_str().to_owned()),
                Lookup::Checkout(checkout) => {
                    let rank = |status: &str| match status {
                        "active" | "trialing" | "past_due" | "unpaid" => 2,
                        "incomplete" => 1,
                        _ => 0,
                    };
                    self.search("subscriptions", checkout.as_str(), rank).await?
                }
            };
            let Some(id) = id else { return Ok(None) };
            self.read_subscription(&id).await?.as_ref().map(objects::subscription).transpose()
        })
    }

    fn subscription_payments<'a>(&'a self, subscription: &'a SubscriptionId) -> GatewayFuture<'a, Vec<Payment>> {
        Box::pin(self.payments(subscription))
    }

    fn cancel_at_period_end<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        subscription: &'a SubscriptionId,
    ) -> GatewayFuture<'a, ProviderSubscription> {
        Box::pin(self.stop(key, subscription))
    }

    fn resume_renewal<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        subscription: &'a SubscriptionId,
    ) -> GatewayFuture<'a, ProviderSubscription> {
        Box::pin(async move {
            let (value, _) = self.running(subscription).await?;
            let fields = if value["cancel_at_period_end"].as_bool() == Some(true) {
                form([("cancel_at_period_end", "false")])
            } else {
                form([("cancel_at", "")])
            };
            self.update(key, subscription, fields).await
        })
    }

    fn cancel_now<'a>(
        &'a self,
        _: &'a IdempotencyKey,
        subscription: &'a SubscriptionId,
    ) -> GatewayFuture<'a, ProviderSubscription> {
        Box::pin(self.end(subscription))
    }

    fn forfeit_credit<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        subscription: &'a SubscriptionId,
    ) -> GatewayFuture<'a, ()> {
        Box::pin(self.clear_balance(key, subscription))
    }

    fn preview_switch<'a>(
        &'a self,
        subscription: &'a SubscriptionId,
        terms: &'a SubscriptionTerms,
    ) -> GatewayFuture<'a, SwitchPreview> {
        Box::pin(self.preview(subscription, terms))
    }

    fn switch_plan<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        subscription: &'a SubscriptionId,
        terms: &'a SubscriptionTerms,
        preview: &'a SwitchPreview,
    ) -> GatewayFuture<'a, ProviderSubscription> {
        Box::pin(self.switch(key, subscription, terms, preview))
    }

    fn pause_collection<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        subscription: &'a SubscriptionId,
        until: Timestamp,
    ) -> GatewayFuture<'a, ProviderSubscription> {
        Box::pin(self.hold(key, subscription, until, true))
    }

    fn resume_collection<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        subscription: &'a SubscriptionId,
    ) -> GatewayFuture<'a, ProviderSubscription> {
        Box::pin(self.resume(key, subscription))
    }

    fn defer_renewal<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        subscription: &'a SubscriptionId,
        until: Timestamp,
    ) -> GatewayFuture<'a, ProviderSubscription> {
        Box::pin(self.hold(key, subscription, until, false))
    }

    fn collect_overdue<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        subscription: &'a SubscriptionId,
    ) -> GatewayFuture<'a, ProviderSubscription> {
        Box::pin(async move {
            let (value, known) = self.running(subscription).await?;
            if known.state != SubscriptionState::PastDue {
                return Ok(known);
            }
            let invoice = needed(reference(&value, "/latest_invoice"), "subscription.latest_invoice")?;
            self.client.post(&format!("/invoices/{}/pay", path_id(invoice)?), &Form::new(), key).await?;
            Ok(self.known(subscription).await?.1)
        })
    }

    fn change_payment_method<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        subscription: &'a SubscriptionId,
        source: &'a PaymentSource,
        return_url: &'a str,
    ) -> GatewayFuture<'a, MethodChange> {
        Box::pin(self.change_method(key, subscription, source, return_url))
    }

    fn confirm_payment_method<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        subscription: &'a SubscriptionId,
        setup: &'a SetupId,
    ) -> GatewayFuture<'a, MethodChange> {
        Box::pin(async move {
            let path = format!("/setup_intents/{}", path_id(setup.as_str())?);
            let found = self.client.get(&path, &form([("expand[]", "payment_method")])).await?;
            let found = found.ok_or_else(|| refused("Stripe has no such setup"))?;
            if text(&found, "/metadata/subscription") != Some(subscription.as_str()) {
                return Err(refused("the setup is of another subscription"));
            }
            self.apply_setup(key, subscription, &found).await
        })
    }

    fn refund<'a>(&'a self, key: &'a IdempotencyKey, request: &'a RefundRequest) -> GatewayFuture<'a, Refund> {
        Box::pin(self.give_back(key, request))
    }

    fn find_payment<'a>(&'a self, id: &'a PaymentId) -> GatewayFuture<'a, Option<Payment>> {
        Box::pin(async move {
            let intent = self.intent(id.as_str()).await?;
            let taken = intent.filter(|intent| text(intent, "/status") == Some("succeeded"));
            taken.as_ref().map(payment).transpose()
        })
    }

    fn verify_webhook<'a>(&'a self, webhook: WebhookRequest<'a>, now: Timestamp) -> WebhookFuture<'a> {
        let signature = webhook.header(SIGNATURE_HEADER);
        let verified = signature::verify(&self.config.webhook_secret, signature, webhook.body, now);
        Box::pin(ready(verified.and_then(|()| webhook::read_event(webhook.body))))
    }
}
