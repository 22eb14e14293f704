//! A double of PayPal: the documented HTTP API of orders, plans, subscriptions, captures, refunds and webhook verification,
//! with state, request ids, a clock that tests advance, and faults.
//!
//! Objects are stored as the JSON of PayPal's responses. Fields whose names begin with `_` are internal to the double.

use std::collections::{BTreeMap, HashMap};

use base64::{Engine, engine::general_purpose::STANDARD as BASE64};
use hmac::{Hmac, Mac};
use jiff::{Span, Timestamp, tz::TimeZone};
use serde_json::{Value, json};
use sha2::Sha256;

use crate::provider::{Provider, ProviderFault, ProviderServer, Request, Response};

/// The client id that the double accepts.
pub const CLIENT_ID: &str = "paypal-double";
/// The secret of [`CLIENT_ID`].
pub const CLIENT_SECRET: &str = "a secret of the double";
/// The webhook id that the double accepts.
pub const WEBHOOK_ID: &str = "1JE4291016473214C";

/// A webhook request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PayPalWebhook {
    /// Pairs of lower-case name and value.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

/// How the account of an approving payer behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PayPalPayer {
    Pays,
    /// Pays, and is a different payer than `Pays`.
    PaysToo,
    /// Its card is declined when it is charged.
    Declined,
}

impl PayPalPayer {
    const fn id(self) -> &'static str {
        match self {
            Self::Pays => "PAYERONE11111",
            Self::PaysToo => "PAYERTWO22222",
            Self::Declined => "PAYERNONE3333",
        }
    }
}

/// The double, listening on a free port for as long as the process runs.
pub struct PayPalDouble {
    server: ProviderServer<State>,
}

impl std::fmt::Debug for PayPalDouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PayPalDouble").field("url", &self.server.url).finish_non_exhaustive()
    }
}

impl PayPalDouble {
    /// Starts the double with its clock at `now`, in seconds since the epoch.
    pub fn start(now: i64) -> Self {
        let state = |url: &str| State { url: url.to_owned(), now, ..State::default() };
        Self { server: ProviderServer::start(state) }
    }

    /// The base URL of its API, with a trailing slash.
    pub fn url(&self) -> &str {
        &self.server.url
    }

    /// Advances the clock and makes the charges that have become due.
    pub fn advance_to(&self, now: i64) {
        self.server.with(|state| state.advance_to(now));
    }

    /// A payer approves an order, a subscription or its revision at `url`.
    pub fn approve(&self, url: &str, payer: PayPalPayer) {
        let id = url.rsplit('=').next().unwrap_or_default().to_owned();
        self.server.with(|state| state.approve(&id, payer));
    }

    /// Suspends a subscription, as at PayPal's own site, with this note.
    pub fn suspend(&self, subscription: &str, note: &str) {
        self.server.with(|state| state.set(subscription, json!({ "status": "SUSPENDED", "status_change_note": note })));
    }

    /// Makes the account of a subscription's payer pay from now on.
    pub fn repair(&self, subscription: &str) {
        self.server.with(|state| state.set(subscription, json!({ "_pays": true })));
    }

    /// For each payment, in order, the captured amount less refunds, in cents.
    pub fn taken(&self) -> Vec<i64> {
        self.server.with(|state| {
            let mut all: Vec<&Value> =
                state.objects.values().filter(|one| one["_kind"] == "capture" && one["status"] != "DECLINED").collect();
            all.sort_by_key(|capture| capture["_number"].as_i64());
            all.iter().map(|capture| cents(&capture["amount"]) - state.refunded(capture)).collect()
        })
    }

    /// The webhooks that were not returned yet, signed now.
    pub fn take_webhooks(&self) -> Vec<PayPalWebhook> {
        self.server.with(|state| {
            let (events, time) = (std::mem::take(&mut state.events), time(state.now));
            events.iter().map(|event| sign(&time, event)).collect()
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

    /// Methods and paths of all requests, in order.
    pub fn requests(&self) -> Vec<String> {
        self.server.requests()
    }

    /// Revokes all issued access tokens.
    pub fn revoke_tokens(&self) {
        self.server.with(|state| state.tokens.clear());
    }

    /// All objects of a kind (`order`, `capture`, `refund`, `plan`, `product`, `subscription`), as in responses.
    pub fn objects(&self, kind: &str) -> Vec<Value> {
        self.server.with(|state| {
            let of_kind = state.objects.values().filter(|one| one["_kind"] == kind);
            of_kind.map(|one| state.shown(one)).collect()
        })
    }
}

fn signature(id: &str, time: &str, event: &str) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(WEBHOOK_ID.as_bytes()).expect("any key will do");
    mac.update(format!("{id}|{time}|{event}").as_bytes());
    format!("s{}", hex::encode(mac.finalize().into_bytes()))
}

fn sign(time: &str, event: &Value) -> PayPalWebhook {
    let body = event.to_string();
    let id = format!("transmission-{}", event["id"].as_str().unwrap_or_default());
    let headers = [
        ("paypal-auth-algo", "SHA256withRSA".to_owned()),
        ("paypal-cert-url", "https://api.paypal.com/v1/notifications/certs/CERT".to_owned()),
        ("paypal-transmission-sig", signature(&id, time, &body)),
        ("paypal-transmission-id", id),
        ("paypal-transmission-time", time.to_owned()),
    ];
    PayPalWebhook { headers: headers.map(|(name, value)| (name.to_owned(), value)).into(), body: body.into_bytes() }
}

fn time(seconds: i64) -> String {
    Timestamp::from_second(seconds).expect("a moment of a test").to_string()
}

fn seconds(text: &Value) -> i64 {
    text.as_str().and_then(|text| text.parse::<Timestamp>().ok()).map_or(0, Timestamp::as_second)
}

/// Adds calendar units to a time in seconds.
fn add(at: i64, unit: &str, count: i64) -> i64 {
    let span = match unit {
        "DAY" => Span::new().days(count),
        "YEAR" => Span::new().years(count),
        _ => Span::new().months(count),
    };
    let at = Timestamp::from_second(at).expect("a moment of a test").to_zoned(TimeZone::UTC);
    at.checked_add(span).expect("a moment of a test").timestamp().as_second()
}

fn cents(amount: &Value) -> i64 {
    let text = amount["value"].as_str().unwrap_or("0.00");
    text.replace('.', "").parse().unwrap_or_default()
}

fn money(cents: i64) -> Value {
    json!({ "currency_code": "USD", "value": format!("{}.{:02}", cents / 100, cents % 100) })
}

fn string(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn failure(status: u16, name: &str, issue: &str) -> Response {
    let details = json!([{ "issue": issue, "description": "The double says so." }]);
    (status, json!({ "name": name, "message": "The request failed.", "debug_id": "d0", "details": details }))
}

fn unprocessable(issue: &str) -> Response {
    failure(422, "UNPROCESSABLE_ENTITY", issue)
}

fn missing() -> Response {
    failure(404, "RESOURCE_NOT_FOUND", "INVALID_RESOURCE_ID")
}

#[derive(Default)]
struct State {
    url: String,
    now: i64,
    count: i64,
    objects: BTreeMap<String, Value>,
    tokens: Vec<String>,
    keys: HashMap<String, Response>,
    events: Vec<Value>,
}

impl Provider for State {
    fn respond(&mut self, request: &Request, fails_after: bool) -> Response {
        if request.path == "/v1/oauth2/token" {
            return self.give_token(request);
        }
        let token = request.header("authorization").and_then(|header| header.strip_prefix("Bearer "));
        if !token.is_some_and(|token| self.tokens.iter().any(|known| known == token)) {
            return failure(401, "AUTHENTICATION_FAILURE", "INVALID_TOKEN");
        }
        // An idempotency key is bound to its call; a failed request is executed again.
        let key = request.header("paypal-request-id").map(|key| format!("{} {key}", request.path));
        if let Some(response) = key.as_ref().and_then(|key| self.keys.get(key)) {
            return response.clone();
        }
        let response = self.act(request);
        if let Some(key) = key.filter(|_| response.0 < 300) {
            self.keys.insert(key, response.clone());
        }
        if fails_after { (500, Self::error(500)) } else { response }
    }

    fn error(status: u16) -> Value {
        json!({ "name": "INTERNAL_SERVER_ERROR", "message": format!("Status {status}"), "debug_id": "d0" })
    }
}

impl State {
    fn give_token(&mut self, request: &Request) -> Response {
        let wanted = format!("Basic {}", BASE64.encode(format!("{CLIENT_ID}:{CLIENT_SECRET}")));
        if request.header("authorization") != Some(&wanted)
            || request.form() != [("grant_type".to_owned(), "client_credentials".to_owned())]
        {
            return (401, json!({ "error": "invalid_client", "error_description": "Client Authentication failed" }));
        }
        self.count += 1;
        let token = format!("A21AA{}", self.count);
        self.tokens.push(token.clone());
        (
            200,
            json!({ "scope": "all", "access_token": token, "token_type": "Bearer", "app_id": "APP", "expires_in": 32_400, "nonce": "n" }),
        )
    }

    fn id(&mut self, prefix: &str) -> String {
        self.count += 1;
        format!("{prefix}DOUBLE{:06}", self.count)
    }

    fn set(&mut self, id: &str, fields: Value) {
        if let (Some(object), Value::Object(fields)) = (self.objects.get_mut(id), fields) {
            for (name, value) in fields {
                object[name] = value;
            }
        }
    }

    fn get(&self, id: &str, kind: &str) -> Option<Value> {
        self.objects.get(id).filter(|object| object["_kind"] == kind).cloned()
    }

    fn put(&mut self, kind: &str, mut object: Value) -> String {
        let id = string(&object["id"]);
        object["_kind"] = json!(kind);
        self.objects.insert(id.clone(), object);
        id
    }

    fn link(&self, rel: &str, path: &str, method: &str) -> Value {
        json!({ "href": format!("{}{path}", self.url), "rel": rel, "method": method })
    }

    /// An object as in responses: an order with its captures and refunds, without internal fields.
    fn shown(&self, object: &Value) -> Value {
        let mut shown: Value = object
            .as_object()
            .into_iter()
            .flatten()
            .filter(|(name, _)| !name.starts_with('_'))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        if object["_kind"] == "order" {
            let captures: Vec<&Value> = self.objects.values().filter(|one| one["_order"] == object["id"]).collect();
            if !captures.is_empty() {
                let refunds = captures.iter().flat_map(|capture| self.refunds(capture)).map(|one| self.shown(one));
                let refunds: Vec<Value> = refunds.collect();
                let captures: Vec<Value> = captures.iter().map(|capture| self.shown(capture)).collect();
                shown["purchase_units"][0]["payments"] = json!({ "captures": captures });
                if !refunds.is_empty() {
                    shown["purchase_units"][0]["payments"]["refunds"] = json!(refunds);
                }
            }
        }
        shown
    }

    fn answer(&self, status: u16, id: &str) -> Response {
        (status, self.objects.get(id).map(|object| self.shown(object)).unwrap_or_default())
    }

    fn tell(&mut self, kind: &str, resource_type: &str, resource: &Value) {
        let id = self.id("WH-");
        self.events.push(json!({
            "id": id, "event_version": "1.0", "create_time": time(self.now), "resource_type": resource_type,
            "resource_version": "2.0", "event_type": kind, "summary": "The double says so.", "resource": resource,
            "links": [self.link("self", &format!("v1/notifications/webhooks-events/{id}"), "GET")],
        }));
    }

    fn tell_subscription(&mut self, kind: &str, id: &str) {
        let (_, subscription) = self.answer(200, id);
        self.tell(&format!("BILLING.SUBSCRIPTION.{kind}"), "subscription", &subscription);
    }

    fn act(&mut self, request: &Request) -> Response {
        let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
        let path: Vec<&str> = request.path.trim_matches('/').split('/').collect();
        match (request.method.as_str(), &path[..]) {
            ("POST", ["v2", "checkout", "orders"]) => self.create_order(&body),
            ("POST", ["v2", "checkout", "orders", id, "capture"]) => self.capture_order(id),
            ("POST", ["v2", "payments", "captures", id, "refund"]) => self.refund(id, &body),
            ("POST", ["v1", "catalogs", "products"]) => self.create_product(&body),
            ("POST", ["v1", "billing", "plans"]) => self.create_plan(&body),
            ("GET", ["v1", "billing", "plans"]) => {
                let product =
                    request.query.iter().find(|(name, _)| name == "product_id").map(|(_, value)| value.as_str());
                let plans: Vec<Value> = self
                    .objects
                    .values()
                    .filter(|one| one["_kind"] == "plan" && one["product_id"].as_str() == product)
                    .map(|plan| self.shown(plan))
                    .collect();
                (200, json!({ "plans": plans, "links": [self.link("self", "v1/billing/plans", "GET")] }))
            }
            ("POST", ["v1", "billing", "subscriptions"]) => self.create_subscription(&body),
            ("POST", ["v1", "billing", "subscriptions", id, verb]) => self.change_subscription(id, verb, &body),
            ("GET", ["v1", "billing", "subscriptions", id, "transactions"]) => self.transactions(id),
            ("POST", ["v1", "notifications", "verify-webhook-signature"]) => Self::verify(&body, &request.body),
            ("GET", ["v2", "checkout", "orders", id]) if self.get(id, "order").is_some() => self.answer(200, id),
            ("GET", ["v2", "payments", "captures", id]) if self.get(id, "capture").is_some() => self.answer(200, id),
            ("GET", ["v1", "catalogs", "products", id]) if self.get(id, "product").is_some() => self.answer(200, id),
            ("GET", ["v1", "billing", "subscriptions", id]) => {
                let Some(subscription) = self.get(id, "subscription") else { return missing() };
                let (status, mut shown) = self.answer(200, id);
                if request.query.iter().any(|(name, value)| name == "fields" && value == "plan") {
                    let plan = self.get(&string(&subscription["plan_id"]), "plan").unwrap_or_default();
                    shown["plan"] = self.shown(&plan);
                }
                (status, shown)
            }
            _ => missing(),
        }
    }

    fn create_order(&mut self, body: &Value) -> Response {
        let unit = &body["purchase_units"][0];
        if body["intent"] != "CAPTURE" || cents(&unit["amount"]) <= 0 {
            return unprocessable("CANNOT_BE_ZERO_OR_NEGATIVE");
        }
        let id = self.id("5O");
        let links = [
            self.link("self", &format!("v2/checkout/orders/{id}"), "GET"),
            self.link("payer-action", &format!("checkoutnow?token={id}"), "GET"),
        ];
        self.put(
            "order",
            json!({
                "id": id, "intent": "CAPTURE", "status": "PAYER_ACTION_REQUIRED", "create_time": time(self.now),
                "payment_source": { "paypal": {} }, "links": links,
                "purchase_units": [{
                    "reference_id": "default", "amount": unit["amount"], "description": unit["description"],
                    "custom_id": unit["custom_id"],
                }],
            }),
        );
        self.answer(200, &id)
    }

    fn approve(&mut self, id: &str, payer: PayPalPayer) {
        let payer_is_fine = payer != PayPalPayer::Declined;
        if self.get(id, "order").is_some() {
            let account = json!({ "paypal": { "account_id": payer.id(), "email_address": "payer@example.com" } });
            self.set(id, json!({ "status": "APPROVED", "payment_source": account, "_pays": payer_is_fine }));
            let (_, order) = self.answer(200, id);
            self.tell("CHECKOUT.ORDER.APPROVED", "checkout-order", &order);
            return;
        }
        let Some(subscription) = self.get(id, "subscription") else { return };
        if let Some(plan) = subscription["_revision"].as_str() {
            // The revised plan counts from the next charge.
            let cycles = self.get(plan, "plan").map(|plan| plan["billing_cycles"].clone()).unwrap_or_default();
            self.set(id, json!({ "_revision": null, "_next_plan": plan, "_cycles": cycles, "_cycle": 0 }));
            return self.tell_subscription("UPDATED", id);
        }
        if subscription["status"] != "APPROVAL_PENDING" {
            return;
        }
        let subscriber = json!({ "payer_id": payer.id(), "email_address": "payer@example.com" });
        self.set(id, json!({
            "status": "ACTIVE", "status_update_time": time(self.now), "subscriber": subscriber, "start_time": time(self.now),
            "_pays": payer_is_fine,
            "billing_info": { "outstanding_balance": money(0), "failed_payments_count": 0, "cycle_executions": [] },
        }));
        self.run_cycle(id);
        self.tell_subscription("ACTIVATED", id);
    }

    fn new_capture(&mut self, cents: i64, custom_id: &Value, fields: Value) -> String {
        let id = self.id("2G");
        self.put("capture", json!({
            "id": id, "status": "COMPLETED", "amount": money(cents), "final_capture": true, "create_time": time(self.now),
            "update_time": time(self.now), "_number": self.count,
            "links": [self.link("self", &format!("v2/payments/captures/{id}"), "GET")],
        }));
        if !custom_id.is_null() {
            self.set(&id, json!({ "custom_id": custom_id }));
        }
        self.set(&id, fields);
        id
    }

    fn capture_order(&mut self, id: &str) -> Response {
        let Some(order) = self.get(id, "order") else { return missing() };
        match order["status"].as_str() {
            Some("APPROVED") => {}
            Some("COMPLETED") => return unprocessable("ORDER_ALREADY_CAPTURED"),
            _ => return unprocessable("ORDER_NOT_APPROVED"),
        }
        if order["_pays"] != true {
            // The payer may choose another payment method.
            self.set(id, json!({ "status": "PAYER_ACTION_REQUIRED" }));
            return unprocessable("INSTRUMENT_DECLINED");
        }
        let unit = &order["purchase_units"][0];
        let related = json!({ "_order": id, "supplementary_data": { "related_ids": { "order_id": id } } });
        let capture = self.new_capture(cents(&unit["amount"]), &unit["custom_id"], related);
        self.set(id, json!({ "status": "COMPLETED" }));
        let (_, shown) = self.answer(200, &capture);
        self.tell("PAYMENT.CAPTURE.COMPLETED", "capture", &shown);
        self.answer(201, id)
    }

    fn refunds<'a>(&'a self, capture: &Value) -> impl Iterator<Item = &'a Value> {
        let id = capture["id"].clone();
        self.objects.values().filter(move |one| one["_capture"] == id)
    }

    fn refunded(&self, capture: &Value) -> i64 {
        self.refunds(capture).map(|refund| cents(&refund["amount"])).sum()
    }

    fn refund(&mut self, id: &str, body: &Value) -> Response {
        let Some(capture) = self.get(id, "capture") else { return missing() };
        let left = cents(&capture["amount"]) - self.refunded(&capture);
        let sum = if body["amount"].is_null() { left } else { cents(&body["amount"]) };
        if left == 0 {
            return unprocessable("CAPTURE_FULLY_REFUNDED");
        }
        if sum <= 0 || sum > left {
            return unprocessable("REFUND_AMOUNT_EXCEEDED");
        }
        let status = if sum == left { "REFUNDED" } else { "PARTIALLY_REFUNDED" };
        self.set(id, json!({ "status": status }));
        let refund = self.id("1J");
        let links = [
            self.link("self", &format!("v2/payments/refunds/{refund}"), "GET"),
            self.link("up", &format!("v2/payments/captures/{id}"), "GET"),
        ];
        self.put("refund", json!({
            "id": refund, "status": "COMPLETED", "amount": money(sum), "create_time": time(self.now), "links": links,
            "_capture": id,
        }));
        let (_, shown) = self.answer(200, &refund);
        self.tell("PAYMENT.CAPTURE.REFUNDED", "refund", &shown);
        self.answer(201, &refund)
    }

    fn create_product(&mut self, body: &Value) -> Response {
        let id = string(&body["id"]);
        if self.objects.contains_key(&id) {
            return unprocessable("DUPLICATE_RESOURCE_IDENTIFIER");
        }
        self.put(
            "product",
            json!({
                "id": id, "name": body["name"], "type": body["type"], "create_time": time(self.now),
                "links": [self.link("self", &format!("v1/catalogs/products/{id}"), "GET")],
            }),
        );
        self.answer(201, &id)
    }

    fn create_plan(&mut self, body: &Value) -> Response {
        if self.get(&string(&body["product_id"]), "product").is_none() {
            return missing();
        }
        let id = self.id("P-");
        self.put(
            "plan",
            json!({
                "id": id, "product_id": body["product_id"], "name": body["name"], "status": body["status"],
                "billing_cycles": body["billing_cycles"], "payment_preferences": body["payment_preferences"],
                "create_time": time(self.now), "links": [self.link("self", &format!("v1/billing/plans/{id}"), "GET")],
            }),
        );
        self.answer(201, &id)
    }

    fn create_subscription(&mut self, body: &Value) -> Response {
        let Some(plan) = self.get(&string(&body["plan_id"]), "plan") else { return missing() };
        let id = self.id("I-");
        let links = [
            self.link("approve", &format!("webapps/billing/subscriptions?ba_token={id}"), "GET"),
            self.link("self", &format!("v1/billing/subscriptions/{id}"), "GET"),
        ];
        self.put(
            "subscription",
            json!({
                "id": id, "plan_id": plan["id"], "status": "APPROVAL_PENDING", "status_update_time": time(self.now),
                "custom_id": body["custom_id"], "create_time": time(self.now), "quantity": "1", "links": links,
                "_cycles": plan["billing_cycles"], "_cycle": 0,
            }),
        );
        self.answer(201, &id)
    }

    /// Starts the next billing cycle, with its charge.
    fn run_cycle(&mut self, id: &str) {
        let subscription = self.get(id, "subscription").unwrap_or_default();
        if let Some(plan) = subscription["_next_plan"].as_str() {
            self.set(id, json!({ "plan_id": plan, "_next_plan": null }));
        }
        let index = subscription["_cycle"].as_u64().and_then(|index| usize::try_from(index).ok()).unwrap_or_default();
        let cycle = &subscription["_cycles"][index];
        let sum = cents(&cycle["pricing_scheme"]["fixed_price"]);
        let mut info = subscription["billing_info"].clone();
        if sum > 0 && subscription["_pays"] != true {
            // It is retried in five days; the outstanding balance is not increased twice.
            info["outstanding_balance"] = money(sum);
            info["failed_payments_count"] = json!(info["failed_payments_count"].as_i64().unwrap_or_default() + 1);
            info["next_billing_time"] = json!(time(self.now + 5 * 86_400));
            self.set(id, json!({ "billing_info": info }));
            return self.tell_subscription("PAYMENT.FAILED", id);
        }
        self.finish_cycle(id, info, sum);
    }

    /// Completes a cycle that was paid or is free.
    fn finish_cycle(&mut self, id: &str, mut info: Value, sum: i64) {
        let subscription = self.get(id, "subscription").unwrap_or_default();
        let index = subscription["_cycle"].as_u64().and_then(|index| usize::try_from(index).ok()).unwrap_or_default();
        let cycle = &subscription["_cycles"][index];
        let frequency = &cycle["frequency"];
        let count = frequency["interval_count"].as_i64().unwrap_or(1);
        let next = add(self.now, frequency["interval_unit"].as_str().unwrap_or("MONTH"), count);
        info["outstanding_balance"] = money(0);
        info["failed_payments_count"] = json!(0);
        info["next_billing_time"] = json!(time(next));
        if sum > 0 {
            info["last_payment"] = json!({ "amount": money(sum), "time": time(self.now) });
        }
        let next_cycle = if cycle["tenure_type"] == "TRIAL" { index + 1 } else { index };
        self.set(id, json!({ "billing_info": info, "_cycle": next_cycle }));
        if sum > 0 {
            let capture = self.new_capture(sum, &subscription["custom_id"], json!({ "_subscription": id }));
            let sale = json!({ "id": capture, "state": "completed", "billing_agreement_id": id, "amount": { "total": money(sum)["value"], "currency": "USD" }, "custom": subscription["custom_id"] });
            self.tell("PAYMENT.SALE.COMPLETED", "sale", &sale);
        }
    }

    fn change_subscription(&mut self, id: &str, verb: &str, body: &Value) -> Response {
        let Some(subscription) = self.get(id, "subscription") else { return missing() };
        let status = subscription["status"].as_str().unwrap_or_default();
        let change = |state: &mut Self, status: &str, event: &str| {
            let note = body["reason"].clone();
            state.set(
                id,
                json!({ "status": status, "status_change_note": note, "status_update_time": time(state.now) }),
            );
            state.tell_subscription(event, id);
            (204, Value::Null)
        };
        match (verb, status) {
            ("suspend", "ACTIVE") => change(self, "SUSPENDED", "SUSPENDED"),
            ("cancel", "ACTIVE" | "SUSPENDED") => change(self, "CANCELLED", "CANCELLED"),
            ("activate", "SUSPENDED") => {
                let answer = change(self, "ACTIVE", "ACTIVATED");
                // Charges that became due meanwhile are made at once.
                self.advance_to(self.now);
                answer
            }
            ("revise", "ACTIVE") => {
                if self.get(&string(&body["plan_id"]), "plan").is_none() {
                    return missing();
                }
                self.set(id, json!({ "_revision": body["plan_id"] }));
                let link = self.link("approve", &format!("webapps/billing/subscriptions/update?ba_token={id}"), "GET");
                (200, json!({ "plan_id": body["plan_id"], "plan_overridden": false, "links": [link] }))
            }
            ("capture", "ACTIVE") => {
                let owed = cents(&subscription["billing_info"]["outstanding_balance"]);
                if owed == 0 || cents(&body["amount"]) > owed {
                    return unprocessable("AMOUNT_GREATER_THAN_OUTSTANDING_BALANCE");
                }
                if subscription["_pays"] != true {
                    return unprocessable("INSTRUMENT_DECLINED");
                }
                self.finish_cycle(id, subscription["billing_info"].clone(), owed);
                (202, Value::Null)
            }
            _ => unprocessable("SUBSCRIPTION_STATUS_INVALID"),
        }
    }

    fn transactions(&self, id: &str) -> Response {
        let captures = self.objects.values().filter(|one| one["_subscription"] == id);
        let found: Vec<Value> = captures
            .map(|capture| {
                json!({
                    "id": capture["id"], "status": capture["status"], "time": capture["create_time"],
                    "amount_with_breakdown": { "gross_amount": capture["amount"] },
                })
            })
            .collect();
        let path = format!("v1/billing/subscriptions/{id}/transactions");
        (200, json!({ "transactions": found, "links": [self.link("self", &path, "GET")] }))
    }

    fn verify(fields: &Value, raw: &[u8]) -> Response {
        let raw = String::from_utf8_lossy(raw);
        // The event exactly as in the request, byte by byte: it is the last field.
        let event =
            raw.split_once("\"webhook_event\":").and_then(|(_, rest)| rest.strip_suffix('}')).unwrap_or_default();
        let text = |name: &str| fields[name].as_str().unwrap_or_default();
        let wanted = signature(text("transmission_id"), text("transmission_time"), event);
        let is_right = text("webhook_id") == WEBHOOK_ID && text("transmission_sig") == wanted;
        (200, json!({ "verification_status": if is_right { "SUCCESS" } else { "FAILURE" } }))
    }

    fn advance_to(&mut self, now: i64) {
        let due = |state: &Self| {
            state
                .objects
                .values()
                .filter(|one| one["_kind"] == "subscription" && one["status"] == "ACTIVE")
                .map(|one| (seconds(&one["billing_info"]["next_billing_time"]), string(&one["id"])))
                .filter(|(at, _)| *at <= now)
                .min()
        };
        while let Some((at, id)) = due(self) {
            // Charges that became due during the suspension are made at activation.
            self.now = self.now.max(at);
            self.run_cycle(&id);
        }
        self.now = now;
    }
}
