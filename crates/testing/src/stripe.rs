//! A double of Stripe: the documented HTTP API of intents, subscriptions, invoices and refunds, with state, idempotency keys,
//! signed webhooks, a clock that tests advance, and faults.
//!
//! Objects are stored as the JSON of Stripe's responses. Fields whose names begin with `_` are internal to the double; `_x_…`
//! is a field that a response contains only when it is expanded.

use std::collections::{BTreeMap, HashMap};

use hmac::{Hmac, Mac};
use serde_json::{Value, json};
use sha2::Sha256;

use crate::{
    Interruption,
    provider::{Provider, ProviderFault, ProviderServer, Request, Response},
};

/// The secret key that the double accepts.
pub const SECRET_KEY: &str = "sk_test_double";
/// The secret that signs its webhooks.
pub const WEBHOOK_SECRET: &str = "whsec_double";

const DAY: i64 = 86_400;

/// A webhook request: the header `stripe-signature` and the body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StripeWebhook {
    /// The header `stripe-signature`.
    pub signature: String,
    pub body: Vec<u8>,
}

/// The double, listening on a free port for as long as the process runs.
pub struct StripeDouble {
    server: ProviderServer<State>,
}

impl std::fmt::Debug for StripeDouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StripeDouble").field("url", &self.server.url).finish_non_exhaustive()
    }
}

impl StripeDouble {
    /// Starts the double with its clock at `now`, in seconds since the epoch.
    pub fn start(now: i64) -> Self {
        Self { server: ProviderServer::start(|_| State { now, ..State::default() }) }
    }

    /// The base URL of its API, with a trailing slash.
    pub fn url(&self) -> &str {
        &self.server.url
    }

    /// Advances the clock and renews what has become due.
    pub fn advance_to(&self, now: i64) {
        self.server.with(|state| state.advance_to(now));
    }

    /// The payer authenticates, or fails to.
    pub fn authenticate(&self, client_secret: &str, succeeds: bool) {
        let id = client_secret.split_once("_secret_").map_or(client_secret, |(id, _)| id).to_owned();
        self.server.with(|state| state.authenticate(&id, succeeds));
    }

    /// The payer's bank opens a dispute.
    pub fn open_dispute(&self, intent: &str) {
        self.server.with(|state| state.tell_dispute("charge.dispute.created", intent, "needs_response"));
    }

    /// The bank decides a dispute.
    pub fn close_dispute(&self, intent: &str, won: bool) {
        let status = if won { "won" } else { "lost" };
        self.server.with(|state| state.tell_dispute("charge.dispute.closed", intent, status));
    }

    /// For each payment, in order, the captured amount less refunds, in cents.
    pub fn taken(&self) -> Vec<i64> {
        self.server.with(|state| {
            let mut charges: Vec<_> = state.of_kind("charge").filter(|charge| charge["paid"] == true).collect();
            charges.sort_by_key(|charge| charge["_number"].as_i64());
            charges.iter().map(|charge| cents(charge, "amount") - cents(charge, "amount_refunded")).collect()
        })
    }

    /// The webhooks that were not returned yet, signed now.
    pub fn take_webhooks(&self) -> Vec<StripeWebhook> {
        self.server.with(|state| {
            let now = state.now;
            std::mem::take(&mut state.events).iter().map(|body| sign(now, body)).collect()
        })
    }

    /// Makes requests whose method and path begin with `requests` fail from now on.
    pub fn fail(&self, fault: ProviderFault, requests: &str) {
        self.server.fail(fault, requests);
    }

    /// Ends the fault.
    pub fn heal(&self) {
        self.server.heal();
    }

    /// From now on each request has an interruption point before the double acts and one after.
    pub fn interrupt(&self, interruption: &Interruption) {
        self.server.interrupt(interruption);
    }

    /// Methods and paths of all requests, in order.
    pub fn requests(&self) -> Vec<String> {
        self.server.requests()
    }

    /// All objects of a kind (`payment_intent`), as in responses, for comparison with Stripe's own examples.
    pub fn objects(&self, kind: &str) -> Vec<Value> {
        self.server.with(|state| state.of_kind(kind).map(visible).collect())
    }
}

fn sign(now: i64, body: &Value) -> StripeWebhook {
    let body = body.to_string().into_bytes();
    let mut mac = Hmac::<Sha256>::new_from_slice(WEBHOOK_SECRET.as_bytes()).expect("any key will do");
    mac.update(format!("{now}.").as_bytes());
    mac.update(&body);
    let signature = hex::encode(mac.finalize().into_bytes());
    StripeWebhook { signature: format!("t={now},v1={signature}"), body }
}

/// An object without internal fields.
fn visible(object: &Value) -> Value {
    match object {
        Value::Object(fields) => fields
            .iter()
            .filter(|(name, _)| !name.starts_with('_'))
            .map(|(name, value)| (name.clone(), visible(value)))
            .collect(),
        Value::Array(items) => items.iter().map(visible).collect(),
        other => other.clone(),
    }
}

fn cents(object: &Value, field: &str) -> i64 {
    object[field].as_i64().unwrap_or_default()
}

fn string(object: &Value, field: &str) -> String {
    object[field].as_str().unwrap_or_default().to_owned()
}

type Form = Vec<(String, String)>;

fn field<'a>(form: &'a Form, name: &str) -> Option<&'a str> {
    form.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
}

fn field_cents(form: &Form, name: &str) -> i64 {
    field(form, name).and_then(|value| value.parse().ok()).unwrap_or_default()
}

fn metadata(form: &Form) -> Value {
    let fields = form.iter().filter_map(|(name, value)| {
        let name = name.strip_prefix("metadata[")?.strip_suffix(']')?;
        Some((name.to_owned(), json!(value)))
    });
    Value::Object(fields.collect())
}

fn failure(status: u16, kind: &str, code: &str, message: &str) -> Response {
    (status, json!({ "error": { "type": kind, "code": code, "message": message } }))
}

fn invalid(code: &str, message: &str) -> Response {
    failure(400, "invalid_request_error", code, message)
}

fn missing() -> Response {
    failure(404, "invalid_request_error", "resource_missing", "No such object")
}

fn declined(intent: Option<(&str, Value)>) -> Response {
    let mut error = decline_error();
    if let Some((name, intent)) = intent {
        error[name] = visible(&intent);
    }
    (402, json!({ "error": error }))
}

fn decline_error() -> Value {
    json!({
        "type": "card_error", "code": "card_declined", "decline_code": "generic_decline",
        "message": "Your card was declined.",
    })
}

/// Number, brand and fingerprint of a token's card.
fn card(token: &str) -> Option<(&'static str, &'static str, &'static str)> {
    let name = ["pm_card_", "tok_", "ctoken_"].iter().find_map(|prefix| token.strip_prefix(prefix))?;
    Some(match name {
        "visa" => ("4242", "visa", "fp_visa"),
        "mastercard" => ("4444", "mastercard", "fp_mastercard"),
        "chargeDeclined" => ("0002", "visa", "fp_declined"),
        "authenticationRequired" => ("3184", "visa", "fp_authentication"),
        "chargeCustomerFail" => ("0341", "visa", "fp_fails_later"),
        _ => return None,
    })
}

/// Adds an interval to a time in seconds, by the calendar; supports days of the month up to 28.
fn add_interval(at: i64, interval: &str) -> i64 {
    let (days, time) = (at.div_euclid(DAY), at.rem_euclid(DAY));
    // Days to civil date and back (Howard Hinnant's algorithms).
    let z = days + 719_468;
    let era = z.div_euclid(146_097);
    let doe = z.rem_euclid(146_097);
    let yoe = (doe - doe / 1_460 + doe / 36_524 - doe / 146_096) / 365;
    let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    let mp = (5 * doy + 2) / 153;
    let day = doy - (153 * mp + 2) / 5 + 1;
    let month = if mp < 10 { mp + 3 } else { mp - 9 };
    let year = yoe + era * 400 + i64::from(month <= 2);
    let (year, month) = match (interval, month) {
        ("year", _) => (year + 1, month),
        (_, 12) => (year + 1, 1),
        _ => (year, month + 1),
    };
    let shifted = if month <= 2 { year - 1 } else { year };
    let era = shifted.div_euclid(400);
    let yoe = shifted.rem_euclid(400);
    let doy = (153 * (if month > 2 { month - 3 } else { month + 9 }) + 2) / 5 + day - 1;
    let doe = yoe * 365 + yoe / 4 - yoe / 100 + doy;
    (era * 146_097 + doe - 719_468) * DAY + time
}

#[derive(Default)]
struct State {
    now: i64,
    count: i64,
    objects: BTreeMap<String, Value>,
    keys: HashMap<String, (String, Response)>,
    events: Vec<Value>,
}

impl Provider for State {
    fn respond(&mut self, request: &Request, fails_after: bool) -> Response {
        if request.header("authorization") != Some(&format!("Bearer {SECRET_KEY}")) {
            return failure(401, "invalid_request_error", "api_key_expired", "Invalid API Key provided");
        }
        let sent = format!("{} {}", request.path, String::from_utf8_lossy(&request.body));
        let key = request.header("idempotency-key").filter(|_| request.method == "POST").map(str::to_owned);
        if let Some((known, response)) = key.as_ref().and_then(|key| self.keys.get(key)) {
            return if *known == sent {
                response.clone()
            } else {
                failure(
                    400,
                    "idempotency_error",
                    "idempotency_key_in_use",
                    "Keys for idempotent requests can only be used with the same parameters",
                )
            };
        }
        let (mut status, mut body) = self.act(request);
        if fails_after {
            (status, body) = (500, Self::error(500));
        }
        // Results of executed requests are stored with the key, including 500s; requests that were not executed are not.
        if let Some(key) = key.filter(|_| status < 400 || status == 402 || status == 500) {
            self.keys.insert(key, (sent, (status, body.clone())));
        }
        (status, body)
    }

    fn error(status: u16) -> Value {
        json!({ "error": { "type": "api_error", "message": format!("An error with status {status}") } })
    }
}

impl State {
    fn id(&mut self, prefix: &str) -> String {
        self.count += 1;
        format!("{prefix}_double{}", self.count)
    }

    fn of_kind<'a>(&'a self, kind: &str) -> impl Iterator<Item = &'a Value> {
        self.objects.values().filter(move |object| object["object"] == kind)
    }

    fn put(&mut self, object: Value) -> String {
        let id = string(&object, "id");
        self.objects.insert(id.clone(), object);
        id
    }

    fn get(&self, id: &str, kind: &str) -> Option<Value> {
        self.objects.get(id).filter(|object| object["object"] == kind).cloned()
    }

    fn set(&mut self, id: &str, fields: Value) {
        if let (Some(object), Value::Object(fields)) = (self.objects.get_mut(id), fields) {
            for (name, value) in fields {
                object[name] = value;
            }
        }
    }

    fn tell(&mut self, kind: &str, id: &str) {
        let object = self.objects.get(id).map(visible).unwrap_or_default();
        self.tell_object(kind, &object);
    }

    fn tell_object(&mut self, kind: &str, object: &Value) {
        let id = self.id("evt");
        self.events.push(json!({
            "id": id, "object": "event", "api_version": "2026-09-30.endive", "created": self.now,
            "data": { "object": object }, "livemode": false, "pending_webhooks": 1,
            "request": { "id": null, "idempotency_key": null }, "type": kind,
        }));
    }

    fn tell_dispute(&mut self, kind: &str, intent: &str, status: &str) {
        let id = self.id("dp");
        self.tell_object(kind, &json!({ "id": id, "object": "dispute", "payment_intent": intent, "status": status }));
    }

    /// An object as in responses: expanded, without internal fields.
    fn shown(&self, id: &str, expand: &[&str]) -> Value {
        let mut object = self.objects.get(id).cloned().unwrap_or_default();
        for path in expand {
            self.expand(&mut object, path);
        }
        visible(&object)
    }

    fn expand(&self, object: &mut Value, path: &str) {
        let (first, rest) = path.split_once('.').unwrap_or((path, ""));
        if object[first].is_null()
            && let Some(hidden) = object.get(format!("_x_{first}"))
        {
            object[first] = hidden.clone();
        }
        if let Some(referenced) = object[first].as_str().and_then(|id| self.objects.get(id)) {
            object[first] = referenced.clone();
        }
        if rest.is_empty() || object[first].is_null() {
            return;
        }
        if object["object"] == "list"
            && let Some(items) = object["data"].as_array_mut()
        {
            for item in items {
                self.expand(item, rest);
            }
        } else {
            self.expand(&mut object[first], rest);
        }
    }

    fn answer(&self, id: &str, form: &Form) -> Response {
        let expand: Vec<&str> = form.iter().filter(|(name, _)| name == "expand[]").map(|(_, value)| &**value).collect();
        (200, self.shown(id, &expand))
    }

    fn list(&self, ids: &[String], form: &Form) -> Response {
        let expand: Vec<&str> = form
            .iter()
            .filter(|(name, _)| name == "expand[]")
            .filter_map(|(_, value)| value.strip_prefix("data."))
            .collect();
        let data: Vec<Value> = ids.iter().map(|id| self.shown(id, &expand)).collect();
        (200, json!({ "object": "list", "data": data, "has_more": false, "url": "/v1/list" }))
    }

    fn act(&mut self, request: &Request) -> Response {
        let form = if request.method == "POST" { request.form() } else { request.query.clone() };
        let path: Vec<&str> = request.path.trim_start_matches("/v1/").split('/').collect();
        match (request.method.as_str(), &path[..]) {
            ("POST", ["customers"]) => self.create_customer(&form),
            ("POST", ["customers", id]) => self.update_customer(id, &form),
            ("POST", ["products"]) => self.create_named("product", &form),
            ("POST", ["coupons"]) => self.create_named("coupon", &form),
            ("POST", ["payment_intents"]) => self.create_intent(&form),
            ("POST", ["payment_intents", id, "confirm"]) => self.confirm_intent(id, &form),
            ("POST", ["setup_intents"]) => self.create_setup(&form),
            ("POST", ["setup_intents", id, "confirm"]) => self.confirm_setup(id, &form),
            ("POST", ["subscriptions"]) => self.create_subscription(&form),
            ("POST", ["subscriptions", id]) => self.update_subscription(id, &form),
            ("DELETE", ["subscriptions", id]) => self.cancel_subscription(id),
            ("POST", ["invoiceitems"]) => self.create_item(&form),
            ("DELETE", ["invoiceitems", id]) => {
                if self.objects.remove(*id).is_some() {
                    (200, json!({ "id": id, "deleted": true }))
                } else {
                    missing()
                }
            }
            ("GET", ["invoiceitems"]) => {
                let ids: Vec<String> = self
                    .of_kind("invoiceitem")
                    .filter(|item| item["customer"].as_str() == field(&form, "customer"))
                    .map(|item| string(item, "id"))
                    .collect();
                self.list(&ids, &form)
            }
            ("POST", ["invoices", "create_preview"]) => self.preview(&form),
            ("POST", ["invoices", id, "pay"]) => self.pay_invoice(id),
            ("GET", ["invoices"]) => {
                let mut found: Vec<&Value> = self
                    .of_kind("invoice")
                    .filter(|invoice| invoice["_subscription"].as_str() == field(&form, "subscription"))
                    .filter(|invoice| invoice["status"].as_str() == field(&form, "status"))
                    .collect();
                found.sort_by_key(|invoice| std::cmp::Reverse(invoice["_number"].as_i64()));
                let ids: Vec<String> = found.into_iter().map(|invoice| string(invoice, "id")).collect();
                self.list(&ids, &form)
            }
            ("POST", ["refunds"]) => self.create_refund(&form),
            ("GET", [kind @ ("payment_intents" | "subscriptions"), "search"]) => {
                let wanted = field(&form, "query").unwrap_or_default();
                let kind = kind.trim_end_matches('s');
                let ids: Vec<String> = self
                    .of_kind(kind)
                    .filter(|one| format!("metadata['checkout']:'{}'", string(&one["metadata"], "checkout")) == wanted)
                    .map(|one| string(one, "id"))
                    .collect();
                let (status, mut body) = self.list(&ids, &form);
                body["object"] = json!("search_result");
                (status, body)
            }
            (
                "GET",
                ["customers" | "products" | "coupons" | "payment_intents" | "setup_intents" | "subscriptions", id],
            ) if self.objects.contains_key(*id) => self.answer(id, &form),
            _ => missing(),
        }
    }

    fn create_customer(&mut self, form: &Form) -> Response {
        let id = self.id("cus");
        let customer = json!({
            "id": id, "object": "customer", "address": null, "balance": 0, "created": self.now, "currency": null,
            "default_source": null, "delinquent": false, "description": null, "email": field(form, "email"),
            "invoice_prefix": "DOUBLE", "invoice_settings": {
                "custom_fields": null, "default_payment_method": null, "footer": null, "rendering_options": null,
            },
            "livemode": false, "metadata": metadata(form), "name": null, "next_invoice_sequence": 1, "phone": null,
            "preferred_locales": [], "shipping": null, "tax_exempt": "none", "test_clock": null,
        });
        let id = self.put(customer);
        self.answer(&id, form)
    }

    fn update_customer(&mut self, id: &str, form: &Form) -> Response {
        let Some(mut customer) = self.get(id, "customer") else { return missing() };
        if let Some(method) = field(form, "invoice_settings[default_payment_method]") {
            let Some(known) = self.get(method, "payment_method") else { return missing() };
            if known["customer"] != id {
                return invalid("resource_missing", "The payment method is not of this customer");
            }
            customer["invoice_settings"]["default_payment_method"] = json!(method);
        }
        if let Some(balance) = field(form, "balance") {
            let Ok(cents) = balance.parse::<i64>() else { return invalid("parameter_invalid_integer", "balance") };
            customer["balance"] = json!(cents);
        }
        self.put(customer);
        self.tell("customer.updated", id);
        self.answer(id, form)
    }

    fn create_named(&mut self, kind: &str, form: &Form) -> Response {
        let Some(id) = field(form, "id") else { return invalid("parameter_missing", "id") };
        if self.objects.contains_key(id) {
            return invalid("resource_already_exists", "Already exists.");
        }
        let object = if kind == "product" {
            json!({
                "id": id, "object": "product", "active": true, "created": self.now, "default_price": null,
                "description": null, "images": [], "livemode": false, "marketing_features": [],
                "metadata": metadata(form), "name": field(form, "name"), "package_dimensions": null, "shippable": null,
                "statement_descriptor": null, "tax_code": null, "type": "service", "unit_label": null,
                "updated": self.now, "url": null,
            })
        } else {
            json!({
                "id": id, "object": "coupon", "amount_off": field_cents(form, "amount_off"), "created": self.now,
                "currency": "usd", "duration": "once", "duration_in_months": null, "livemode": false,
                "max_redemptions": null, "metadata": {}, "name": null, "percent_off": null, "redeem_by": null,
                "times_redeemed": 0, "valid": true,
            })
        };
        let id = self.put(object);
        self.answer(&id, form)
    }

    /// The payment method in a form: a test card becomes a new payment method, as at Stripe.
    fn method(&mut self, form: &Form) -> Result<String, Response> {
        let given = field(form, "payment_method")
            .or_else(|| field(form, "confirmation_token"))
            .or_else(|| field(form, "payment_method_data[card][token]"))
            .ok_or_else(|| invalid("parameter_missing", "payment_method"))?;
        if self.get(given, "payment_method").is_some() {
            return Ok(given.to_owned());
        }
        let (last4, brand, fingerprint) =
            card(given).ok_or_else(|| invalid("resource_missing", "No such PaymentMethod"))?;
        let id = self.id("pm");
        let method = json!({
            "id": id, "object": "payment_method", "allow_redisplay": "unspecified",
            "billing_details": { "address": null, "email": null, "name": null, "phone": null, "tax_id": null },
            "card": {
                "brand": brand, "checks": null, "country": "US", "display_brand": brand, "exp_month": 12,
                "exp_year": 2034, "fingerprint": fingerprint, "funding": "credit", "generated_from": null,
                "last4": last4, "networks": null, "regulated_status": "unregulated",
                "three_d_secure_usage": null, "wallet": null,
            },
            "created": self.now, "customer": null, "livemode": false, "metadata": {}, "type": "card",
        });
        Ok(self.put(method))
    }

    fn last4(&self, method: &str) -> String {
        self.get(method, "payment_method").map(|method| string(&method["card"], "last4")).unwrap_or_default()
    }

    fn new_intent(&mut self, amount: i64, customer: &str, metadata: &Value, description: Option<&str>) -> String {
        let id = self.id("pi");
        self.put(json!({
            "id": id, "object": "payment_intent", "amount": amount, "amount_capturable": 0,
            "amount_details": { "tip": {} }, "amount_received": 0, "application": null,
            "application_fee_amount": null, "automatic_payment_methods": { "enabled": true, "allow_redirects": "always" },
            "canceled_at": null, "cancellation_reason": null, "capture_method": "automatic",
            "client_secret": format!("{id}_secret_double"), "confirmation_method": "automatic", "created": self.now,
            "currency": "usd", "customer": customer, "description": description, "last_payment_error": null,
            "latest_charge": null, "livemode": false, "metadata": metadata, "next_action": null, "on_behalf_of": null,
            "payment_method": null, "payment_method_configuration_details": null, "payment_method_options": {},
            "payment_method_types": ["card"], "processing": null, "receipt_email": null, "review": null,
            "setup_future_usage": null, "shipping": null, "statement_descriptor": null,
            "statement_descriptor_suffix": null, "status": "requires_payment_method", "transfer_data": null,
            "transfer_group": null,
        }))
    }

    fn create_intent(&mut self, form: &Form) -> Response {
        let amount = field_cents(form, "amount");
        let customer = field(form, "customer").unwrap_or_default().to_owned();
        if amount < 50 || field(form, "currency") != Some("usd") {
            return invalid("amount_too_small", "Amount must be at least $0.50 usd");
        }
        if self.get(&customer, "customer").is_none() {
            return missing();
        }
        let method = match self.method(form) {
            Ok(method) => method,
            Err(response) => return response,
        };
        let id = self.new_intent(amount, &customer, &metadata(form), field(form, "description"));
        self.tell("payment_intent.created", &id);
        if field(form, "confirm") != Some("true") {
            self.set(&id, json!({ "payment_method": method, "status": "requires_confirmation" }));
            return self.answer(&id, form);
        }
        self.pay(&id, &method, true);
        self.intent_response(&id, form)
    }

    fn confirm_intent(&mut self, id: &str, form: &Form) -> Response {
        let Some(intent) = self.get(id, "payment_intent") else { return missing() };
        if !matches!(intent["status"].as_str(), Some("requires_payment_method" | "requires_confirmation")) {
            return invalid("payment_intent_unexpected_state", "The PaymentIntent can't be confirmed in its state");
        }
        let method = if field(form, "payment_method").is_none() && intent["payment_method"].is_string() {
            Ok(string(&intent, "payment_method"))
        } else {
            self.method(form)
        };
        match method {
            Ok(method) => self.pay(id, &method, true),
            Err(response) => return response,
        }
        self.intent_response(id, form)
    }

    fn intent_response(&self, id: &str, form: &Form) -> Response {
        let intent = self.get(id, "payment_intent").unwrap_or_default();
        if intent["status"] == "requires_payment_method" {
            declined(Some(("payment_intent", intent)))
        } else {
            self.answer(id, form)
        }
    }

    /// Attempts to charge an intent.
    fn pay(&mut self, id: &str, method: &str, payer_is_present: bool) {
        self.set(id, json!({ "payment_method": method }));
        match self.last4(method).as_str() {
            "0002" | "0341" => self.decline_intent(id),
            "3184" if payer_is_present => {
                let action = json!({ "type": "use_stripe_sdk", "use_stripe_sdk": {} });
                self.set(id, json!({ "status": "requires_action", "next_action": action }));
                self.tell("payment_intent.requires_action", id);
            }
            _ => self.succeed(id),
        }
    }

    fn decline_intent(&mut self, id: &str) {
        self.set(
            id,
            json!({ "status": "requires_payment_method", "next_action": null, "last_payment_error": decline_error() }),
        );
        self.tell("payment_intent.payment_failed", id);
    }

    fn succeed(&mut self, id: &str) {
        let intent = self.get(id, "payment_intent").unwrap_or_default();
        let (amount, method) = (cents(&intent, "amount"), string(&intent, "payment_method"));
        let card = self.get(&method, "payment_method").map(|method| method["card"].clone()).unwrap_or_default();
        let charge = self.id("ch");
        self.put(json!({
            "id": charge, "object": "charge", "_number": self.count, "amount": amount, "amount_captured": amount,
            "amount_refunded": 0, "application": null, "application_fee": null, "application_fee_amount": null,
            "balance_transaction": null, "billing_details": {
                "address": null, "email": null, "name": null, "phone": null, "tax_id": null,
            },
            "calculated_statement_descriptor": null, "captured": true, "created": self.now, "currency": "usd",
            "customer": intent["customer"], "description": null, "disputed": false, "failure_balance_transaction": null,
            "failure_code": null, "failure_message": null, "fraud_details": {}, "livemode": false, "metadata": {},
            "on_behalf_of": null, "outcome": null, "paid": true, "payment_intent": id, "payment_method": method,
            "payment_method_details": { "type": "card", "card": {
                "amount_authorized": amount, "brand": card["brand"], "checks": null, "country": "US", "exp_month": 12,
                "exp_year": 2034, "fingerprint": card["fingerprint"], "funding": "credit", "installments": null,
                "last4": card["last4"], "mandate": null, "network": card["brand"], "three_d_secure": null, "wallet": null,
            } },
            "receipt_email": null, "receipt_number": null, "receipt_url": null, "refunded": false, "review": null,
            "shipping": null, "source_transfer": null, "statement_descriptor": null,
            "statement_descriptor_suffix": null, "status": "succeeded", "transfer_data": null, "transfer_group": null,
        }));
        self.set(
            id,
            json!({
                "status": "succeeded", "amount_received": amount, "latest_charge": charge, "next_action": null,
                "last_payment_error": null,
            }),
        );
        self.tell("payment_intent.succeeded", id);
        if let Some(invoice) = intent["_invoice"].as_str() {
            self.settle_invoice(invoice, &method);
        }
    }

    /// Marks an invoice as paid and activates its subscription.
    fn settle_invoice(&mut self, id: &str, method: &str) {
        let invoice = self.get(id, "invoice").unwrap_or_default();
        let due = cents(&invoice, "amount_due");
        self.set(
            id,
            json!({
                "status": "paid", "amount_paid": due, "amount_remaining": 0, "next_payment_attempt": null,
                "status_transitions": {
                    "finalized_at": self.now, "marked_uncollectible_at": null, "paid_at": self.now, "voided_at": null,
                },
            }),
        );
        let subscription = string(&invoice, "_subscription");
        self.set(&subscription, json!({ "status": "active" }));
        if !method.is_empty() {
            let customer = string(&invoice, "customer");
            self.set(method, json!({ "customer": customer }));
            self.set(&subscription, json!({ "default_payment_method": method }));
        }
        self.tell("invoice.paid", id);
        self.tell("customer.subscription.updated", &subscription);
    }

    fn new_setup(&mut self, customer: &str, metadata: &Value) -> String {
        let id = self.id("seti");
        self.put(json!({
            "id": id, "object": "setup_intent", "application": null, "automatic_payment_methods": { "enabled": true },
            "cancellation_reason": null, "client_secret": format!("{id}_secret_double"), "created": self.now,
            "customer": customer, "description": null, "flow_directions": null, "last_setup_error": null,
            "latest_attempt": null, "livemode": false, "mandate": null, "metadata": metadata, "next_action": null,
            "on_behalf_of": null, "payment_method": null, "payment_method_configuration_details": null,
            "payment_method_options": {}, "payment_method_types": ["card"], "single_use_mandate": null,
            "status": "requires_payment_method", "usage": "off_session",
        }))
    }

    fn create_setup(&mut self, form: &Form) -> Response {
        let customer = field(form, "customer").unwrap_or_default().to_owned();
        let id = self.new_setup(&customer, &metadata(form));
        self.confirm_setup(&id, form)
    }

    fn confirm_setup(&mut self, id: &str, form: &Form) -> Response {
        let Some(setup) = self.get(id, "setup_intent") else { return missing() };
        if setup["status"] == "succeeded" {
            return invalid("setup_intent_unexpected_state", "The SetupIntent has succeeded");
        }
        let method = match self.method(form) {
            Ok(method) => method,
            Err(response) => return response,
        };
        match self.last4(&method).as_str() {
            "0002" => {
                self.set(id, json!({ "status": "requires_payment_method", "last_setup_error": decline_error() }));
                return declined(Some(("setup_intent", self.get(id, "setup_intent").unwrap_or_default())));
            }
            "3184" => {
                let action = json!({ "type": "use_stripe_sdk", "use_stripe_sdk": {} });
                self.set(id, json!({ "status": "requires_action", "payment_method": method, "next_action": action }));
            }
            _ => self.succeed_setup(id, &method),
        }
        self.answer(id, form)
    }

    fn succeed_setup(&mut self, id: &str, method: &str) {
        let setup = self.get(id, "setup_intent").unwrap_or_default();
        self.set(id, json!({ "status": "succeeded", "payment_method": method, "next_action": null }));
        self.set(method, json!({ "customer": setup["customer"] }));
        self.tell("setup_intent.succeeded", id);
    }

    fn authenticate(&mut self, id: &str, succeeds: bool) {
        if let Some(intent) = self.get(id, "payment_intent") {
            if intent["status"] == "requires_action" {
                if succeeds { self.succeed(id) } else { self.decline_intent(id) }
            }
        } else if let Some(setup) = self.get(id, "setup_intent") {
            if succeeds {
                self.succeed_setup(id, &string(&setup, "payment_method"));
            } else {
                self.set(id, json!({ "status": "requires_payment_method", "last_setup_error": decline_error() }));
            }
        }
    }

    fn price(&mut self, form: &Form, prefix: &str) -> Option<Value> {
        let product = field(form, &format!("{prefix}[product]"))?.to_owned();
        self.get(&product, "product")?;
        let amount = field_cents(form, &format!("{prefix}[unit_amount]"));
        let interval = field(form, &format!("{prefix}[recurring][interval]")).map(str::to_owned);
        let id = self.id("price");
        Some(json!({
            "id": id, "object": "price", "active": true, "billing_scheme": "per_unit", "created": self.now,
            "currency": "usd", "custom_unit_amount": null, "livemode": false, "lookup_key": null, "metadata": {},
            "nickname": null, "product": product, "recurring": interval.map(|interval| json!({
                "interval": interval, "interval_count": 1, "meter": null, "trial_period_days": null, "usage_type": "licensed",
            })),
            "tax_behavior": "unspecified", "tiers_mode": null, "transform_quantity": null, "type": "recurring",
            "unit_amount": amount, "unit_amount_decimal": amount.to_string(),
        }))
    }

    fn item(&mut self, subscription: &str, price: &Value, start: i64, end: i64) -> Value {
        let id = self.id("si");
        let recurring = &price["recurring"];
        json!({
            "id": id, "object": "subscription_item", "created": self.now, "current_period_end": end,
            "current_period_start": start, "discounts": [], "metadata": {}, "plan": {
                "id": price["id"], "object": "plan", "active": true, "amount": price["unit_amount"],
                "amount_decimal": price["unit_amount_decimal"], "billing_scheme": "per_unit", "created": self.now,
                "currency": "usd", "interval": recurring["interval"], "interval_count": 1, "livemode": false,
                "metadata": {}, "meter": null, "nickname": null, "product": price["product"], "tiers_mode": null,
                "transform_usage": null, "trial_period_days": null, "usage_type": "licensed",
            },
            "price": price, "quantity": 1, "subscription": subscription, "tax_rates": [],
        })
    }

    fn new_invoice(&mut self, subscription: &str, customer: &str, total: i64, reason: &str) -> String {
        let id = self.id("in");
        let balance = self.get(customer, "customer").map_or(0, |customer| cents(&customer, "balance"));
        let due = (total + balance).max(0);
        // A negative total, or credit that was not needed, stays in the customer's balance.
        self.set(customer, json!({ "balance": (total + balance).min(0) }));
        self.put(json!({
            "id": id, "object": "invoice", "_number": self.count, "_subscription": subscription,
            "account_country": "US", "account_name": null, "account_tax_ids": null, "amount_due": due,
            "amount_overpaid": 0, "amount_paid": 0, "amount_remaining": due, "amount_shipping": 0, "application": null,
            "attempt_count": 0, "attempted": false, "auto_advance": true,
            "automatic_tax": { "enabled": false, "liability": null, "status": null, "disabled_reason": null, "provider": null },
            "billing_reason": reason, "collection_method": "charge_automatically", "created": self.now,
            "currency": "usd", "custom_fields": null, "customer": customer, "customer_address": null,
            "customer_email": null, "customer_name": null, "customer_phone": null, "customer_shipping": null,
            "customer_tax_exempt": "none", "customer_tax_ids": [], "default_payment_method": null,
            "default_source": null, "default_tax_rates": [], "description": null, "discounts": [], "due_date": null,
            "effective_at": self.now, "ending_balance": 0, "footer": null, "from_invoice": null,
            "hosted_invoice_url": null, "invoice_pdf": null, "issuer": { "type": "self" },
            "last_finalization_error": null, "latest_revision": null,
            "lines": { "object": "list", "data": [], "has_more": false, "url": format!("/v1/invoices/{id}/lines") },
            "livemode": false, "metadata": {}, "next_payment_attempt": null, "number": null, "on_behalf_of": null,
            "parent": { "quote_details": null, "type": "subscription_details", "subscription_details": {
                "metadata": {}, "subscription": subscription, "subscription_proration_date": null,
            } },
            "payment_settings": { "default_mandate": null, "payment_method_options": null, "payment_method_types": null },
            "period_end": self.now, "period_start": self.now, "post_payment_credit_notes_amount": 0,
            "pre_payment_credit_notes_amount": 0, "receipt_number": null, "rendering": null, "shipping_cost": null,
            "shipping_details": null, "starting_balance": balance, "statement_descriptor": null, "status": "open",
            "status_transitions": { "finalized_at": self.now, "marked_uncollectible_at": null, "paid_at": null, "voided_at": null },
            "subtotal": total, "subtotal_excluding_tax": total, "test_clock": null, "total": total,
            "total_discount_amounts": [], "total_excluding_tax": total, "total_pretax_credit_amounts": [],
            "total_taxes": [], "webhooks_delivered_at": null,
        }));
        if due > 0 {
            let intent = self.new_intent(due, customer, &json!({}), None);
            self.set(&intent, json!({ "_invoice": id }));
            self.set(&id, json!({
                "_intent": intent,
                "_x_confirmation_secret": { "client_secret": format!("{intent}_secret_double"), "type": "payment_intent" },
                "_x_payments": { "object": "list", "has_more": false, "url": "/v1/invoice_payments", "data": [{
                    "id": format!("inpay_{id}"), "object": "invoice_payment", "amount_paid": due, "amount_requested": due,
                    "created": self.now, "currency": "usd", "invoice": id, "is_default": true, "livemode": false,
                    "payment": { "type": "payment_intent", "payment_intent": intent }, "status": "paid",
                    "status_transitions": { "canceled_at": null, "paid_at": self.now },
                }] },
            }));
        }
        self.set(subscription, json!({ "latest_invoice": id }));
        id
    }

    /// Charges an invoice with the subscription's payment method; false: declined.
    fn collect(&mut self, invoice: &str) -> bool {
        let Some(found) = self.get(invoice, "invoice") else { return false };
        let subscription = self.get(&string(&found, "_subscription"), "subscription").unwrap_or_default();
        let Some(intent) = found["_intent"].as_str().map(str::to_owned) else {
            self.settle_invoice(invoice, "");
            return true;
        };
        let method = string(&subscription, "default_payment_method");
        self.pay(&intent, &method, false);
        let paid = self.get(&intent, "payment_intent").is_some_and(|intent| intent["status"] == "succeeded");
        if !paid {
            self.set(invoice, json!({ "attempted": true, "next_payment_attempt": self.now + DAY }));
        }
        paid
    }

    fn create_subscription(&mut self, form: &Form) -> Response {
        let customer = field(form, "customer").unwrap_or_default().to_owned();
        if self.get(&customer, "customer").is_none() {
            return missing();
        }
        let Some(price) = self.price(form, "items[0][price_data]") else { return missing() };
        let id = self.id("sub");
        let trial = field_cents(form, "trial_period_days") * DAY;
        let interval = string(&price["recurring"], "interval");
        let end = if trial > 0 { self.now + trial } else { add_interval(self.now, &interval) };
        let item = self.item(&id, &price, self.now, end);
        let trial_moment = |moment: i64| if trial > 0 { json!(moment) } else { Value::Null };
        self.put(json!({
            "id": id, "object": "subscription", "application": null, "application_fee_percent": null,
            "automatic_tax": { "enabled": false, "liability": null, "disabled_reason": null },
            "billing_cycle_anchor": end, "billing_cycle_anchor_config": null,
            "billing_mode": { "type": "flexible", "flexible": null }, "billing_schedules": [],
            "billing_thresholds": null, "cancel_at": null, "cancel_at_period_end": false, "canceled_at": null,
            "cancellation_details": { "comment": null, "feedback": null, "reason": null },
            "collection_method": "charge_automatically", "created": self.now, "currency": "usd", "customer": customer,
            "days_until_due": null, "default_payment_method": null, "default_source": null, "default_tax_rates": [],
            "description": null, "discounts": [], "ended_at": null,
            "invoice_settings": { "account_tax_ids": null, "issuer": { "type": "self" } },
            "items": { "object": "list", "data": [item], "has_more": false, "url": "/v1/subscription_items" },
            "latest_invoice": null, "livemode": false, "metadata": metadata(form),
            "next_pending_invoice_item_invoice": null, "on_behalf_of": null, "pause_collection": null,
            "payment_settings": {
                "payment_method_options": null, "payment_method_types": null, "save_default_payment_method": "on_subscription",
            },
            "pending_invoice_item_interval": null, "pending_setup_intent": null, "pending_update": null,
            "schedule": null, "start_date": self.now, "status": if trial > 0 { "trialing" } else { "incomplete" },
            "test_clock": null, "transfer_data": null, "trial_end": trial_moment(self.now + trial),
            "trial_settings": { "end_behavior": { "missing_payment_method": "cancel" } },
            "trial_start": trial_moment(self.now),
        }));
        let off = field(form, "discounts[0][coupon]").and_then(|coupon| self.get(coupon, "coupon"));
        let amount = cents(&price, "unit_amount") + field_cents(form, "add_invoice_items[0][price_data][unit_amount]")
            - off.map_or(0, |coupon| cents(&coupon, "amount_off"));
        let total = if trial > 0 { 0 } else { amount.max(0) };
        let invoice = self.new_invoice(&id, &customer, total, "subscription_create");
        if total == 0 {
            let setup = self.new_setup(&customer, &json!({}));
            self.set(&id, json!({ "pending_setup_intent": setup }));
            let status = self.objects[&id]["status"].clone();
            self.settle_invoice(&invoice, "");
            if trial > 0 {
                self.set(&id, json!({ "status": status }));
            }
        }
        self.tell("customer.subscription.created", &id);
        self.answer(&id, form)
    }

    fn cancel_subscription(&mut self, id: &str) -> Response {
        let Some(subscription) = self.get(id, "subscription") else { return missing() };
        if subscription["status"] == "canceled" {
            return missing();
        }
        self.set(id, json!({ "status": "canceled", "canceled_at": self.now, "ended_at": self.now }));
        self.tell("customer.subscription.deleted", id);
        self.answer(id, &Form::new())
    }

    fn set_period(&mut self, id: &str, start: i64, end: i64) {
        if let Some(subscription) = self.objects.get_mut(id) {
            subscription["items"]["data"][0]["current_period_start"] = json!(start);
            subscription["items"]["data"][0]["current_period_end"] = json!(end);
        }
    }

    /// The value of the rest of the current period, in cents.
    fn unused(subscription: &Value, at: i64) -> i64 {
        let item = &subscription["items"]["data"][0];
        let (start, end) = (cents(item, "current_period_start"), cents(item, "current_period_end"));
        let price = cents(&item["price"], "unit_amount");
        let (left, length) = ((end - at).clamp(0, end - start), end - start);
        (price * left * 2 + length) / (length * 2)
    }

    fn update_subscription(&mut self, id: &str, form: &Form) -> Response {
        let Some(mut subscription) = self.get(id, "subscription") else { return missing() };
        if subscription["status"] == "canceled" {
            return invalid("resource_missing", "A canceled subscription can only update its cancellation_details");
        }
        if field(form, "payment_behavior") == Some("error_if_incomplete")
            && matches!(self.last4(&string(&subscription, "default_payment_method")).as_str(), "0002" | "0341")
        {
            return declined(None);
        }
        for (name, value) in metadata(form).as_object().into_iter().flatten() {
            subscription["metadata"][name] = value.clone();
        }
        if let Some(stop) = field(form, "cancel_at_period_end") {
            subscription["cancel_at_period_end"] = json!(stop == "true");
        }
        if let Some(at) = field(form, "cancel_at") {
            subscription["cancel_at"] = at.parse::<i64>().map_or(Value::Null, Value::from);
        }
        if let Some(method) = field(form, "default_payment_method") {
            if self.get(method, "payment_method").is_none_or(|known| known["customer"] != subscription["customer"]) {
                return invalid("resource_missing", "The payment method is not of this customer");
            }
            subscription["default_payment_method"] = json!(method);
        }
        let old = subscription.clone();
        self.put(subscription);
        if let Some(price) = self.price(form, "items[0][price_data]") {
            self.replace_price(id, &old, &price, form);
        }
        if let Some(end) = field(form, "trial_end") {
            let end = end.parse().unwrap_or(self.now);
            if end <= self.now {
                self.renew(id);
            } else {
                self.set(id, json!({ "status": "trialing", "trial_start": self.now, "trial_end": end, "billing_cycle_anchor": end }));
                self.set_period(id, self.now, end);
            }
        }
        self.tell("customer.subscription.updated", id);
        self.answer(id, form)
    }

    fn replace_price(&mut self, id: &str, old: &Value, price: &Value, form: &Form) {
        if let Some(subscription) = self.objects.get_mut(id) {
            subscription["items"]["data"][0]["price"] = price.clone();
            subscription["items"]["data"][0]["plan"]["interval"] = price["recurring"]["interval"].clone();
        }
        if field(form, "proration_behavior") == Some("always_invoice") {
            let unused = Self::unused(old, field_cents(form, "proration_date"));
            let end = add_interval(self.now, &string(&price["recurring"], "interval"));
            self.set_period(id, self.now, end);
            let total = cents(price, "unit_amount") - unused;
            let invoice = self.new_invoice(id, &string(old, "customer"), total, "subscription_update");
            self.collect(&invoice);
        }
    }

    fn preview(&mut self, form: &Form) -> Response {
        let id = field(form, "subscription").unwrap_or_default().to_owned();
        let Some(subscription) = self.get(&id, "subscription") else { return missing() };
        let Some(price) = self.price(form, "subscription_details[items][0][price_data]") else { return missing() };
        let at = field_cents(form, "subscription_details[proration_date]");
        let total = cents(&price, "unit_amount") - Self::unused(&subscription, at);
        let customer = string(&subscription, "customer");
        let (latest, known) = (subscription["latest_invoice"].clone(), self.objects.get(&customer).cloned());
        let invoice = self.new_invoice(&id, &customer, total, "upcoming");
        let response = self.answer(&invoice, form);
        // A preview stores nothing.
        if let Some(intent) = self.objects.remove(&invoice).and_then(|it| it["_intent"].as_str().map(str::to_owned)) {
            self.objects.remove(&intent);
        }
        self.set(&id, json!({ "latest_invoice": latest }));
        if let Some(customer) = known {
            self.put(customer);
        }
        response
    }

    fn create_item(&mut self, form: &Form) -> Response {
        let id = self.id("ii");
        let item = json!({
            "id": id, "object": "invoiceitem", "amount": field_cents(form, "amount"), "currency": "usd",
            "customer": field(form, "customer"), "date": self.now, "description": field(form, "description"),
            "discountable": true, "discounts": [], "invoice": null, "livemode": false, "metadata": {},
            "parent": { "type": "subscription_details", "subscription_details": { "subscription": field(form, "subscription") } },
            "period": { "start": self.now, "end": self.now }, "proration": false, "quantity": 1, "tax_rates": [],
        });
        let id = self.put(item);
        self.answer(&id, form)
    }

    fn pay_invoice(&mut self, id: &str) -> Response {
        let Some(invoice) = self.get(id, "invoice") else { return missing() };
        if invoice["status"] != "open" {
            return invalid("invoice_not_open", "Invoice is already paid");
        }
        if self.collect(id) { self.answer(id, &Form::new()) } else { declined(None) }
    }

    /// Starts the next period, with its charge.
    fn renew(&mut self, id: &str) {
        let subscription = self.get(id, "subscription").unwrap_or_default();
        let customer = string(&subscription, "customer");
        if subscription["default_payment_method"].is_null() {
            self.set(id, json!({ "status": "canceled", "ended_at": self.now }));
            self.tell("customer.subscription.deleted", id);
            return;
        }
        let item = &subscription["items"]["data"][0];
        let (price, interval) = (cents(&item["price"], "unit_amount"), string(&item["price"]["recurring"], "interval"));
        let pending: Vec<(String, i64)> = self
            .of_kind("invoiceitem")
            .filter(|item| item["parent"]["subscription_details"]["subscription"] == id)
            .map(|item| (string(item, "id"), cents(item, "amount")))
            .collect();
        let total = price + pending.iter().map(|(_, amount)| amount).sum::<i64>();
        for (item, _) in pending {
            self.objects.remove(&item);
        }
        self.set_period(id, self.now, add_interval(self.now, &interval));
        let invoice = self.new_invoice(id, &customer, total, "subscription_cycle");
        if !self.collect(&invoice) {
            self.set(id, json!({ "status": "past_due" }));
            self.tell("invoice.payment_failed", &invoice);
            self.tell("customer.subscription.updated", id);
        }
    }

    fn advance_to(&mut self, now: i64) {
        let due = |state: &Self| {
            state
                .of_kind("subscription")
                .filter(|one| matches!(one["status"].as_str(), Some("trialing" | "active")))
                .map(|one| {
                    let end = cents(&one["items"]["data"][0], "current_period_end");
                    (one["cancel_at"].as_i64().map_or(end, |at| at.min(end)), string(one, "id"))
                })
                .filter(|(at, _)| *at <= now)
                .min()
        };
        while let Some((at, id)) = due(self) {
            self.now = at;
            let subscription = self.get(&id, "subscription").unwrap_or_default();
            if subscription["cancel_at_period_end"] == true || subscription["cancel_at"].as_i64() == Some(at) {
                self.cancel_subscription(&id);
            } else {
                self.renew(&id);
            }
        }
        self.now = now;
    }

    fn create_refund(&mut self, form: &Form) -> Response {
        let Some(intent) = field(form, "payment_intent").and_then(|id| self.get(id, "payment_intent")) else {
            return missing();
        };
        let charge = string(&intent, "latest_charge");
        let Some(taken) = self.get(&charge, "charge") else {
            return invalid("charge_not_found", "Nothing was charged");
        };
        let left = cents(&taken, "amount") - cents(&taken, "amount_refunded");
        let amount = if field(form, "amount").is_some() { field_cents(form, "amount") } else { left };
        if left == 0 {
            return invalid("charge_already_refunded", "Charge has already been refunded.");
        }
        if amount <= 0 || amount > left {
            return invalid("amount_too_large", "Refund amount is greater than unrefunded amount on charge");
        }
        let refunded = cents(&taken, "amount_refunded") + amount;
        self.set(&charge, json!({ "amount_refunded": refunded, "refunded": amount == left }));
        let id = self.id("re");
        self.put(json!({
            "id": id, "object": "refund", "amount": amount, "balance_transaction": null, "charge": charge,
            "created": self.now, "currency": "usd", "destination_details": { "card": { "type": "refund" }, "type": "card" },
            "metadata": {}, "payment_intent": intent["id"], "reason": null, "receipt_number": null,
            "source_transfer_reversal": null, "status": "succeeded", "transfer_reversal": null,
        }));
        self.tell("charge.refunded", &charge);
        self.answer(&id, form)
    }
}

#[cfg(test)]
mod tests {
    use super::add_interval;

    #[test]
    fn intervals_follow_the_calendar() {
        // 2026-06-15T12:00:00Z, a month later, a year later; 2026-12-15, a month later.
        assert_eq!(add_interval(1_781_524_800, "month"), 1_784_116_800);
        assert_eq!(add_interval(1_781_524_800, "year"), 1_813_060_800);
        assert_eq!(add_interval(1_797_336_000, "month"), 1_800_014_400);
    }
}
