//! The reward that a purchase earns the owner of a link (`referral.own-purchase`): this module gathers the facts, `referral`
//! judges them, and the ledger records changes. A reward is judged again whenever its facts may have changed: after a charge, a
//! refund or a dispute, when a guest's purchase is claimed, and before a payout.

use billing::{
    Billing, BillingCommands, BillingError, BillingQueries, Checkout, Movement, Plan, PlanKind, PurchaseKey,
    charged_purchases, first_charge_of,
    gateway::{CardFingerprint, CheckoutReference},
    reward_change,
};
use identity::IdentityQueries;
use kernel::{PayerId, StoreError, UserId};
use referral::{LinkId, Person, Referral, ReferralQueries, ReferredPurchase, RewardChange};

use crate::tx::Tx;

/// Locks everyone whose ledger a purchase may write: the payer, and the owner of the link through which the buyer came. Two
/// people who buy through each other's links at the same time write to each other's.
pub(super) fn lock_parties(tx: &mut Tx<'_, '_>, payer: PayerId, purchase: &PurchaseKey) -> Result<(), StoreError> {
    let mut payers = vec![payer];
    payers.extend(payer_of_owner(tx, purchase)?);
    tx.pg.lock_payers(&payers)
}

/// Locks everyone whose ledger a claim may write: the member, the payer, and the owners of the links through which either has
/// bought.
pub(super) fn lock_parties_of_claim(tx: &mut Tx<'_, '_>, payer: PayerId, member: UserId) -> Result<(), StoreError> {
    let now = tx.now();
    let mut payers = vec![payer, tx.pg.payer_of_member(member, now)?];
    let mut movements = tx.pg.movements_of_payer(payer)?;
    movements.extend(tx.pg.movements_of(member)?);
    for purchase in charged_purchases(&movements) {
        payers.extend(payer_of_owner(tx, &purchase)?);
    }
    tx.pg.lock_payers(&payers)
}

fn payer_of_owner(tx: &mut Tx<'_, '_>, purchase: &PurchaseKey) -> Result<Option<PayerId>, StoreError> {
    let now = tx.now();
    let Some(link) = checkout_of(tx, purchase)?.and_then(|checkout| link_of(&checkout)) else { return Ok(None) };
    match tx.pg.find_link(&link)? {
        Some(link) => tx.pg.payer_of_member(link.owner, now).map(Some),
        None => Ok(None),
    }
}

fn checkout_of(tx: &mut Tx<'_, '_>, purchase: &PurchaseKey) -> Result<Option<Checkout>, StoreError> {
    tx.pg.find_checkout(&CheckoutReference::new(purchase.as_str()))
}

fn link_of(checkout: &Checkout) -> Option<LinkId> {
    LinkId::parse(checkout.order.referral.as_deref()?).ok()
}

fn texts(cards: Vec<CardFingerprint>) -> Vec<String> {
    cards.into_iter().map(|card| card.as_str().to_owned()).collect()
}

/// A member, with the account's address and every card that they have paid with.
fn member(tx: &mut Tx<'_, '_>, id: UserId) -> Result<Option<Person>, StoreError> {
    let Some(user) = tx.pg.user(id)? else { return Ok(None) };
    Ok(Some(Person::new(Some(id), &user.email, texts(tx.pg.cards_of(id)?))))
}

/// The buyer: the member who owns the payer by now, or the guest. A member's addresses include those typed as a guest.
fn buyer(tx: &mut Tx<'_, '_>, payer: PayerId) -> Result<Person, StoreError> {
    let id = tx.pg.member_of_payer(payer)?;
    let user = match id {
        Some(id) => tx.pg.user(id)?,
        None => None,
    };
    let cards = match id {
        Some(id) => tx.pg.cards_of(id)?,
        None => tx.pg.cards_of_payer(payer)?,
    };
    let typed = tx.pg.guest_email_of(payer)?;
    let emails = user.iter().map(|user| &user.email).chain(&typed);
    Ok(Person::with_addresses(id, emails, texts(cards)))
}

/// What is known of a purchase now; `None` if nothing was charged for it.
fn referred_purchase(tx: &mut Tx<'_, '_>, checkout: &Checkout) -> Result<Option<ReferredPurchase>, StoreError> {
    let (payer, purchase) = (checkout.order.payer, checkout.purchase());
    let Some(first) = first_charge_of(&purchase, &tx.pg.movements_of_owner(payer)?) else { return Ok(None) };
    let plans: Vec<Plan> = tx.pg.plans()?;
    Ok(Some(ReferredPurchase {
        purchase: purchase.as_str().to_owned(),
        buyer: buyer(tx, payer)?,
        net: first.net,
        is_first_payment: first.is_first_payment,
        is_premium: PlanKind::of_plan(&plans, &checkout.order.plan_id) != PlanKind::Once,
        at: first.at,
    }))
}

/// Rewards the owner of the link through which the buyer came, after the first charge of a purchase.
pub(super) fn reward(tx: &mut Tx<'_, '_>, checkout: &Checkout, charge: &Movement) -> Result<(), BillingError> {
    let Some(link) = link_of(checkout) else { return Ok(()) };
    let Some(stored) = tx.pg.find_link(&link)? else { return Ok(()) };
    let Some(owner) = member(tx, stored.owner)? else { return Ok(()) };
    let facts = referred_purchase(tx, checkout)?.filter(|one| !one.buyer.mailboxes.is_empty());
    let Some(facts) = facts else { return Ok(()) };
    match tx.pg.reward_purchase(&link, &owner, &facts)? {
        Some(earned) => record_change(tx, &charge.purchase, &charge.key, earned),
        None => Ok(()),
    }
}

/// Judges a purchase's reward by the current facts. `cause` is the key of the movement that changed them, or another reason; it
/// is part of the key of the resulting movement.
pub(super) fn judge(tx: &mut Tx<'_, '_>, purchase: &PurchaseKey, cause: &str) -> Result<(), BillingError> {
    let Some(checkout) = checkout_of(tx, purchase)? else { return Ok(()) };
    let Some(link) = link_of(&checkout) else { return Ok(()) };
    let Some(facts) = referred_purchase(tx, &checkout)? else { return Ok(()) };
    let owner = match tx.pg.find_link(&link)? {
        Some(link) => member(tx, link.owner)?,
        None => None,
    };
    let owner = owner.unwrap_or(Person { member: None, mailboxes: Vec::new(), cards: Vec::new() });
    match tx.pg.judge_reward(&owner, &facts)? {
        Some(change) => record_change(tx, purchase, cause, change),
        None => Ok(()),
    }
}

/// Judges the rewards that a member's purchases earned others, after the member has claimed a payer with its address and cards.
/// The rewards that the member earned by others' purchases are judged before their payout.
pub(super) fn judge_purchases_of(tx: &mut Tx<'_, '_>, member: UserId) -> Result<(), BillingError> {
    let movements = tx.pg.movements_of(member)?;
    for purchase in charged_purchases(&movements) {
        judge(tx, &purchase, &format!("{purchase}:denied"))?;
    }
    Ok(())
}

/// Judges the rewards that would be paid out to a member now and were not judged at the previous payout.
pub(crate) fn judge_before_payout(tx: &mut Tx<'_, '_>, owner: UserId) -> Result<(), BillingError> {
    let now = tx.now();
    let payer = tx.pg.payer_of_member(owner, now)?;
    tx.pg.lock_payers(&[payer])?;
    let paid_out_at = tx.pg.payouts_of(owner)?.last().map(|(at, _)| *at);
    for reward in tx.pg.rewards_of(owner)?.into_iter().filter(|one| one.is_judged_before_payout(paid_out_at, now)) {
        let purchase = PurchaseKey::new(reward.purchase);
        judge(tx, &purchase, &format!("{purchase}:denied"))?;
    }
    Ok(())
}

/// Records a reward's change in the ledger.
fn record_change(
    tx: &mut Tx<'_, '_>,
    purchase: &PurchaseKey,
    cause: &str,
    change: RewardChange,
) -> Result<(), BillingError> {
    let now = tx.now();
    let payer = tx.pg.payer_of_member(change.owner, now)?;
    let movement = reward_change(purchase, cause, (change.before, change.after), now);
    tx.pg.record_movement(payer, &movement)?;
    Ok(())
}
