//! Links of members and affiliates, and what they have earned (`referral.reward-shares`, `referral.affiliate-program`).

use std::net::IpAddr;

use identity::{IdentityQueries, RateLimitBucket};
use kernel::{HOUR, StoreError, UserId, network_of};
use referral::{Earnings, Link, LinkId, LinkKind, Referral, ReferralCommands, ReferralError, ReferralQueries, Reward};

use crate::{rate_limits::count_attempt, tx::Tx};

/// A link with what it brought.
#[derive(Clone, Debug)]
pub struct LinkReport {
    /// The link; `None`: the member has none of this kind.
    pub link: Option<Link>,
    /// Its address.
    pub url: Option<String>,
    /// What links of this kind earned. What is payable and paid is that of all links together.
    pub earnings: Earnings,
}

/// The address of a link.
pub fn link_url<A>(tx: &Tx<'_, '_, A>, id: &LinkId) -> String {
    tx.settings.link(&format!("/r/{id}"))
}

/// A member's link for friends, which is made when there is none, with what it brought.
pub fn friend_report(tx: &mut Tx<'_, '_>, member: UserId) -> Result<LinkReport, ReferralError> {
    let link = tx.pg.link_of(member, LinkKind::Friend, tx.env)?;
    Ok(report(tx, member, LinkKind::Friend, Some(link))?)
}

/// A member's link as an affiliate, if they have joined.
pub fn affiliate_report<A>(tx: &mut Tx<'_, '_, A>, member: UserId) -> Result<LinkReport, StoreError> {
    let link = tx.pg.links_of(member)?.into_iter().find(|link| link.kind == LinkKind::Affiliate);
    report(tx, member, LinkKind::Affiliate, link)
}

/// Makes a member an affiliate. Who is one stays so.
pub fn join_affiliates(tx: &mut Tx<'_, '_>, member: UserId) -> Result<LinkReport, ReferralError> {
    let link = tx.pg.link_of(member, LinkKind::Affiliate, tx.env)?;
    Ok(report(tx, member, LinkKind::Affiliate, Some(link))?)
}

fn report<A>(
    tx: &mut Tx<'_, '_, A>,
    member: UserId,
    kind: LinkKind,
    link: Option<Link>,
) -> Result<LinkReport, StoreError> {
    let now = tx.now();
    let all = tx.pg.earnings_of(member, now)?;
    let rewards: Vec<Reward> = tx.pg.rewards_of(member)?.into_iter().filter(|one| one.kind == kind).collect();
    let earnings = Earnings { payable: all.payable, paid: all.paid, ..Earnings::of(&rewards, all.paid, now) };
    let url = link.as_ref().map(|link| link_url(tx, &link.id));
    Ok(LinkReport { link, url, earnings })
}

/// For how long after the sign-up the link counts through which a member came: the way to join may take a mail and another page.
const ARRIVAL: i64 = HOUR;

/// Notes the link through which a member came who has just signed up, by whichever way. For one who was there before it does
/// nothing.
pub fn note_arrival(tx: &mut Tx<'_, '_>, member: UserId, link: &str) -> Result<(), StoreError> {
    let (now, Ok(link)) = (tx.now(), LinkId::parse(link)) else { return Ok(()) };
    match tx.pg.user(member)? {
        Some(user) if now.since(user.created_at) < ARRIVAL => tx.pg.note_arrival(member, &link, now),
        _ => Ok(()),
    }
}

/// Counts that a link was followed. One that does not exist, and more from one network than people make, count nothing.
pub fn count_click(tx: &mut Tx<'_, '_>, address: IpAddr, link: &LinkId) -> Result<(), StoreError> {
    if count_attempt(tx, RateLimitBucket::Event, &network_of(address)).is_ok() {
        tx.pg.count_click(link)?;
    }
    Ok(())
}
