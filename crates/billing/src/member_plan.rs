//! What a member has, out of the ledger: entitlements, subscriptions, and what was bought once (`billing.active-plan`).
//!
//! [`MemberPlan::of`] is a pure function of the member's movements, whatever their order and however often each one is there.

use std::collections::{BTreeMap, HashMap};

use kernel::{DAY, Money, Period, Timestamp};

use crate::{AddOn, Entitlement, Movement, MovementKind, PurchaseKey, RenewalTerms};

/// How long a plan stays when its renewal has not been paid, in milliseconds.
pub const GRACE: i64 = 7 * DAY;

/// How a subscription stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubscriptionState {
    /// Nothing was charged yet.
    Trial,
    /// Paid, or the renewal is just due.
    Active,
    /// The charge that is due failed; the plan stays for [`GRACE`].
    PastDue,
    /// It ends with its period.
    Canceled,
    /// It is not renewed until the pause is over.
    Paused,
    /// It is over.
    Ended,
}

impl SubscriptionState {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::Trial, Self::Active, Self::PastDue, Self::Canceled, Self::Paused, Self::Ended];

    /// Its name in the store and on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Trial => "trial",
            Self::Active => "active",
            Self::PastDue => "past_due",
            Self::Canceled => "canceled",
            Self::Paused => "paused",
            Self::Ended => "ended",
        }
    }
}

/// A subscription, as its movements have left it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Subscription {
    pub purchase: PurchaseKey,
    /// The plan that runs.
    pub plan_id: String,
    /// The plan's name as people read it.
    pub plan_name: String,
    /// When it began.
    pub started_at: Timestamp,
    /// Up to when it is paid; in the trial, the trial's end (`endPaidDate`).
    pub paid_until: Timestamp,
    /// When the next charge is due: after the paid period, a redeemed code that follows it, and a pause.
    pub due_at: Timestamp,
    /// What it costs to renew.
    pub terms: RenewalTerms,
    pub next_charge: Money,
    in_trial: bool,
    failed_at: Option<Timestamp>,
    is_canceled: bool,
    is_paused: bool,
    ended_at: Option<Timestamp>,
    is_closed: bool,
}

impl Subscription {
    /// How it stands at a moment after its last movement.
    pub fn state_at(&self, now: Timestamp) -> SubscriptionState {
        if self.ended_at.is_some_and(|end| end <= now)
            || self.is_canceled && self.paid_until <= now
            || self.due_at.plus(GRACE) <= now
        {
            SubscriptionState::Ended
        } else if self.is_canceled {
            SubscriptionState::Canceled
        } else if self.failed_at.is_some() && self.due_at <= now {
            SubscriptionState::PastDue
        } else if self.is_paused && now < self.due_at {
            SubscriptionState::Paused
        } else if self.in_trial {
            SubscriptionState::Trial
        } else {
            SubscriptionState::Active
        }
    }

    /// Whether it has not ended by that moment.
    pub fn runs_at(&self, now: Timestamp) -> bool {
        self.state_at(now) != SubscriptionState::Ended
    }

    /// When the next charge is due and what it is; `None`: there is none.
    pub fn next_charge_at(&self, now: Timestamp) -> Option<(Timestamp, Money)> {
        match self.state_at(now) {
            SubscriptionState::Canceled | SubscriptionState::Ended => None,
            SubscriptionState::Trial
            | SubscriptionState::Active
            | SubscriptionState::PastDue
            | SubscriptionState::Paused => Some((self.due_at, self.next_charge)),
        }
    }

    /// When it renews and what that costs, as far as is known; `None`: it does not renew.
    pub fn renewal(&self) -> Option<(Timestamp, Money)> {
        (!self.is_canceled && self.ended_at.is_none()).then_some((self.due_at, self.next_charge))
    }

    /// Whether it is recorded that the provider has ended it ([`MovementKind::Ended`]). Without that it may be over by a refund, a
    /// dispute, a plan for life or a lapse while the provider goes on.
    pub const fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// The moment to which the provider puts the next charge off: after redeemed codes (`billing.redeemed-period`); `None`: it is due
    /// with the end of what was paid, or is not renewed.
    pub fn deferral_at(&self, now: Timestamp) -> Option<Timestamp> {
        let renews = matches!(self.state_at(now), SubscriptionState::Trial | SubscriptionState::Active);
        (renews && self.due_at > self.paid_until).then_some(self.due_at)
    }

    /// Whether it is over here while the provider goes on: the provider has to be told.
    pub fn must_be_ended(&self, now: Timestamp) -> bool {
        !self.runs_at(now) && !self.is_closed
    }

    /// Whether money pays for it just before a moment, by the movements before that moment: its latest charge covers the moment, did
    /// not go back whole, and it has not ended. A trial, a redeemed code and the days of grace are not paid for.
    fn is_paid_before(&self, moment: Timestamp) -> bool {
        let is_charged = !self.in_trial && self.terms.price.cents() > 0;
        let is_covered = self.started_at < moment && moment <= self.paid_until;
        is_charged && is_covered && self.runs_at(moment.plus(-1))
    }

    /// From when on it is over, as far as is known.
    pub fn over_at(&self) -> Timestamp {
        let lapse = if self.is_canceled { self.paid_until } else { self.due_at.plus(GRACE) };
        self.ended_at.map_or(lapse, |end| end.min(lapse))
    }

    /// The next charge is due after the paid period, what redeemed codes add to it, and the pause.
    fn set_due(&mut self, pause: Option<u32>, redeemed: &[Piece<'_>]) {
        self.is_paused = pause.is_some();
        self.due_at = redeemed_until(redeemed, self.paid_until).plus_months(pause.unwrap_or(0));
    }

    /// The time in which the member reads though the charge that is due has not come.
    pub(crate) fn grace(&self) -> Option<Period> {
        if self.is_canceled {
            return None;
        }
        let mut end = self.due_at.plus(GRACE);
        if let Some(failed) = self.failed_at.filter(|_| self.in_trial) {
            end = end.min(failed);
        }
        if let Some(ended) = self.ended_at {
            end = end.min(ended);
        }
        (self.due_at < end).then_some(Period { starts_at: self.due_at, ends_at: Some(end) })
    }
}

/// Something that was bought once and was not refunded: a book, infographics, a quiz, a gift.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnedItem {
    /// The plan's id: `book-{subid}`, `infographics-20`.
    pub plan_id: String,
    pub purchase: PurchaseKey,
    pub bought_at: Timestamp,
}

/// What a member has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemberPlan {
    /// The rights to read everything, by their start. The days of grace are one of their own, so that the one before ends with
    /// its period.
    pub entitlements: Vec<Entitlement>,
    /// The subscriptions, by their start.
    pub subscriptions: Vec<Subscription>,
    /// What was bought once, by the time.
    pub items: Vec<OwnedItem>,
}

impl MemberPlan {
    /// What a member has, by the member's movements.
    pub fn of(movements: &[Movement]) -> Self {
        let history = History::of(movements);
        let paid = history.paid_pieces();
        let redeemed = history.redeemed_pieces(&paid);
        let subscriptions = history.subscriptions(&paid, &redeemed);
        let grace = subscriptions.iter().filter_map(|one| {
            let period = one.grace()?;
            Some(Entitlement {
                plan_id: one.plan_id.clone(),
                plan_name: one.plan_name.clone(),
                starts_at: period.starts_at,
                ends_at: period.ends_at,
            })
        });
        let mut entitlements = merged(&paid);
        entitlements.extend(merged(&redeemed));
        entitlements.extend(grace);
        entitlements.sort_by_key(|one| (one.starts_at, one.ends_at.is_none(), one.ends_at));
        Self { entitlements, subscriptions, items: history.items() }
    }

    /// The subscriptions that are paid for just before a moment, as the figures of the business count them: what each brings in a
    /// month is its price divided by its months. The database counts whole days by its function `subscriptions_paid_at`, which a test
    /// compares with this.
    pub fn paid_subscriptions(movements: &[Movement], moment: Timestamp) -> Vec<Subscription> {
        let before: Vec<Movement> = movements.iter().filter(|one| one.at < moment).cloned().collect();
        let mut found = Self::of(&before).subscriptions;
        found.retain(|one| one.is_paid_before(moment));
        found
    }

    /// The subscription that runs; of several the one that began first.
    pub fn running(&self, now: Timestamp) -> Option<&Subscription> {
        self.subscriptions.iter().find(|one| one.runs_at(now))
    }

    /// The subscriptions that run besides it ([`crate::surplus`]).
    pub(crate) fn besides_running(&self, now: Timestamp) -> impl Iterator<Item = &Subscription> {
        self.subscriptions.iter().filter(move |one| one.runs_at(now)).skip(1)
    }

    /// Whether the member may read everything at that moment.
    pub fn is_paid_at(&self, now: Timestamp) -> bool {
        self.entitlements.iter().any(|one| one.runs_at(now))
    }

    /// Whether it holds for life.
    pub fn is_for_life(&self) -> bool {
        self.entitlements.iter().any(|one| one.ends_at.is_none())
    }
}

/// A stretch of a plan that something paid for.
#[derive(Clone, Debug)]
struct Piece<'a> {
    movement: &'a Movement,
    starts_at: Timestamp,
    /// `None`: for life.
    ends_at: Option<Timestamp>,
}

impl Piece<'_> {
    fn cut_at(&mut self, at: Timestamp) {
        let end = at.max(self.starts_at);
        self.ends_at = Some(self.ends_at.map_or(end, |before| before.min(end)));
    }

    fn is_empty(&self) -> bool {
        self.ends_at.is_some_and(|end| end <= self.starts_at)
    }
}

/// Movements, each one once, in their order.
struct History<'a> {
    movements: Vec<&'a Movement>,
    /// When what a movement gave was taken back in whole, by its key.
    voids: HashMap<&'a str, Timestamp>,
}

impl<'a> History<'a> {
    fn of(all: &'a [Movement]) -> Self {
        let mut movements: Vec<&Movement> = all.iter().collect();
        movements.sort_by_key(|one| (one.at, one.kind, &one.key));
        movements.dedup_by_key(|one| &one.key);
        let mut voids = voids(&movements);
        void_what_credit_paid(&movements, &mut voids);
        Self { movements, voids }
    }

    fn void_of(&self, movement: &Movement) -> Option<Timestamp> {
        self.voids.get(movement.key.as_str()).copied()
    }

    /// What trials, charges and given plans cover.
    fn paid_pieces(&self) -> Vec<Piece<'a>> {
        let covers = |one: &&'a Movement| {
            let period = one.period?;
            Some(Piece { movement: one, starts_at: period.starts_at, ends_at: period.ends_at })
        };
        let mut pieces: Vec<Piece<'a>> = self.movements.iter().filter_map(covers).collect();
        let switches: Vec<&Movement> = pieces
            .iter()
            .map(|piece| piece.movement)
            .filter(|one| matches!(one.kind, MovementKind::Charged | MovementKind::TrialStarted))
            .filter(|one| self.void_of(one).is_none())
            .collect();
        for piece in &mut pieces {
            if let Some(at) = self.void_of(piece.movement) {
                piece.cut_at(at);
            }
            // A switch of plan takes the place of what the subscription had paid before.
            let before = piece.movement;
            let replaces = |after: &&&Movement| {
                after.purchase == before.purchase
                    && after.plan_id != before.plan_id
                    && (after.at, &after.key) > (before.at, &before.key)
            };
            let starts = switches.iter().filter(replaces).filter_map(|after| Some(after.period?.starts_at));
            if let Some(at) = starts.min() {
                piece.cut_at(at);
            }
        }
        pieces
    }

    /// What redeemed codes cover. Their time passes only while nothing paid covers it, so that a redeemed year follows the paid
    /// period and none of it is lost.
    fn redeemed_pieces(&self, paid: &[Piece<'_>]) -> Vec<Piece<'a>> {
        let covered = union(paid);
        let mut pieces = Vec::new();
        let mut free_from = Timestamp::from_millis(i64::MIN);
        for movement in self.movements.iter().filter(|one| one.kind == MovementKind::CodeRedeemed) {
            let void = self.void_of(movement);
            let Some(months) = movement.months else {
                let mut piece = Piece { movement, starts_at: movement.at, ends_at: None };
                if let Some(at) = void {
                    piece.cut_at(at);
                }
                pieces.push(piece);
                continue;
            };
            let mut start = movement.at.max(free_from);
            let mut left: Option<i64> = None;
            loop {
                start = after_cover(&covered, start);
                if start == FOREVER {
                    break;
                }
                let end = left.map_or_else(|| start.plus_months(months), |left| start.plus(left));
                let next = covered.iter().map(|one| one.starts_at).find(|next| (start..end).contains(next));
                let mut piece = Piece { movement, starts_at: start, ends_at: Some(next.unwrap_or(end)) };
                if let Some(at) = void {
                    piece.cut_at(at);
                }
                let is_cut = void.is_some_and(|at| at <= next.unwrap_or(end));
                free_from = piece.ends_at.unwrap_or(end);
                pieces.push(piece);
                let Some(next) = next.filter(|_| !is_cut) else { break };
                left = Some(end.since(next));
                start = next;
            }
        }
        pieces.retain(|piece| !piece.is_empty());
        pieces
    }

    fn subscriptions(&self, paid: &[Piece<'_>], redeemed: &[Piece<'_>]) -> Vec<Subscription> {
        let lives = paid.iter().chain(redeemed).filter(|one| one.ends_at.is_none()).map(|one| one.starts_at);
        let for_life = lives.min();
        let mut by_purchase: BTreeMap<&PurchaseKey, Vec<&Movement>> = BTreeMap::new();
        for movement in &self.movements {
            by_purchase.entry(&movement.purchase).or_default().push(movement);
        }
        let mut found: Vec<Subscription> = by_purchase
            .into_values()
            .filter_map(|movements| {
                let (mut one, latest) = fold(&movements, redeemed)?;
                let ends = [one.ended_at, latest.and_then(|charge| self.void_of(charge)), for_life];
                one.ended_at = ends.into_iter().flatten().min();
                Some(one)
            })
            .collect();
        found.sort_by(|one, other| (one.started_at, &one.purchase).cmp(&(other.started_at, &other.purchase)));
        found
    }

    fn items(&self) -> Vec<OwnedItem> {
        let bought =
            self.movements.iter().filter(|one| one.kind == MovementKind::Charged && self.void_of(one).is_none());
        let item = |one: &Movement, plan_id: &str| OwnedItem {
            plan_id: plan_id.to_owned(),
            purchase: one.purchase.clone(),
            bought_at: one.at,
        };
        bought
            .flat_map(|one| {
                let itself = one.period.is_none().then(|| item(one, &one.plan_id));
                let added = AddOn::plan_id_of_count(one.infographics).map(|plan_id| item(one, plan_id));
                itself.into_iter().chain(added)
            })
            .collect()
    }
}

/// Later than any moment of a plan.
const FOREVER: Timestamp = Timestamp::from_millis(i64::MAX);

/// When each movement was taken back in whole: refunds and lost disputes have come up to its amount, or it was revoked or
/// withdrawn.
fn voids<'a>(movements: &[&'a Movement]) -> HashMap<&'a str, Timestamp> {
    let given: HashMap<&str, (i64, Timestamp)> =
        movements.iter().map(|one| (one.key.as_str(), (one.amount.cents(), one.at))).collect();
    let mut taken: HashMap<&str, i64> = HashMap::new();
    let mut voids: HashMap<&str, Timestamp> = HashMap::new();
    for one in movements {
        let Some(reference) = one.reference.as_deref() else { continue };
        let Some((amount, begun)) = given.get(reference).copied() else { continue };
        let sum = taken.entry(reference).or_default();
        *sum += one.taken_cents();
        if *sum >= amount {
            voids.entry(reference).or_insert(one.at.max(begun));
        } else {
            voids.remove(reference);
        }
    }
    voids
}

/// When a charge was taken back in whole that a plan was switched from, what its credit has paid for since goes with it
/// (`billing.refund-whole`): no credit outlives its payment.
fn void_what_credit_paid<'a>(movements: &[&'a Movement], voids: &mut HashMap<&'a str, Timestamp>) {
    /// The latest charge of a purchase, and the charges whose credit it and its successors live on.
    struct Credited<'a> {
        latest: &'a Movement,
        sources: Vec<&'a str>,
    }
    let mut purchases: BTreeMap<&PurchaseKey, Credited<'a>> = BTreeMap::new();
    for charge in movements.iter().copied().filter(|one| one.kind == MovementKind::Charged) {
        if charge.renewal.is_none() {
            continue;
        }
        let mut sources = Vec::new();
        // A credit is used before money is taken: what took money has used it up, and stands by itself.
        let lives_on_credit = charge.amount.cents() == 0;
        if let Some(before) = purchases.get(&charge.purchase).filter(|_| lives_on_credit) {
            sources.clone_from(&before.sources);
            if before.latest.plan_id != charge.plan_id {
                sources.push(&before.latest.key);
            }
        }
        let gone = sources.iter().filter_map(|source| voids.get(source)).min().copied();
        if let Some(at) = gone {
            let own = voids.entry(&charge.key).or_insert(at);
            *own = at.min(*own);
        }
        purchases.insert(&charge.purchase, Credited { latest: charge, sources });
    }
}

/// What pieces cover together: stretches that neither touch nor overlap, by their start.
fn union(pieces: &[Piece<'_>]) -> Vec<Period> {
    let mut sorted: Vec<&Piece<'_>> = pieces.iter().filter(|piece| !piece.is_empty()).collect();
    sorted.sort_by_key(|piece| piece.starts_at);
    let mut joined: Vec<Period> = Vec::new();
    for piece in sorted {
        match joined.last_mut().filter(|last| last.ends_at.is_none_or(|end| piece.starts_at <= end)) {
            Some(last) => last.ends_at = last.ends_at.zip(piece.ends_at).map(|(one, other)| one.max(other)),
            None => joined.push(Period { starts_at: piece.starts_at, ends_at: piece.ends_at }),
        }
    }
    joined
}

/// The first moment from `at` on that nothing covers; [`FOREVER`]: there is none.
fn after_cover(covered: &[Period], at: Timestamp) -> Timestamp {
    covered.iter().find(|one| one.contains(at)).map_or(at, |one| one.ends_at.unwrap_or(FOREVER))
}

/// Up to when redeemed codes follow a paid period that ends then.
fn redeemed_until(redeemed: &[Piece<'_>], paid_until: Timestamp) -> Timestamp {
    let mut until = paid_until;
    let mut pieces: Vec<(Timestamp, Timestamp)> =
        redeemed.iter().filter_map(|piece| Some((piece.starts_at, piece.ends_at?))).collect();
    pieces.sort_unstable();
    for (start, end) in pieces {
        if start <= until.plus(GRACE) && end > until {
            until = end;
        }
    }
    until
}

/// The subscription of a purchase's movements, with its latest charge; `None`: they are none.
fn fold<'a>(movements: &[&'a Movement], redeemed: &[Piece<'_>]) -> Option<(Subscription, Option<&'a Movement>)> {
    let mut latest: Option<&Movement> = None;
    let mut subscription: Option<Subscription> = None;
    let mut pause: Option<u32> = None;
    for &movement in movements {
        if let Some((terms, end)) = movement.renewal.zip(movement.period.and_then(|period| period.ends_at)) {
            let is_charge = movement.kind == MovementKind::Charged;
            let one = subscription.get_or_insert_with(|| Subscription {
                purchase: movement.purchase.clone(),
                plan_id: String::new(),
                plan_name: String::new(),
                started_at: movement.period.map_or(movement.at, |period| period.starts_at),
                paid_until: end,
                due_at: end,
                terms,
                next_charge: terms.price,
                in_trial: true,
                failed_at: None,
                is_canceled: false,
                is_paused: false,
                ended_at: None,
                is_closed: false,
            });
            let is_switch = one.plan_id != movement.plan_id;
            one.paid_until = if is_switch { end } else { one.paid_until.max(end) };
            one.plan_id.clone_from(&movement.plan_id);
            one.plan_name.clone_from(&movement.plan_name);
            (one.terms, one.next_charge) = (terms, movement.next_charge.unwrap_or(terms.price));
            if is_charge {
                (one.in_trial, one.failed_at, latest) = (false, None, Some(movement));
            }
            // What is paid after a pause ends it.
            pause = pause.filter(|_| !is_charge);
        }
        let Some(one) = subscription.as_mut() else { continue };
        one.set_due(pause, redeemed);
        let runs = one.runs_at(movement.at);
        match movement.kind {
            MovementKind::ChargeFailed if runs => one.failed_at = one.failed_at.or(Some(movement.at)),
            MovementKind::Canceled if runs => {
                one.is_canceled = true;
                if one.paid_until <= movement.at {
                    one.ended_at = one.ended_at.or(Some(movement.at));
                }
            }
            MovementKind::Resumed if runs => one.is_canceled = false,
            MovementKind::Paused if runs && !one.is_canceled && one.failed_at.is_none() => pause = movement.months,
            MovementKind::PauseEnded if runs => pause = None,
            MovementKind::Ended => {
                one.ended_at = one.ended_at.or(Some(movement.at));
                one.is_closed = true;
            }
            _ => {}
        }
        one.set_due(pause, redeemed);
    }
    subscription.map(|one| (one, latest))
}

/// Entitlements of pieces: those of one purchase and plan that touch or overlap are one.
fn merged(pieces: &[Piece<'_>]) -> Vec<Entitlement> {
    let mut sorted: Vec<&Piece<'_>> = pieces.iter().filter(|piece| !piece.is_empty()).collect();
    sorted.sort_by_key(|piece| (&piece.movement.purchase, &piece.movement.plan_id, piece.starts_at));
    let mut found: Vec<(&Movement, Entitlement)> = Vec::new();
    for piece in sorted {
        let movement = piece.movement;
        let continues = |(before, one): &&mut (&Movement, Entitlement)| {
            before.purchase == movement.purchase
                && before.plan_id == movement.plan_id
                && one.ends_at.is_none_or(|end| piece.starts_at <= end)
        };
        match found.last_mut().filter(continues) {
            Some((_, one)) => one.ends_at = one.ends_at.zip(piece.ends_at).map(|(one, other)| one.max(other)),
            None => found.push((
                movement,
                Entitlement {
                    plan_id: movement.plan_id.clone(),
                    plan_name: movement.plan_name.clone(),
                    starts_at: piece.starts_at,
                    ends_at: piece.ends_at,
                },
            )),
        }
    }
    found.into_iter().map(|(_, one)| one).collect()
}

#[cfg(test)]
mod tests;
