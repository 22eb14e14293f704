//! Random histories of several people with several cards, through the sandbox: whatever is bought, claimed, confirmed, switched,
//! refunded, disputed, redeemed and given, nobody is rewarded for their own money, nobody owns the same thing by two charges that
//! were not given back, no credit outlives its payment, and ledger, provider and entitlements agree.

use crate::harness::{Person, TestApp};
use admin::{Actor, RefundGrounds, RefundReason};
use billing::{
    Billing, BillingQueries, CheckoutKey, ClaimToken, Code,
    gateway::{CheckoutReference, NextAction, PaymentId, PaymentToken},
};
use kernel::{DAY, Email, Money, StoreError, UserId};
use mail::Mail;
use proptest::{
    prelude::*,
    strategy::ValueTree,
    test_runner::{Config, TestRunner},
};
use referral::{LinkId, LinkKind, Referral, ReferralQueries};
use workflows::billing::{
    admin_money::{self, AdminMoneyError},
    checkout::{
        GiftDetails,
        claim::claim_purchase,
        price::PriceRequest,
        purchase::{PayBy, PurchaseRequest},
    },
    ledger_check::check_ledger,
};

/// How many histories, and of how many steps each.
const HISTORIES: usize = 10;
const STEPS: std::ops::Range<usize> = 12..28;
const PEOPLE: usize = 4;
const CARDS: [&str; 5] = [
    "pm_card_visa",
    "pm_card_mastercard",
    "pm_card_amex",
    "pm_card_discover",
    // Asks for authentication.
    "pm_card_authenticationRequired",
];
const PLANS: [&str; 7] = ["monthly", "yearly", "lifetime", "quiz", "gift", "infographics-20", "bulk"];

#[derive(Clone, Copy, Debug)]
enum Step {
    /// A member buys through the link of a member.
    Buy {
        who: usize,
        plan: usize,
        card: usize,
        link: usize,
    },
    /// A guest buys, with an address that no member has or with a member's.
    GuestBuy {
        address: usize,
        plan: usize,
        card: usize,
        link: usize,
    },
    Claim {
        who: usize,
        which: usize,
    },
    /// The payer of a checkout that waits authenticates, and comes back or not.
    Authenticate {
        which: usize,
        comes_back: bool,
    },
    Switch {
        who: usize,
        to_yearly: bool,
    },
    Refund {
        which: usize,
        part: bool,
    },
    Dispute {
        which: usize,
    },
    Decide {
        which: usize,
        won: bool,
    },
    Redeem {
        who: usize,
        which: usize,
    },
    Wait {
        days: i64,
    },
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let (who, which) = (0..PEOPLE, 0..64_usize);
    let (plan, card) = (0..PLANS.len(), 0..CARDS.len());
    let purchase = || (who.clone(), plan.clone(), card.clone(), 0..PEOPLE * 2);
    let step = prop_oneof![
        4 => purchase().prop_map(|(who, plan, card, link)| Step::Buy { who, plan, card, link }),
        3 => purchase().prop_map(|(address, plan, card, link)| Step::GuestBuy { address, plan, card, link }),
        3 => (who.clone(), which.clone()).prop_map(|(who, which)| Step::Claim { who, which }),
        2 => (which.clone(), any::<bool>()).prop_map(|(which, comes_back)| Step::Authenticate { which, comes_back }),
        2 => (who.clone(), any::<bool>()).prop_map(|(who, to_yearly)| Step::Switch { who, to_yearly }),
        2 => (which.clone(), any::<bool>()).prop_map(|(which, part)| Step::Refund { which, part }),
        1 => which.clone().prop_map(|which| Step::Dispute { which }),
        1 => (which.clone(), any::<bool>()).prop_map(|(which, won)| Step::Decide { which, won }),
        2 => (who.clone(), which.clone()).prop_map(|(who, which)| Step::Redeem { who, which }),
        3 => (1..40_i64).prop_map(|days| Step::Wait { days }),
    ];
    prop::collection::vec(step, STEPS)
}

/// A site, its people, and what they hold.
struct World {
    app: TestApp,
    people: Vec<UserId>,
    links: Vec<LinkId>,
    guests: Vec<ClaimToken>,
    waiting: Vec<(CheckoutReference, String, Option<UserId>)>,
    /// Every payment that was disputed, and those whose bank has not decided.
    disputed: Vec<PaymentId>,
    open: Vec<PaymentId>,
    codes: Vec<String>,
    count: usize,
}

fn nth<T: Clone>(all: &[T], which: usize) -> Option<T> {
    all.get(which % all.len().max(1)).cloned()
}

impl World {
    async fn start() -> Self {
        let app = TestApp::start().await;
        let (mut people, mut links) = (Vec::new(), Vec::new());
        for n in 0..PEOPLE {
            let person: Person = app.sign_up(&format!("p{n}@example.com")).await;
            let id = UserId::from_store(person.id());
            for kind in [LinkKind::Friend, LinkKind::Affiliate] {
                let made = app.app.db.write_now(|pg| pg.link_of(id, kind, &*app.env));
                links.push(made.expect("a link").id);
            }
            people.push(id);
        }
        let (guests, waiting, disputed, open) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { app, people, links, guests, waiting, disputed, open, codes: Vec::new(), count: 0 }
    }

    async fn buy(&mut self, member: Option<UserId>, email: &str, (plan, card, link): (usize, usize, usize)) {
        self.count += 1;
        let is_bulk = PLANS[plan] == "bulk";
        let price = PriceRequest {
            plan_id: PLANS[plan].to_owned(),
            quantity: is_bulk.then_some(20),
            email: Email::parse(email).ok(),
            ..PriceRequest::default()
        };
        let request = PurchaseRequest {
            key: CheckoutKey::parse(&format!("k{}", self.count)).expect("a key"),
            price,
            member,
            gift: GiftDetails::default(),
            referral: nth(&self.links, link),
            pay_by: PayBy::Card(Some(PaymentToken::new(CARDS[card]))),
            shown: None,
        };
        // What can't be bought is refused: that is tested elsewhere.
        let Ok(bought) = self.app.app.payments.purchase(request).await else { return };
        self.guests.extend(bought.charge_id);
        if let Some(NextAction::Authenticate { client_secret, .. }) = bought.action {
            self.waiting.push((bought.checkout.reference, client_secret, member));
        }
    }

    fn payments(&self) -> Vec<billing::gateway::Payment> {
        self.app.app.gateways.sandbox().expect("the sandbox").payments().expect("it answers")
    }

    async fn run(&mut self, step: Step) {
        let payments = self.app.app.payments.clone();
        match step {
            Step::Buy { who, plan, card, link } => {
                let member = self.people[who];
                self.buy(Some(member), &format!("p{who}@example.com"), (plan, card, link)).await;
            }
            Step::GuestBuy { address, plan, card, link } => {
                // Some type the address of a member.
                let name = if card % 2 == 0 { "guest" } else { "p" };
                self.buy(None, &format!("{name}{address}@example.com"), (plan, card, link)).await;
            }
            Step::Claim { who, which } => {
                let Some(token) = nth(&self.guests, which) else { return };
                let member = self.people[who];
                drop(payments.transactions.write(move |tx| claim_purchase(tx, member, &token)).await);
            }
            Step::Authenticate { which, comes_back } => {
                let Some((reference, secret, viewer)) = nth(&self.waiting, which) else { return };
                let sandbox = self.app.app.gateways.sandbox().expect("the sandbox");
                drop(sandbox.authenticate(&secret, true));
                if comes_back {
                    drop(payments.confirm(reference, viewer).await);
                }
            }
            Step::Switch { who, to_yearly } => {
                let (member, plan) = (self.people[who], if to_yearly { "yearly" } else { "monthly" });
                let Ok(offer) = payments.preview_switch(member, plan.to_owned()).await else { return };
                drop(payments.switch_plan(member, plan, &offer.token).await);
            }
            Step::Refund { which, part } => {
                let Some(payment) = nth(&self.payments(), which) else { return };
                if self.disputed.contains(&payment.id) {
                    return;
                }
                let amount = part.then(|| Money::from_cents(100));
                self.refund(&payment.id, amount).await;
            }
            Step::Dispute { which } => {
                let open =
                    |one: &billing::gateway::Payment| one.refunded.cents() == 0 && !self.disputed.contains(&one.id);
                let open: Vec<_> = self.payments().into_iter().filter(open).collect();
                let Some(payment) = nth(&open, which) else { return };
                self.app.app.gateways.sandbox().expect("the sandbox").open_dispute(&payment.id).expect("it is opened");
                self.disputed.push(payment.id.clone());
                self.open.push(payment.id);
            }
            Step::Decide { which, won } => {
                let Some(payment) = nth(&self.open, which) else { return };
                self.open.retain(|one| *one != payment);
                let sandbox = self.app.app.gateways.sandbox().expect("the sandbox");
                sandbox.close_dispute(&payment, won).expect("it is closed");
            }
            Step::Redeem { who, which } => {
                let mails = self.app.mails();
                self.codes = mails
                    .iter()
                    .flat_map(|(_, mail)| match mail {
                        Mail::Gift { code, .. } => vec![code.clone()],
                        Mail::Codes { codes, .. } => codes.clone(),
                        _ => Vec::new(),
                    })
                    .collect();
                let Some(code) = nth(&self.codes, which).and_then(|text| Code::parse(&text).ok()) else { return };
                let (member, now) = (self.people[who], kernel::Env::now(&*self.app.env));
                drop(self.app.app.db.write_now(|pg| pg.redeem_code(&code, member, now)));
            }
            Step::Wait { days } => {
                self.app.env.advance(days * DAY);
                self.work().await;
            }
        }
        self.app.env.advance(1_000);
    }

    async fn refund(&self, payment: &PaymentId, amount: Option<Money>) {
        let charge = format!("sandbox:{payment}:charged");
        let grounds = RefundGrounds { reason: RefundReason::Other, note: None };
        drop(self.app.app.payments.refund_charge(Actor::Operator("test"), &charge, (amount, grounds), None).await);
    }

    async fn work(&self) {
        for _ in 0..2 {
            self.app.queue_scheduled().await;
            self.app.work_off().await;
        }
    }

    /// Pays out what can be: what was not earned is reversed by it.
    async fn pay_out(&self, member: UserId) {
        for _ in 0..2 {
            let now = kernel::Env::now(&*self.app.env);
            let earned =
                self.app.app.db.write_now::<_, StoreError>(|pg| pg.earnings_of(member, now)).expect("it is read");
            let shown = (earned.payable, earned.paid);
            let paid = self
                .app
                .app
                .transactions
                .write_as::<_, AdminMoneyError, _>(Actor::Operator("test"), move |tx, trail| {
                    admin_money::pay_out(tx, trail, member, shown, None)
                });
            paid.await.expect("it is judged");
        }
    }

    async fn check(&self, steps: &[Step]) {
        // Everything that was left is decided, and every reward can be paid out.
        for days in [2, 40] {
            self.app.env.advance(days * DAY);
            self.work().await;
        }
        for member in &self.people {
            self.pay_out(*member).await;
        }
        let report = check_ledger(&self.app.app.payments).await.expect("the check runs");
        assert!(report.faults.is_empty(), "{:?} after {steps:?}", report.faults);
        let own = self.app.count(
            "referral_rewards r JOIN checkouts c ON c.reference = r.purchase JOIN payers p ON p.id = c.payer_id
             JOIN users o ON o.id = r.user_id
             WHERE r.amount_cents > 0 AND (p.user_id = o.id OR p.email = o.email OR EXISTS (
                 SELECT FROM payer_cards a JOIN payers x ON x.id = a.payer_id AND x.user_id = o.id
                 JOIN payer_cards b ON b.card = a.card
                 JOIN payers y ON y.id = b.payer_id AND (y.id = p.id OR y.user_id = p.user_id)))",
        );
        assert_eq!(own, 0, "a person is rewarded for their own money after {steps:?}");
        for member in &self.people {
            let movements =
                self.app.app.db.write_now::<_, StoreError>(|pg| pg.movements_of(*member)).expect("they are read");
            let once = |id: &str| {
                let of = movements.iter().filter(|one| one.kind == billing::MovementKind::Charged && one.plan_id == id);
                of.filter(|one| one.amount.cents() > 0 && one.net_of(&movements).cents() > 0).count()
            };
            for id in ["lifetime", "quiz", "infographics-20"] {
                assert!(once(id) <= 1, "{id} is owned twice after {steps:?}");
            }
        }
    }
}

#[actix_web::test]
async fn any_history_leaves_the_money_where_it_belongs() {
    let mut runner = TestRunner::new(Config::default());
    for _ in 0..HISTORIES {
        let steps = steps().new_tree(&mut runner).expect("a history").current();
        let mut world = World::start().await;
        for step in &steps {
            world.run(*step).await;
        }
        world.check(&steps).await;
    }
}
