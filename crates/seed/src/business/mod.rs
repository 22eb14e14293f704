//! A made-up year of business for the demo profile (`site.demo-year`), so that the back office shows what a year looks like.
//!
//! What happens is drawn by [`plan`], a pure function of a seed. It is carried out by the workflows that members, admins and
//! sweeps use, on a clock that passes through the year, against a sandbox of its own, whose objects the demo's sandbox then
//! takes over: subscriptions go on renewing. Members' addresses are of [`Email::MADE_UP_DOMAIN`], to which no mail is queued, and
//! they have no password. Random bytes are the machine's, so that no code or token of the year can be guessed.

mod people;
mod plan;
mod records;

use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
};

use admin::{Actor, DayRange, RefundGrounds, RefundReason, StatsCommands, StatsQueries};
use anyhow::{Context, anyhow};
use billing::{
    BillingCommands, BillingQueries, CheckoutKey, Movement, MovementKind, PurchaseKey,
    gateway::{CheckoutReference, GatewayProvider, PaymentGateway, PaymentToken},
    settlement::{DisputeState, charged_payment},
};
use identity::Seal;
use jobs::LongJob;
use kernel::{DAY, Env, Secret, StoreError, TimeZone, Timestamp, UserId};
use payments::{Sandbox, sandbox::token_of_number};
use postgres::Db;
use referral::LinkId;
use workflows::{
    billing::{
        checkout::{
            GiftDetails,
            price::PriceRequest,
            purchase::{PayBy, PurchaseRequest},
            settle::record_dispute,
        },
        membership::renewal_jobs::StopRenewal,
        payments::PaymentFlows,
    },
    tx::{Settings, Transactions},
};

use self::{
    plan::{PlannedStep, Purchase, Step, YearPlan},
    records::Books,
};

/// The seed of the demo's year.
const SEED: u64 = 2026;
/// The month of a pause.
const PAUSED_MONTHS: u32 = 1;

/// Where the year is added to: the demo's database and its sandbox.
pub struct YearTarget<'a> {
    /// The database, with all migrations run and content.
    pub db: &'a Db,
    /// Clock and randomness. The year ends at its present time.
    pub env: &'a Arc<dyn Env>,
    pub seal: &'a Seal,
    pub settings: &'a Settings,
    /// Takes over the year's payments and subscriptions.
    pub sandbox: &'a Sandbox,
}

impl std::fmt::Debug for YearTarget<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("YearTarget").finish_non_exhaustive()
    }
}

/// Adds the year, and counts its days. Returns how many members it has; `None` if there are made-up members already. For the
/// demo profile with the sandbox only.
pub async fn add_business_year(target: &YearTarget<'_>) -> anyhow::Result<Option<usize>> {
    if target.db.read::<_, StoreError, _>(|pg| pg.has_made_up_members()).await? {
        return Ok(None);
    }
    let now = target.env.now();
    let plan = YearPlan::new(now, SEED);
    let clock = Arc::new(YearClock { now: AtomicI64::new(now.millis()), machine: Arc::clone(target.env) });
    let env = Arc::clone(&clock) as Arc<dyn Env>;
    let sandbox = Arc::new(Sandbox::in_memory(Arc::clone(&env), Secret::new("webhooks of the year are not sent")));
    let settings = Arc::new(target.settings.clone());
    let transactions = Transactions::new(target.db.clone(), Arc::clone(&env), target.seal.clone(), settings);
    let gateway = Arc::clone(&sandbox) as Arc<dyn PaymentGateway>;
    let flows = PaymentFlows::new(transactions, env, [gateway]);
    let books = target.db.write_now(records::readable_books)?;
    let mut year = Year { clock, sandbox, flows, books, plan: &plan, members: Vec::new(), gifts: HashMap::new() };
    let ran = year.run(now).await;
    // Also what a failed year has taken is known to the provider.
    target.sandbox.adopt(&year.sandbox)?;
    ran?;
    let first = plan.traffic.first().map_or(now, |day| day.midnight);
    let days =
        DayRange::new(TimeZone::UTC.day_of(first), TimeZone::UTC.day_of(now)).map_err(|error| anyhow!("{error}"))?;
    count(target.db, days, now)?;
    Ok(Some(plan.members.len()))
}

/// Counts the days of the year for the back office, and sums the ledger.
fn count(db: &Db, days: DayRange, now: Timestamp) -> anyhow::Result<()> {
    db.write_now::<_, anyhow::Error>(|pg| {
        pg.recount_days(days, now)?;
        Ok(pg.sum_accounts()?)
    })
}

/// A clock that stands where the year has come to.
struct YearClock {
    now: AtomicI64,
    machine: Arc<dyn Env>,
}

impl YearClock {
    fn set(&self, now: Timestamp) {
        self.now.store(now.millis(), Ordering::SeqCst);
    }
}

impl Env for YearClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.now.load(Ordering::SeqCst))
    }

    fn fill_random(&self, buffer: &mut [u8]) {
        self.machine.fill_random(buffer);
    }
}

/// A member who has signed up.
struct SignedUp {
    id: UserId,
    /// The link through which the member came.
    link: Option<LinkId>,
    /// The latest checkout.
    checkout: Option<CheckoutReference>,
    /// How many cards the member has had.
    cards: u64,
}

struct Year<'a> {
    clock: Arc<YearClock>,
    sandbox: Arc<Sandbox>,
    flows: PaymentFlows,
    books: Books,
    plan: &'a YearPlan,
    /// In the order of the plan's members: they sign up in it.
    members: Vec<SignedUp>,
    /// The gifts that members have bought.
    gifts: HashMap<usize, PurchaseKey>,
}

impl Year<'_> {
    /// Carries out the year, day by day: what needs no provider in one transaction, then payments, then the sweep of renewals.
    async fn run(&mut self, now: Timestamp) -> anyhow::Result<()> {
        let plan = self.plan;
        let mut steps = plan.steps.iter().peekable();
        self.clock.set(plan.traffic.first().map_or(now, |day| day.midnight));
        records::add_coupon(&self.flows.transactions)?;
        let mut month = TimeZone::UTC.month_of(self.clock.now());
        for day in &plan.traffic {
            let end = day.midnight.plus(DAY).min(now);
            let mut of_day = Vec::new();
            while let Some(step) = steps.next_if(|one| one.at < end) {
                of_day.push(step);
            }
            self.record(day, &of_day)?;
            for one in of_day {
                self.pay(one).await.with_context(|| format!("member {} {:?} at {:?}", one.member, one.step, one.at))?;
            }
            self.clock.set(end);
            self.flows.sweep_subscriptions().await?;
            let this = TimeZone::UTC.month_of(end);
            if this != month {
                records::pay_out(&self.flows.transactions)?;
                month = this;
            }
        }
        records::mark_old_messages(&self.flows.transactions)
    }

    /// Records what needs no provider.
    fn record(&mut self, day: &plan::Traffic, steps: &[&PlannedStep]) -> anyhow::Result<()> {
        let (clock, books, plan) = (&self.clock, &self.books, self.plan);
        let (members, gifts) = (&mut self.members, &self.gifts);
        self.flows.transactions.write_now::<_, anyhow::Error>(|tx| {
            records::add_traffic(tx, books, day)?;
            for one in steps {
                clock.set(one.at);
                let person = &plan.members[one.member];
                if let Step::SignUp { came_by, gift_of } = one.step {
                    let id = records::sign_up(tx, one.member, person)?;
                    let link = came_by.map(|by| records::arrive_by(tx, id, by, members)).transpose()?.flatten();
                    if let Some(gift) = gift_of.and_then(|buyer| gifts.get(&buyer)) {
                        records::redeem_gift(tx, id, gift)?;
                    }
                    members.push(SignedUp { id, link, checkout: None, cards: 0 });
                    continue;
                }
                let id = members[one.member].id;
                match one.step {
                    Step::Read { rank, by_plan, percent, stars } => {
                        records::read(tx, id, books, (rank, by_plan, percent, stars))?;
                    }
                    Step::InviteFriend => records::invite(tx, id, (one.member, person))?,
                    Step::JoinAffiliates => {
                        workflows::referral::referral_links::join_affiliates(tx, id)?;
                    }
                    Step::Ask(text) => records::ask(tx, (one.member, person), text)?,
                    Step::Refund => records::ask_for_refund(tx, one.member)?,
                    _ => {}
                }
            }
            Ok(())
        })
    }

    /// Carries out what calls the provider.
    async fn pay(&mut self, one: &PlannedStep) -> anyhow::Result<()> {
        self.clock.set(one.at);
        let id = self.members[one.member].id;
        match one.step {
            Step::Buy { what, with_coupon } => self.buy(one.member, what, with_coupon).await?,
            Step::Cancel(reason) => {
                let reason = support::CancelReason::read(Some(reason))?;
                self.flows.cancel_renewal(id, reason).await?;
            }
            Step::Pause => self.flows.pause_renewal(id, PAUSED_MONTHS).await?,
            Step::CardFails => {
                if let Some(checkout) = &self.members[one.member].checkout {
                    self.sandbox.decline_renewals(checkout)?;
                }
            }
            Step::ChangeCard => {
                let card = self.next_card(one.member)?;
                self.flows.change_method(id, card).await?;
            }
            Step::Refund => {
                let charge = self.last_charge(id)?;
                let grounds = RefundGrounds { reason: RefundReason::RequestedByCustomer, note: None };
                self.flows.refund_charge(Actor::Operator("seed"), &charge.key, (None, grounds), None).await?;
                self.stop(&charge.purchase).await?;
            }
            Step::Dispute => self.dispute(id, DisputeState::Open).await?,
            Step::DisputeDecided { won } => {
                self.dispute(id, if won { DisputeState::Won } else { DisputeState::Lost }).await?;
            }
            _ => {}
        }
        Ok(())
    }

    async fn buy(&mut self, member: usize, what: Purchase, with_coupon: bool) -> anyhow::Result<()> {
        let plan_id = match what {
            Purchase::Monthly => "monthly".to_owned(),
            Purchase::Yearly => "yearly".to_owned(),
            Purchase::Lifetime => "lifetime".to_owned(),
            Purchase::Gift => "gift".to_owned(),
            Purchase::Quiz => "quiz".to_owned(),
            Purchase::Book(rank) => match self.books.to_buy(rank) {
                Some(subid) => format!("book-{subid}"),
                None => return Ok(()),
            },
        };
        let person = &self.plan.members[member];
        let gift = match what {
            Purchase::Gift => GiftDetails { sender_name: person.first_name.to_owned(), ..GiftDetails::default() },
            _ => GiftDetails::default(),
        };
        let card = self.next_card(member)?;
        let coupon = with_coupon.then(|| records::COUPON.to_owned());
        let request = PurchaseRequest {
            key: CheckoutKey::generate(&*self.clock),
            price: PriceRequest { plan_id, coupon, ..PriceRequest::default() },
            member: Some(self.members[member].id),
            gift,
            referral: self.members[member].link.clone(),
            pay_by: PayBy::Card(Some(card)),
            shown: None,
        };
        let bought = self.flows.purchase(request).await?;
        if what == Purchase::Gift {
            self.gifts.insert(member, bought.checkout.purchase());
        }
        self.members[member].checkout = Some(bought.checkout.reference);
        Ok(())
    }

    /// A card of the member's own: a trial is given to a card once.
    fn next_card(&mut self, member: usize) -> anyhow::Result<PaymentToken> {
        let person = &mut self.members[member];
        let number = member as u64 * 10 + person.cards;
        person.cards += 1;
        let token = (0..10).find_map(|digit| token_of_number(&format!("4242{number:011}{digit}")));
        token.map(PaymentToken::new).context("one of ten digits is the check digit")
    }

    fn last_charge(&self, member: UserId) -> anyhow::Result<Movement> {
        let movements = self.flows.transactions.write_now::<_, StoreError>(|tx| tx.pg.movements_of(member))?;
        let is_charge = |one: &Movement| one.kind == MovementKind::Charged && one.amount.cents() > 0;
        movements.into_iter().rev().find(is_charge).with_context(|| format!("user {member} was charged"))
    }

    /// Opens or decides a dispute about the member's last charge.
    async fn dispute(&self, member: UserId, state: DisputeState) -> anyhow::Result<()> {
        let charge = self.last_charge(member)?;
        let (_, payment) = charged_payment(&charge.key).context("a charge has a payment")?;
        match state {
            DisputeState::Open => self.sandbox.open_dispute(&payment)?,
            DisputeState::Won => self.sandbox.close_dispute(&payment, true)?,
            DisputeState::Lost => self.sandbox.close_dispute(&payment, false)?,
        }
        let found = self.sandbox.find_payment(&payment).await?.context("the sandbox has the payment")?;
        self.flows.transactions.write_now(|tx| record_dispute(tx, GatewayProvider::Sandbox, &found, state))?;
        if state == DisputeState::Lost { self.stop(&charge.purchase).await } else { Ok(()) }
    }

    /// Ends a purchase's subscription at the provider, as the queued job does.
    async fn stop(&self, purchase: &PurchaseKey) -> anyhow::Result<()> {
        match StopRenewal(self.flows.clone()).run_long(purchase).await {
            jobs::Outcome::Done => Ok(()),
            other => Err(anyhow!("{purchase} was not stopped: {other:?}")),
        }
    }
}
