//! The sandbox's state and rules: what a provider does with cards, subscriptions and time.

use std::collections::{BTreeMap, VecDeque};

use billing::gateway::{Decline, GatewayError, IdempotencyKey, RenewalInterval};
use kernel::{DAY, Timestamp};
use serde::{Deserialize, Serialize};

use super::cards::{Behaviour, Card};
use crate::key::digest;

/// The number of retries of a failed renewal, one day apart, before the subscription ends.
const RETRIES: u32 = 7;

#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct State {
    pub(super) customers: BTreeMap<String, Customer>,
    pub(super) charges: BTreeMap<String, Charge>,
    pub(super) subscriptions: BTreeMap<String, Subscription>,
    pub(super) setups: BTreeMap<String, Setup>,
    pub(super) payments: BTreeMap<String, Payment>,
    pub(super) refunds: BTreeMap<String, Refund>,
    keys: BTreeMap<String, IdempotentRecord>,
    events: VecDeque<Event>,
    count: u64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Customer {
    /// The token of the default card.
    pub(super) token: Option<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Charge {
    pub(super) checkout: String,
    pub(super) cents: i64,
    pub(super) customer: String,
    pub(super) token: String,
    pub(super) step: ChargeStep,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum ChargeStep {
    Authenticating,
    /// The payment has the same id as the charge.
    Succeeded,
    Failed,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Payment {
    /// The position in the order of payments.
    pub(super) number: usize,
    pub(super) cents: i64,
    pub(super) refunded: i64,
    pub(super) at: i64,
    pub(super) checkout: String,
    pub(super) subscription: Option<String>,
    #[serde(default)]
    dispute: Option<Dispute>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Dispute {
    Open,
    Closed,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Refund {
    pub(super) payment: String,
    pub(super) cents: i64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Setup {
    pub(super) subscription: String,
    pub(super) token: String,
    pub(super) step: SetupStep,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum SetupStep {
    Authenticating,
    Succeeded,
    Failed,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Subscription {
    pub(super) checkout: String,
    pub(super) plan_id: String,
    pub(super) price: i64,
    pub(super) yearly: bool,
    /// The amount of the first charge, until it was taken.
    pub(super) first_charge: Option<i64>,
    pub(super) trial_days: u32,
    pub(super) customer: String,
    pub(super) token: String,
    pub(super) step: SubscriptionStep,
    pub(super) is_stopped: bool,
    pub(super) hold: Option<Hold>,
    pub(super) period: Option<(i64, i64)>,
    pub(super) next_charge_at: Option<i64>,
    pub(super) trial_ends_at: Option<i64>,
    /// The start from which periods are counted, and the number of periods since.
    anchor: i64,
    cycles: i32,
    /// The credit left from an earlier plan, which reduces later charges.
    pub(super) credit: i64,
    failures: u32,
    /// Whether renewals are declined until the payer provides another card.
    #[serde(default)]
    pub(super) is_declined: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum SubscriptionStep {
    Authenticating,
    Trialing,
    Active,
    PastDue,
    Ended,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Hold {
    Paused,
    Deferred,
}

/// The stored outcome of an idempotency key.
#[derive(Debug, Serialize, Deserialize)]
struct IdempotentRecord {
    request: String,
    outcome: Outcome,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
enum Outcome {
    Object(String),
    Declined { code: String },
}

/// An event to be sent as a webhook.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Event {
    pub(super) id: String,
    #[serde(rename = "type")]
    pub(super) kind: String,
    /// In milliseconds.
    pub(super) created: i64,
    pub(super) object: String,
    pub(super) checkout: String,
}

/// Builds a decline with its message for the payer.
pub(crate) fn decline(code: &str) -> Decline {
    let message = match code {
        "insufficient_funds" => "Your card has insufficient funds.",
        "authentication_failed" => "We are unable to authenticate your payment method.",
        _ => "Your card was declined.",
    };
    Decline { code: code.to_owned(), message: message.to_owned() }
}

fn refused(text: &str) -> GatewayError {
    GatewayError::Refused(text.to_owned())
}

pub(super) fn card_of(token: &str) -> Result<Card, GatewayError> {
    Card::of_token(token).ok_or_else(|| refused("the sandbox has no such card"))
}

/// The parameters of a new subscription.
pub(super) struct NewSubscription {
    pub(super) checkout: String,
    pub(super) plan_id: String,
    pub(super) price: i64,
    pub(super) interval: RenewalInterval,
    pub(super) trial_days: u32,
    pub(super) first_charge: i64,
    pub(super) customer: String,
    pub(super) token: String,
}

impl Subscription {
    fn interval(&self) -> RenewalInterval {
        if self.yearly { RenewalInterval::Year } else { RenewalInterval::Month }
    }

    /// Whether it has begun and not ended.
    pub(super) fn is_running(&self) -> bool {
        !matches!(self.step, SubscriptionStep::Authenticating | SubscriptionStep::Ended)
    }

    /// Fails if the stored card can't be charged without the payer.
    fn check_off_session(&self) -> Result<(), GatewayError> {
        match card_of(&self.token)?.behaviour {
            Behaviour::Declined(code) => Err(GatewayError::Declined(decline(code))),
            Behaviour::FailsWhenCharged => Err(GatewayError::Declined(decline("card_declined"))),
            Behaviour::Pays | Behaviour::Authenticates if self.is_declined => {
                Err(GatewayError::Declined(decline("card_declined")))
            }
            // Authentication happened when the card was stored.
            Behaviour::Pays | Behaviour::Authenticates => Ok(()),
        }
    }

    fn due(&self) -> i64 {
        self.first_charge.unwrap_or(self.price)
    }

    /// Starts a paid period.
    fn begin_period(&mut self, at: i64) {
        // After a pause, a deferral or a late payment, periods are counted from this charge.
        let expected =
            Timestamp::from_millis(self.anchor).plus_months(self.interval().months() * i64::from(self.cycles)).millis();
        if expected != at {
            (self.anchor, self.cycles) = (at, 0);
        }
        self.cycles += 1;
        let end =
            Timestamp::from_millis(self.anchor).plus_months(self.interval().months() * i64::from(self.cycles)).millis();
        self.period = Some((at, end));
        self.next_charge_at = Some(end);
        self.step = SubscriptionStep::Active;
        self.hold = None;
        self.failures = 0;
    }

    /// The value of the rest of the running period at `now`, in cents of its price.
    pub(super) fn unused_cents(&self, now: Timestamp) -> i64 {
        match self.period {
            Some((start, end)) if self.step == SubscriptionStep::Active && end > start => {
                let left = i128::from((end - now.millis()).clamp(0, end - start));
                let length = i128::from(end - start);
                // Half a cent is rounded up.
                i64::try_from((i128::from(self.price) * left * 2 + length) / (length * 2)).unwrap_or_default()
            }
            _ => 0,
        }
    }
}

impl State {
    /// Runs an operation once per key. `run` returns the id of the object it created or changed.
    pub(super) fn once(
        &mut self,
        key: &IdempotencyKey,
        request: &[&str],
        run: impl FnOnce(&mut Self) -> Result<String, GatewayError>,
    ) -> Result<String, GatewayError> {
        let request = digest(request);
        if let Some(keyed) = self.keys.get(key.as_str()) {
            return match &keyed.outcome {
                _ if keyed.request != request => Err(GatewayError::KeyReused),
                Outcome::Object(id) => Ok(id.clone()),
                Outcome::Declined { code } => Err(GatewayError::Declined(decline(code))),
            };
        }
        let result = run(self);
        let outcome = match &result {
            Ok(id) => Outcome::Object(id.clone()),
            Err(GatewayError::Declined(decline)) => Outcome::Declined { code: decline.code.clone() },
            // A refused request may be repeated with the same key once it is valid.
            Err(_) => return result,
        };
        self.keys.insert(key.as_str().to_owned(), IdempotentRecord { request, outcome });
        result
    }

    /// A copy without events and idempotency keys.
    pub(super) fn clone_objects(&self) -> Self {
        Self {
            customers: self.customers.clone(),
            charges: self.charges.clone(),
            subscriptions: self.subscriptions.clone(),
            setups: self.setups.clone(),
            payments: self.payments.clone(),
            refunds: self.refunds.clone(),
            keys: BTreeMap::new(),
            events: VecDeque::new(),
            count: self.count,
        }
    }

    /// Adds the objects of another state, its payments after those that are there.
    pub(super) fn add_objects(&mut self, other: Self) {
        let before = self.payments.len();
        self.customers.extend(other.customers);
        self.charges.extend(other.charges);
        self.subscriptions.extend(other.subscriptions);
        self.setups.extend(other.setups);
        self.refunds.extend(other.refunds);
        let later = |(id, payment): (String, Payment)| (id, Payment { number: before + payment.number, ..payment });
        self.payments.extend(other.payments.into_iter().map(later));
        // Ids of later payments and events contain the count.
        self.count += other.count;
    }

    pub(super) fn tell(&mut self, kind: &str, object: &str, checkout: &str, at: i64) {
        self.count += 1;
        let id = format!("evt_{}", digest(&["event", &self.count.to_string(), object, kind]));
        let (kind, object, checkout) = (kind.to_owned(), object.to_owned(), checkout.to_owned());
        self.events.push_back(Event { id, kind, created: at, object, checkout });
    }

    /// Removes the oldest event that was not taken yet.
    pub(super) fn take_event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    fn take_payment(&mut self, id: &str, cents: i64, at: i64, checkout: &str, subscription: Option<&str>) {
        let (checkout, subscription) = (checkout.to_owned(), subscription.map(str::to_owned));
        let number = self.payments.len();
        self.payments
            .insert(id.to_owned(), Payment { number, cents, refunded: 0, at, checkout, subscription, dispute: None });
    }

    /// Charges a card in the payer's presence.
    pub(super) fn charge(&mut self, id: &str, mut charge: Charge, now: Timestamp) -> Result<(), GatewayError> {
        let card = card_of(&charge.token)?;
        let (code, step) = match card.behaviour {
            Behaviour::Pays => (None, ChargeStep::Succeeded),
            Behaviour::Authenticates => (None, ChargeStep::Authenticating),
            Behaviour::Declined(code) => (Some(code), ChargeStep::Failed),
            Behaviour::FailsWhenCharged => (Some("card_declined"), ChargeStep::Failed),
        };
        charge.step = step;
        let (cents, checkout) = (charge.cents, charge.checkout.clone());
        if step == ChargeStep::Succeeded {
            self.take_payment(id, cents, now.millis(), &checkout, None);
        }
        self.charges.insert(id.to_owned(), charge);
        if step != ChargeStep::Authenticating {
            self.tell("charge", id, &checkout, now.millis());
        }
        code.map_or(Ok(()), |code| Err(GatewayError::Declined(decline(code))))
    }

    fn remember_card(&mut self, customer: &str, token: &str) {
        if let Some(customer) = self.customers.get_mut(customer) {
            customer.token = Some(token.to_owned());
        }
    }

    /// Starts a subscription in the payer's presence.
    pub(super) fn subscribe(&mut self, id: &str, new: NewSubscription, now: Timestamp) -> Result<(), GatewayError> {
        let behaviour = card_of(&new.token)?.behaviour;
        let is_charged_now = new.trial_days == 0 && new.first_charge > 0;
        match behaviour {
            Behaviour::Declined(code) => return Err(GatewayError::Declined(decline(code))),
            Behaviour::FailsWhenCharged if is_charged_now => {
                return Err(GatewayError::Declined(decline("card_declined")));
            }
            _ => {}
        }
        let subscription = Subscription {
            checkout: new.checkout,
            plan_id: new.plan_id,
            price: new.price,
            yearly: new.interval == RenewalInterval::Year,
            first_charge: Some(new.first_charge),
            trial_days: new.trial_days,
            customer: new.customer,
            token: new.token,
            step: SubscriptionStep::Authenticating,
            is_stopped: false,
            hold: None,
            period: None,
            next_charge_at: None,
            trial_ends_at: None,
            anchor: 0,
            cycles: 0,
            credit: 0,
            failures: 0,
            is_declined: false,
        };
        self.subscriptions.insert(id.to_owned(), subscription);
        if behaviour != Behaviour::Authenticates {
            self.begin(id, now);
        }
        Ok(())
    }

    /// Starts the trial or the first paid period, after authentication if needed.
    fn begin(&mut self, id: &str, now: Timestamp) {
        let Some(mut subscription) = self.subscriptions.get(id).cloned() else { return };
        self.remember_card(&subscription.customer, &subscription.token);
        if subscription.trial_days > 0 {
            let end = now.plus(i64::from(subscription.trial_days) * DAY).millis();
            subscription.step = SubscriptionStep::Trialing;
            subscription.period = Some((now.millis(), end));
            (subscription.trial_ends_at, subscription.next_charge_at) = (Some(end), Some(end));
            (subscription.anchor, subscription.cycles) = (end, 0);
        } else {
            let due = subscription.due();
            self.collect(id, &mut subscription, due, now.millis());
        }
        let checkout = subscription.checkout.clone();
        self.subscriptions.insert(id.to_owned(), subscription);
        self.tell("subscription", id, &checkout, now.millis());
    }

    /// Charges an amount less the credit, and starts a period.
    fn collect(&mut self, id: &str, subscription: &mut Subscription, due: i64, at: i64) {
        let from_credit = subscription.credit.min(due);
        subscription.credit -= from_credit;
        if due > from_credit {
            self.count += 1;
            let payment = format!("pi_{}", digest(&["renewal", id, &self.count.to_string()]));
            self.take_payment(&payment, due - from_credit, at, &subscription.checkout.clone(), Some(id));
        }
        subscription.first_charge = None;
        subscription.begin_period(at);
    }

    /// Applies the result of the payer's authentication to the charge, subscription or setup with this id.
    pub(super) fn authenticate(&mut self, id: &str, succeeds: bool, now: Timestamp) -> Result<(), GatewayError> {
        if let Some(mut charge) = self.charges.get(id).cloned() {
            if charge.step != ChargeStep::Authenticating {
                return Ok(());
            }
            charge.step = if succeeds { ChargeStep::Succeeded } else { ChargeStep::Failed };
            if succeeds {
                self.take_payment(id, charge.cents, now.millis(), &charge.checkout, None);
            }
            self.tell("charge", id, &charge.checkout, now.millis());
            self.charges.insert(id.to_owned(), charge);
            return Ok(());
        }
        if let Some(subscription) = self.subscriptions.get_mut(id) {
            if subscription.step == SubscriptionStep::Authenticating {
                if succeeds {
                    self.begin(id, now);
                } else {
                    subscription.step = SubscriptionStep::Ended;
                    let checkout = subscription.checkout.clone();
                    self.tell("subscription", id, &checkout, now.millis());
                }
            }
            return Ok(());
        }
        let setup = self.setups.get_mut(id).ok_or_else(|| refused("nothing waits for this authentication"))?;
        if setup.step == SetupStep::Authenticating {
            setup.step = if succeeds { SetupStep::Succeeded } else { SetupStep::Failed };
            if succeeds {
                let (subscription, token) = (setup.subscription.clone(), setup.token.clone());
                self.use_card(&subscription, &token, now);
            }
        }
        Ok(())
    }

    /// Uses another card for future renewals.
    pub(super) fn use_card(&mut self, id: &str, token: &str, now: Timestamp) {
        if let Some(subscription) = self.subscriptions.get_mut(id) {
            token.clone_into(&mut subscription.token);
            subscription.is_declined = false;
            let (customer, checkout) = (subscription.customer.clone(), subscription.checkout.clone());
            self.remember_card(&customer, token);
            self.tell("subscription", id, &checkout, now.millis());
        }
    }

    /// Changes a running subscription and queues an event about it.
    pub(super) fn change_subscription(
        &mut self,
        id: &str,
        now: Timestamp,
        change: impl FnOnce(&mut Self, &mut Subscription) -> Result<(), GatewayError>,
    ) -> Result<String, GatewayError> {
        let mut subscription =
            self.subscriptions.get(id).cloned().ok_or_else(|| refused("the sandbox has no such subscription"))?;
        if !subscription.is_running() {
            return Err(refused("the subscription does not run"));
        }
        change(self, &mut subscription)?;
        let checkout = subscription.checkout.clone();
        self.subscriptions.insert(id.to_owned(), subscription);
        self.tell("subscription", id, &checkout, now.millis());
        Ok(id.to_owned())
    }

    /// Switches the plan now, with credit for the rest of the period.
    pub(super) fn switch(
        &mut self,
        id: &str,
        subscription: &mut Subscription,
        (plan_id, price, interval): (&str, i64, RenewalInterval),
        computed_at: Timestamp,
        now: Timestamp,
    ) -> Result<(), GatewayError> {
        if subscription.hold.is_some() {
            return Err(refused("a paused subscription is resumed before its plan is switched"));
        }
        if subscription.plan_id == plan_id && subscription.price == price {
            // Already switched, with another preview.
            return Ok(());
        }
        let unused = subscription.unused_cents(computed_at);
        if subscription.step == SubscriptionStep::Active && price > unused + subscription.credit {
            subscription.check_off_session()?;
        }
        plan_id.clone_into(&mut subscription.plan_id);
        subscription.price = price;
        subscription.yearly = interval == RenewalInterval::Year;
        subscription.is_stopped = false;
        if subscription.step == SubscriptionStep::Trialing {
            // The first charge of the old plan is no longer due.
            subscription.first_charge = None;
        } else {
            subscription.credit += unused;
            (subscription.anchor, subscription.cycles) = (now.millis(), 0);
            self.collect(id, subscription, price, now.millis());
        }
        Ok(())
    }

    /// Opens a dispute. A payment can be disputed only once.
    pub(super) fn open_dispute(&mut self, id: &str, now: Timestamp) -> Result<(), GatewayError> {
        let payment = self.payments.get_mut(id).ok_or_else(|| refused("the sandbox has no such payment"))?;
        if payment.dispute.is_some() {
            return Err(refused("this payment was disputed before"));
        }
        payment.dispute = Some(Dispute::Open);
        let checkout = payment.checkout.clone();
        self.tell("dispute_opened", id, &checkout, now.millis());
        Ok(())
    }

    /// Decides an open dispute.
    pub(super) fn close_dispute(&mut self, id: &str, won: bool, now: Timestamp) -> Result<(), GatewayError> {
        let payment = self.payments.get_mut(id).ok_or_else(|| refused("the sandbox has no such payment"))?;
        if payment.dispute != Some(Dispute::Open) {
            return Err(refused("this payment has no open dispute"));
        }
        payment.dispute = Some(Dispute::Closed);
        let checkout = payment.checkout.clone();
        self.tell(if won { "dispute_won" } else { "dispute_lost" }, id, &checkout, now.millis());
        Ok(())
    }

    /// Declines renewals of the checkout's subscription until the payer provides another card.
    pub(super) fn decline_renewals(&mut self, checkout: &str) -> Result<(), GatewayError> {
        let subscriptions = self.subscriptions.values_mut();
        let mut of_checkout = subscriptions.filter(|one| one.checkout == checkout && one.is_running());
        let found = of_checkout.next().ok_or_else(|| refused("the sandbox has no such subscription"))?;
        found.is_declined = true;
        Ok(())
    }

    /// Retries the charge of a failed renewal.
    pub(super) fn collect_overdue(
        &mut self,
        id: &str,
        subscription: &mut Subscription,
        now: Timestamp,
    ) -> Result<(), GatewayError> {
        if subscription.step != SubscriptionStep::PastDue {
            return Ok(());
        }
        subscription.check_off_session()?;
        let due = subscription.due();
        self.collect(id, subscription, due, now.millis());
        Ok(())
    }

    /// Processes everything due by `now`, in order of its due time.
    pub(super) fn advance(&mut self, now: Timestamp) {
        while let Some((at, id)) = self
            .subscriptions
            .iter()
            .filter(|(_, subscription)| subscription.is_running())
            .filter_map(|(id, subscription)| Some((subscription.next_charge_at?, id.clone())))
            .filter(|(at, _)| *at <= now.millis())
            .min()
        {
            let Some(mut subscription) = self.subscriptions.get(&id).cloned() else { return };
            self.renew(&id, &mut subscription, at);
            let checkout = subscription.checkout.clone();
            self.subscriptions.insert(id.clone(), subscription);
            self.tell("subscription", &id, &checkout, at);
        }
    }

    fn renew(&mut self, id: &str, subscription: &mut Subscription, at: i64) {
        if subscription.is_stopped || subscription.failures > RETRIES {
            subscription.step = SubscriptionStep::Ended;
            subscription.next_charge_at = None;
            return;
        }
        let due = subscription.due();
        if due > subscription.credit && subscription.check_off_session().is_err() {
            subscription.step = SubscriptionStep::PastDue;
            subscription.hold = None;
            subscription.failures += 1;
            subscription.next_charge_at = Some(at + DAY);
        } else {
            self.collect(id, subscription, due, at);
        }
    }
}
