//! What a member has, derived from the ledger: entitlements, subscriptions, and items bought once
//! (`billing.active-plan`).
//!
//! [`MemberPlan::of`] is a pure function of the member's movements. Duplicates don't matter, and of the order only that of
//! movements of one moment, which are given as they were recorded.

use std::collections::{BTreeMap, HashMap, HashSet};

use kernel::{DAY, Money, Period, Timestamp};

use crate::{AddOn, Entitlement, Movement, MovementKind, PurchaseKey, RenewalTerms};

/// How long a plan stays valid after an unpaid renewal was due, in milliseconds.
pub const GRACE: i64 = 7 * DAY;

/// The states of a subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubscriptionState {
    /// Nothing was charged yet.
    Trial,
    /// Paid, or due now with the charge not failed yet.
    Active,
    /// The due charge failed; the plan stays valid for [`GRACE`].
    PastDue,
    /// Renewal is off; it ends with its period.
    Canceled,
    /// It renews when the pause is over.
    Paused,
    Ended,
}

impl SubscriptionState {
    pub const ALL: [Self; 6] = [Self::Trial, Self::Active, Self::PastDue, Self::Canceled, Self::Paused, Self::Ended];

    /// The name in the database and on the wire.
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

/// A subscription, as derived from its movements.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Subscription {
    pub purchase: PurchaseKey,
    /// The current plan; a switch changes it.
    pub plan_id: String,
    /// The plan's display name.
    pub plan_name: String,
    pub started_at: Timestamp,
    /// The end of the paid period; during a trial, the end of the trial (`endPaidDate` on the wire).
    pub paid_until: Timestamp,
    /// When the next charge is due: after the paid period, any redeemed code that follows it, and a pause.
    pub due_at: Timestamp,
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
    /// The state at `now`, which must not be before the last movement.
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

    /// Whether it has not ended by `now`.
    pub fn runs_at(&self, now: Timestamp) -> bool {
        self.state_at(now) != SubscriptionState::Ended
    }

    /// The time and amount of the next charge; `None` if it is canceled or has ended.
    pub fn next_charge_at(&self, now: Timestamp) -> Option<(Timestamp, Money)> {
        match self.state_at(now) {
            SubscriptionState::Canceled | SubscriptionState::Ended => None,
            SubscriptionState::Trial
            | SubscriptionState::Active
            | SubscriptionState::PastDue
            | SubscriptionState::Paused => Some((self.due_at, self.next_charge)),
        }
    }

    /// The time and amount of the next renewal, regardless of the current time; `None` if renewal is off or it has ended.
    pub fn renewal(&self) -> Option<(Timestamp, Money)> {
        (!self.is_canceled && self.ended_at.is_none()).then_some((self.due_at, self.next_charge))
    }

    /// Whether its end at the provider is recorded ([`MovementKind::Ended`]). A refund, a dispute, a lifetime plan or a
    /// lapse can end it here while it still runs at the provider.
    pub const fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// When the provider must defer the next charge to, because redeemed codes follow the paid period
    /// (`billing.redeemed-period`); `None` if the charge is due at the end of the paid period, or the state is not trial
    /// or active.
    pub fn deferral_at(&self, now: Timestamp) -> Option<Timestamp> {
        let renews = matches!(self.state_at(now), SubscriptionState::Trial | SubscriptionState::Active);
        (renews && self.due_at > self.paid_until).then_some(self.due_at)
    }

    /// Whether it has ended here but still runs at the provider, so that the provider must end it.
    pub fn must_be_ended(&self, now: Timestamp) -> bool {
        !self.runs_at(now) && !self.is_closed
    }

    /// Whether it is paid for just before `moment`, when built from the movements before that moment: its latest charge
    /// covers the moment and was not fully refunded, and it has not ended. A trial, a redeemed code and the grace period
    /// are not paid for.
    fn is_paid_before(&self, moment: Timestamp) -> bool {
        let is_charged = !self.in_trial && self.terms.price.cents() > 0;
        let is_covered = self.started_at < moment && moment <= self.paid_until;
        is_charged && is_covered && self.runs_at(moment.plus(-1))
    }

    /// When it ends or has ended, unless it is renewed.
    pub fn over_at(&self) -> Timestamp {
        let lapse = if self.is_canceled { self.paid_until } else { self.due_at.plus(GRACE) };
        self.ended_at.map_or(lapse, |end| end.min(lapse))
    }

    /// Recomputes when the next charge is due: the paid period, plus redeemed codes, plus the pause.
    fn set_due(&mut self, pause: Option<u32>, redeemed: &[Piece<'_>]) {
        self.is_paused = pause.is_some();
        self.due_at = redeemed_until(redeemed, self.paid_until).plus_months(pause.unwrap_or(0));
    }

    /// The grace period, in which the member can still read although the due charge has not been paid.
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

/// An item bought once and not refunded: a book, infographics, a quiz, a gift.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnedItem {
    /// The plan id: `book-{subid}`, `infographics-20`.
    pub plan_id: String,
    pub purchase: PurchaseKey,
    pub bought_at: Timestamp,
}

/// Everything a member has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemberPlan {
    /// All entitlements, by start. A grace period is a separate entitlement, so that the one before it ends with its
    /// period.
    pub entitlements: Vec<Entitlement>,
    /// All subscriptions, by start.
    pub subscriptions: Vec<Subscription>,
    /// The items bought once, oldest first.
    pub items: Vec<OwnedItem>,
}

impl MemberPlan {
    /// Derives what a member has from all of the member's movements.
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

    /// The subscriptions paid for just before `moment`, for the business statistics; the monthly revenue of each is its
    /// price divided by its months. The database function `subscriptions_paid_at` computes the same per day, and a test
    /// compares them.
    pub fn paid_subscriptions(movements: &[Movement], moment: Timestamp) -> Vec<Subscription> {
        let before: Vec<Movement> = movements.iter().filter(|one| one.at < moment).cloned().collect();
        let mut found = Self::of(&before).subscriptions;
        found.retain(|one| one.is_paid_before(moment));
        found
    }

    /// The running subscription; if there are several, the one that began first.
    pub fn running(&self, now: Timestamp) -> Option<&Subscription> {
        self.subscriptions.iter().find(|one| one.runs_at(now))
    }

    /// The running subscriptions other than [`Self::running`] ([`crate::surplus`]).
    pub(crate) fn besides_running(&self, now: Timestamp) -> impl Iterator<Item = &Subscription> {
        self.subscriptions.iter().filter(move |one| one.runs_at(now)).skip(1)
    }

    /// Whether the member may read everything at `now`.
    pub fn is_paid_at(&self, now: Timestamp) -> bool {
        self.entitlements.iter().any(|one| one.runs_at(now))
    }

    /// Whether one of the entitlements is for life.
    pub fn is_for_life(&self) -> bool {
        self.entitlements.iter().any(|one| one.ends_at.is_none())
    }
}

/// A part of a plan's time, with the movement that gave it.
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

/// A member's movements without duplicates, ordered by time; those of one moment by kind, and then as they were recorded.
struct History<'a> {
    movements: Vec<&'a Movement>,
    /// When each fully undone movement was undone, by its key.
    voids: HashMap<&'a str, Timestamp>,
}

impl<'a> History<'a> {
    fn of(all: &'a [Movement]) -> Self {
        let mut keys = HashSet::new();
        let mut movements: Vec<&Movement> = all.iter().filter(|one| keys.insert(&one.key)).collect();
        movements.sort_by_key(|one| (one.at, one.kind));
        let mut voids = voids(&movements);
        void_what_credit_paid(&movements, &mut voids);
        Self { movements, voids }
    }

    fn void_of(&self, movement: &Movement) -> Option<Timestamp> {
        self.voids.get(movement.key.as_str()).copied()
    }

    /// The pieces covered by trials, charges and given plans.
    fn paid_pieces(&self) -> Vec<Piece<'a>> {
        let covers = |one: &&'a Movement| {
            let period = one.period?;
            Some(Piece { movement: one, starts_at: period.starts_at, ends_at: period.ends_at })
        };
        let mut pieces: Vec<Piece<'a>> = self.movements.iter().filter_map(covers).collect();
        let switches: Vec<(usize, &Movement)> = pieces
            .iter()
            .map(|piece| piece.movement)
            .enumerate()
            .filter(|(_, one)| matches!(one.kind, MovementKind::Charged | MovementKind::TrialStarted))
            .filter(|(_, one)| self.void_of(one).is_none())
            .collect();
        for (number, piece) in pieces.iter_mut().enumerate() {
            if let Some(at) = self.void_of(piece.movement) {
                piece.cut_at(at);
            }
            // A plan switch ends what the subscription had paid for before.
            let before = piece.movement;
            let replaces = |(later, after): &&(usize, &Movement)| {
                *later > number && after.purchase == before.purchase && after.plan_id != before.plan_id
            };
            let starts = switches.iter().filter(replaces).filter_map(|(_, after)| Some(after.period?.starts_at));
            if let Some(at) = starts.min() {
                piece.cut_at(at);
            }
        }
        pieces
    }

    /// The pieces covered by redeemed codes. A code's time passes only while no paid piece covers it, so a redeemed year
    /// starts after the paid period and none of it is lost.
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

/// Later than the end of any plan.
const FOREVER: Timestamp = Timestamp::from_millis(i64::MAX);

/// When each movement was fully undone: refunds and disputes that were not won add up to its amount, or it was revoked or
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

/// When a charge before a plan switch is fully refunded, also undoes the charges that were paid from its credit
/// (`billing.refund-whole`).
fn void_what_credit_paid<'a>(movements: &[&'a Movement], voids: &mut HashMap<&'a str, Timestamp>) {
    /// The latest charge of a purchase, and the keys of the charges whose credit pays for it.
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
        // Credit is used before money is taken, so a charge that took money has used it up and does not depend on it.
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

/// The union of the pieces: periods that neither touch nor overlap, by start.
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

/// The first time from `at` on that no period covers; [`FOREVER`] if there is none.
fn after_cover(covered: &[Period], at: Timestamp) -> Timestamp {
    covered.iter().find(|one| one.contains(at)).map_or(at, |one| one.ends_at.unwrap_or(FOREVER))
}

/// The end of the redeemed codes that follow a paid period; `paid_until` if there are none.
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

/// Builds the subscription from a purchase's movements, with its latest charge; `None` if they contain no renewal terms.
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
            // A charge after a pause ends the pause.
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

/// Merges pieces into entitlements: pieces of one purchase and plan that touch or overlap become one.
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
