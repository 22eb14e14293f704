//! Referral links of members and affiliates, and their earnings (`referral.reward-shares`, `referral.affiliate-program`).

use std::net::IpAddr;

use identity::{IdentityQueries, RateLimitBucket};
use kernel::{HOUR, StoreError, UserId, network_of};
use referral::{Earnings, Link, LinkId, LinkKind, Referral, ReferralCommands, ReferralError, ReferralQueries, Reward};

use crate::{rate_limits::count_attempt, tx::Tx};

/// A referral link with its earnings.
#[derive(Clone, Debug)]
pub struct LinkReport {
    /// `None` if the member has no link of this kind.
    pub link: Option<Link>,
    /// The link's URL.
    pub url: Option<String>,
    /// The earnings of links of this kind; but `payable` and `paid` are totals of all the member's links.
    pub earnings: Earnings,
}

/// The URL of a link.
pub fn link_url<A>(tx: &Tx<'_, '_, A>, id: &LinkId) -> String {
    tx.settings.link(&format!("/r/{id}"))
}

/// A member's link for friends, with its earnings. The first call creates the link.
pub fn friend_report(tx: &mut Tx<'_, '_>, member: UserId) -> Result<LinkReport, ReferralError> {
    let link = tx.pg.link_of(member, LinkKind::Friend, tx.env)?;
    Ok(report(tx, member, LinkKind::Friend, Some(link))?)
}

/// A member's affiliate link, if they have joined the program.
pub fn affiliate_report<A>(tx: &mut Tx<'_, '_, A>, member: UserId) -> Result<LinkReport, StoreError> {
    let link = tx.pg.links_of(member)?.into_iter().find(|link| link.kind == LinkKind::Affiliate);
    report(tx, member, LinkKind::Affiliate, link)
}

/// Makes a member an affiliate. Does nothing if they are one already.
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

/// How long after the sign-up a referral link can still be recorded, in milliseconds: signing up may take a mail and
/// another page.
const ARRIVAL: i64 = HOUR;

/// Records the referral link through which a new member came, by whatever way they signed up. Does nothing for members who
/// signed up more than an hour ago.
pub fn note_arrival(tx: &mut Tx<'_, '_>, member: UserId, link: &str) -> Result<(), StoreError> {
    let (now, Ok(link)) = (tx.now(), LinkId::parse(link)) else { return Ok(()) };
    match tx.pg.user(member)? {
        Some(user) if now.since(user.created_at) < ARRIVAL => tx.pg.note_arrival(member, &link, now),
        _ => Ok(()),
    }
}

/// Counts a click on a referral link. Unknown links, and clicks above the network's rate limit, are ignored.
pub fn count_click(tx: &mut Tx<'_, '_>, address: IpAddr, link: &LinkId) -> Result<(), StoreError> {
    if count_attempt(tx, RateLimitBucket::Event, &network_of(address)).is_ok() {
        tx.pg.count_click(link)?;
    }
    Ok(())
}
