//! Referral links, their rewards, and payouts.

use std::collections::BTreeMap;

use ::referral::{Link, LinkId, Person, Reward};
use chrono::{DateTime, Utc};
use diesel::{ExpressionMethods, OptionalExtension, QueryDsl, RunQueryDsl, insert_into, update};
use kernel::{Limit, Money, StoreError, Timestamp, UserId};

use crate::{
    Pg,
    schema::{referral_links, referral_payouts, referral_rewards, referred_members},
    time::{from_db, to_db},
};

type LinkRow = (String, i64, String, i64);

const LINK: (referral_links::id, referral_links::user_id, referral_links::kind, referral_links::clicks) =
    (referral_links::id, referral_links::user_id, referral_links::kind, referral_links::clicks);

fn link_from((id, owner, kind, clicks): LinkRow) -> Result<Link, StoreError> {
    Ok(Link {
        id: LinkId::parse(&id).map_err(StoreError::new)?,
        owner: UserId::from_store(owner),
        kind: kind.parse().map_err(StoreError::new)?,
        clicks: u64::try_from(clicks).map_err(StoreError::new)?,
    })
}

type RewardRow = (String, i64, String, i64, DateTime<Utc>, bool);

const REWARD: (
    referral_rewards::purchase,
    referral_rewards::user_id,
    referral_rewards::kind,
    referral_rewards::amount_cents,
    referral_rewards::earned_at,
    referral_rewards::is_denied,
) = (
    referral_rewards::purchase,
    referral_rewards::user_id,
    referral_rewards::kind,
    referral_rewards::amount_cents,
    referral_rewards::earned_at,
    referral_rewards::is_denied,
);

fn reward_from((purchase, owner, kind, cents, at, is_denied): RewardRow) -> Result<Reward, StoreError> {
    Ok(Reward {
        purchase,
        owner: UserId::from_store(owner),
        kind: kind.parse().map_err(StoreError::new)?,
        amount: Money::from_cents(cents),
        earned_at: from_db(at),
        is_denied,
    })
}

pub(super) fn find_link<A>(pg: &mut Pg<'_, A>, id: &LinkId) -> Result<Option<Link>, StoreError> {
    let row: Option<LinkRow> =
        pg.run(|conn| referral_links::table.find(id.as_str()).select(LINK).first(conn).optional())?;
    row.map(link_from).transpose()
}

pub(super) fn link_that_brought<A>(pg: &mut Pg<'_, A>, member: UserId) -> Result<Option<LinkId>, StoreError> {
    let found: Option<String> = pg
        .run(|conn| referred_members::table.find(member.get()).select(referred_members::link).first(conn).optional())?;
    found.map(|id| LinkId::parse(&id).map_err(StoreError::new)).transpose()
}

pub(super) fn insert_link_that_brought(
    pg: &mut Pg<'_>,
    member: UserId,
    link: &LinkId,
    at: Timestamp,
) -> Result<(), StoreError> {
    let row = (
        referred_members::user_id.eq(member.get()),
        referred_members::link.eq(link.as_str()),
        referred_members::noted_at.eq(to_db(at)),
    );
    pg.run(|conn| insert_into(referred_members::table).values(row).on_conflict_do_nothing().execute(conn).map(|_| ()))
}

pub(super) fn links_of<A>(pg: &mut Pg<'_, A>, owner: UserId) -> Result<Vec<Link>, StoreError> {
    let query = referral_links::table.filter(referral_links::user_id.eq(owner.get())).select(LINK);
    let rows: Vec<LinkRow> = pg.run(|conn| query.load(conn))?;
    let mut links = rows.into_iter().map(link_from).collect::<Result<Vec<Link>, StoreError>>()?;
    links.sort_by_key(|link| link.kind);
    Ok(links)
}

pub(super) fn insert_link(pg: &mut Pg<'_>, link: &Link, at: Timestamp) -> Result<bool, StoreError> {
    let row = (
        referral_links::id.eq(link.id.as_str()),
        referral_links::user_id.eq(link.owner.get()),
        referral_links::kind.eq(link.kind.as_str()),
        referral_links::created_at.eq(to_db(at)),
    );
    let written =
        pg.run(|conn| insert_into(referral_links::table).values(row).on_conflict_do_nothing().execute(conn))?;
    Ok(written > 0)
}

pub(super) fn count_click(pg: &mut Pg<'_>, link: &LinkId) -> Result<bool, StoreError> {
    let one = referral_links::table.find(link.as_str());
    let counted = referral_links::clicks.eq(referral_links::clicks + 1);
    Ok(pg.run(|conn| update(one).set(counted).execute(conn))? > 0)
}

/// Inserts a reward. The purchase is unique, and for friend rewards so are the buyer's account and mailbox: of two
/// concurrent rewards, the second waits and is not written.
pub(super) fn insert(pg: &mut Pg<'_>, reward: &Reward, buyer: &Person) -> Result<bool, StoreError> {
    let row = (
        referral_rewards::purchase.eq(&reward.purchase),
        referral_rewards::user_id.eq(reward.owner.get()),
        referral_rewards::kind.eq(reward.kind.as_str()),
        referral_rewards::buyer_id.eq(buyer.member.map(UserId::get)),
        referral_rewards::buyer_mailbox.eq(buyer.mailboxes.first()),
        referral_rewards::amount_cents.eq(reward.amount.cents()),
        referral_rewards::earned_at.eq(to_db(reward.earned_at)),
    );
    let written =
        pg.run(|conn| insert_into(referral_rewards::table).values(row).on_conflict_do_nothing().execute(conn))?;
    Ok(written > 0)
}

pub(super) fn of_owner<A>(pg: &mut Pg<'_, A>, owner: UserId) -> Result<Vec<Reward>, StoreError> {
    let query = referral_rewards::table
        .filter(referral_rewards::user_id.eq(owner.get()))
        .order((referral_rewards::earned_at, referral_rewards::purchase))
        .select(REWARD);
    let rows: Vec<RewardRow> = pg.run(|conn| query.load(conn))?;
    rows.into_iter().map(reward_from).collect()
}

/// In two statements, whatever the number of members.
pub(super) fn with_payouts<A>(
    pg: &mut Pg<'_, A>,
    owners: &[UserId],
) -> Result<BTreeMap<UserId, (Vec<Reward>, Money)>, StoreError> {
    let ids: Vec<i64> = owners.iter().map(|owner| owner.get()).collect();
    let rewards = referral_rewards::table
        .filter(referral_rewards::user_id.eq_any(&ids))
        .order((referral_rewards::earned_at, referral_rewards::purchase))
        .select(REWARD);
    let payouts = referral_payouts::table
        .filter(referral_payouts::user_id.eq_any(&ids))
        .select((referral_payouts::user_id, referral_payouts::amount_cents));
    let rewards: Vec<RewardRow> = pg.run(|conn| rewards.load(conn))?;
    let payouts: Vec<(i64, i64)> = pg.run(|conn| payouts.load(conn))?;
    let mut found: BTreeMap<UserId, (Vec<Reward>, Money)> = BTreeMap::new();
    for row in rewards {
        let reward = reward_from(row)?;
        found.entry(reward.owner).or_insert((Vec::new(), Money::from_cents(0))).0.push(reward);
    }
    for (owner, cents) in payouts {
        let (_, paid) = found.entry(UserId::from_store(owner)).or_insert((Vec::new(), Money::from_cents(0)));
        *paid = Money::from_cents(paid.cents() + cents);
    }
    Ok(found)
}

pub(super) fn lock(pg: &mut Pg<'_>, purchase: &str) -> Result<Option<Reward>, StoreError> {
    let row: Option<RewardRow> = pg
        .run(|conn| referral_rewards::table.find(purchase).select(REWARD).for_no_key_update().first(conn).optional())?;
    row.map(reward_from).transpose()
}

pub(super) fn update_judged(pg: &mut Pg<'_>, reward: &Reward) -> Result<(), StoreError> {
    let one = referral_rewards::table.find(&reward.purchase);
    let judged =
        (referral_rewards::amount_cents.eq(reward.amount.cents()), referral_rewards::is_denied.eq(reward.is_denied));
    pg.run(|conn| update(one).set(judged).execute(conn).map(|_| ()))
}

pub(super) fn earners_after<A>(
    pg: &mut Pg<'_, A>,
    after: Option<UserId>,
    limit: Limit,
) -> Result<Vec<UserId>, StoreError> {
    let query = referral_rewards::table
        .filter(referral_rewards::user_id.gt(after.map_or(0, UserId::get)))
        .order(referral_rewards::user_id)
        .select(referral_rewards::user_id)
        .distinct()
        .limit(i64::try_from(limit.get()).map_err(StoreError::new)?);
    let ids: Vec<i64> = pg.run(|conn| query.load(conn))?;
    Ok(ids.into_iter().map(UserId::from_store).collect())
}

pub(super) fn forget_buyer(pg: &mut Pg<'_>, member: UserId, mailbox: Option<&str>) -> Result<(), StoreError> {
    let nobody = (referral_rewards::buyer_id.eq(None::<i64>), referral_rewards::buyer_mailbox.eq(None::<&str>));
    pg.run(|conn| {
        update(referral_rewards::table.filter(referral_rewards::buyer_id.eq(member.get())))
            .set(nobody)
            .execute(conn)?;
        if let Some(mailbox) = mailbox {
            update(referral_rewards::table.filter(referral_rewards::buyer_mailbox.eq(mailbox)))
                .set(nobody)
                .execute(conn)?;
        }
        Ok(())
    })
}

pub(super) fn payouts_of<A>(pg: &mut Pg<'_, A>, owner: UserId) -> Result<Vec<(Timestamp, Money)>, StoreError> {
    let query = referral_payouts::table
        .filter(referral_payouts::user_id.eq(owner.get()))
        .order(referral_payouts::id)
        .select((referral_payouts::paid_at, referral_payouts::amount_cents));
    let rows: Vec<(DateTime<Utc>, i64)> = pg.run(|conn| query.load(conn))?;
    Ok(rows.into_iter().map(|(at, cents)| (from_db(at), Money::from_cents(cents))).collect())
}

pub(super) fn insert_payout(pg: &mut Pg<'_>, owner: UserId, amount: Money, at: Timestamp) -> Result<(), StoreError> {
    let row = (
        referral_payouts::user_id.eq(owner.get()),
        referral_payouts::amount_cents.eq(amount.cents()),
        referral_payouts::paid_at.eq(to_db(at)),
    );
    pg.run(|conn| insert_into(referral_payouts::table).values(row).execute(conn).map(|_| ()))
}
