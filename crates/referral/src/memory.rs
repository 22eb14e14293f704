//! An in-memory store for tests.

use std::collections::BTreeMap;

use kernel::{Email, Limit, Money, StoreError, Timestamp, UserId};

use crate::{
    Link, LinkId, LinkKind, Person, ReferralCommands, ReferralQueries, ReferralStore, Reward, SentInvitation,
    contract::World,
};

#[derive(Debug, Default)]
struct Member {
    first_friend: Option<Email>,
    invited: Vec<SentInvitation>,
}

/// The in-memory database. Only one caller uses it at a time, so its locks do nothing.
#[derive(Debug, Default)]
pub struct Memory {
    members: BTreeMap<UserId, Member>,
    links: Vec<Link>,
    /// Each reward with its buyer.
    rewards: Vec<(Reward, Person)>,
    payouts: Vec<(UserId, Timestamp, Money)>,
    came_by: BTreeMap<UserId, LinkId>,
}

impl World for Memory {
    fn add_member(&mut self, _: &Email) -> UserId {
        let id = UserId::from_store(self.members.keys().last().map_or(1, |last| last.get() + 1));
        self.members.insert(id, Member::default());
        id
    }

    fn first_friend_of(&mut self, member: UserId) -> Option<Email> {
        self.members.get(&member).and_then(|member| member.first_friend.clone())
    }

    fn store(&mut self) -> &mut dyn ReferralStore {
        self
    }
}

impl ReferralQueries for Memory {
    fn invitations(&mut self, member: UserId) -> Result<Vec<SentInvitation>, StoreError> {
        Ok(self.members.get(&member).map(|member| member.invited.clone()).unwrap_or_default())
    }

    fn find_link(&mut self, id: &LinkId) -> Result<Option<Link>, StoreError> {
        Ok(self.links.iter().find(|link| link.id == *id).cloned())
    }

    fn links_of(&mut self, owner: UserId) -> Result<Vec<Link>, StoreError> {
        let mut links: Vec<Link> = self.links.iter().filter(|link| link.owner == owner).cloned().collect();
        links.sort_by_key(|link| link.kind);
        Ok(links)
    }

    fn link_that_brought(&mut self, member: UserId) -> Result<Option<LinkId>, StoreError> {
        Ok(self.came_by.get(&member).cloned())
    }

    fn rewards_of(&mut self, owner: UserId) -> Result<Vec<Reward>, StoreError> {
        let theirs = self.rewards.iter().map(|(reward, _)| reward).filter(|reward| reward.owner == owner);
        let mut theirs: Vec<Reward> = theirs.cloned().collect();
        theirs.sort_by(|one, other| (one.earned_at, &one.purchase).cmp(&(other.earned_at, &other.purchase)));
        Ok(theirs)
    }

    fn payouts_of(&mut self, owner: UserId) -> Result<Vec<(Timestamp, Money)>, StoreError> {
        Ok(self.payouts.iter().filter(|(to, ..)| *to == owner).map(|(_, at, amount)| (*at, *amount)).collect())
    }

    fn rewards_and_payouts_of(
        &mut self,
        owners: &[UserId],
    ) -> Result<BTreeMap<UserId, (Vec<Reward>, Money)>, StoreError> {
        let mut found = BTreeMap::new();
        for owner in owners {
            let paid = self.payouts_of(*owner)?.iter().map(|(_, amount)| amount.cents()).sum();
            found.insert(*owner, (self.rewards_of(*owner)?, Money::from_cents(paid)));
        }
        Ok(found)
    }

    fn earners_after(&mut self, after: Option<UserId>, limit: Limit) -> Result<Vec<UserId>, StoreError> {
        let mut earners: Vec<UserId> = self.rewards.iter().map(|(reward, _)| reward.owner).collect();
        earners.retain(|one| after.is_none_or(|after| *one > after));
        earners.sort_unstable();
        earners.dedup();
        earners.truncate(limit.get());
        Ok(earners)
    }
}

impl ReferralCommands for Memory {
    fn count_click(&mut self, link: &LinkId) -> Result<bool, StoreError> {
        let found = self.links.iter_mut().find(|one| one.id == *link);
        Ok(found.map(|link| link.clicks += 1).is_some())
    }

    fn forget_buyer(&mut self, member: UserId, mailbox: Option<&str>) -> Result<(), StoreError> {
        for (_, buyer) in &mut self.rewards {
            if buyer.member == Some(member) || buyer.mailboxes.iter().any(|one| mailbox == Some(one)) {
                (buyer.member, buyer.mailboxes) = (None, Vec::new());
            }
        }
        Ok(())
    }
}

impl ReferralStore for Memory {
    fn insert_link(&mut self, link: &Link, _: Timestamp) -> Result<bool, StoreError> {
        let is_like_it = |one: &Link| one.id == link.id || one.owner == link.owner && one.kind == link.kind;
        let is_new = !self.links.iter().any(is_like_it);
        if is_new {
            self.links.push(link.clone());
        }
        Ok(is_new)
    }

    fn insert_link_that_brought(&mut self, member: UserId, link: &LinkId, _: Timestamp) -> Result<(), StoreError> {
        self.came_by.entry(member).or_insert_with(|| link.clone());
        Ok(())
    }

    fn insert_reward(&mut self, reward: &Reward, buyer: &Person) -> Result<bool, StoreError> {
        let is_known = |(one, by): &(Reward, Person)| {
            let is_same_buyer = by.member.is_some() && by.member == buyer.member
                || by.mailboxes.iter().any(|mailbox| buyer.mailboxes.contains(mailbox));
            let are_for_friends = one.kind == LinkKind::Friend && reward.kind == LinkKind::Friend;
            one.purchase == reward.purchase || are_for_friends && is_same_buyer
        };
        let is_new = !self.rewards.iter().any(is_known);
        if is_new {
            self.rewards.push((reward.clone(), buyer.clone()));
        }
        Ok(is_new)
    }

    fn lock_reward(&mut self, purchase: &str) -> Result<Option<Reward>, StoreError> {
        Ok(self.rewards.iter().map(|(reward, _)| reward).find(|reward| reward.purchase == purchase).cloned())
    }

    fn update_reward(&mut self, judged: &Reward) -> Result<(), StoreError> {
        for (reward, _) in self.rewards.iter_mut().filter(|(reward, _)| reward.purchase == judged.purchase) {
            (reward.amount, reward.is_denied) = (judged.amount, judged.is_denied);
        }
        Ok(())
    }

    fn insert_payout(&mut self, owner: UserId, amount: Money, at: Timestamp) -> Result<(), StoreError> {
        self.payouts.push((owner, at, amount));
        Ok(())
    }

    fn lock_inviter(&mut self, member: UserId) -> Result<bool, StoreError> {
        Ok(self.members.contains_key(&member))
    }

    fn find_invitation(&mut self, member: UserId, friend: &Email) -> Result<Option<Timestamp>, StoreError> {
        let invited =
            self.members.get(&member).and_then(|member| member.invited.iter().find(|one| one.friend == *friend));
        Ok(invited.map(|invited| invited.at))
    }

    fn latest_invitations(&mut self, member: UserId, most: usize) -> Result<Vec<Timestamp>, StoreError> {
        let mut times: Vec<Timestamp> = self
            .members
            .get(&member)
            .into_iter()
            .flat_map(|member| &member.invited)
            .map(|invited| invited.at)
            .collect();
        times.sort_unstable_by(|a, b| b.cmp(a));
        times.truncate(most);
        Ok(times)
    }

    fn insert_invitation(&mut self, member: UserId, friend: &Email, at: Timestamp) -> Result<(), StoreError> {
        if let Some(member) = self.members.get_mut(&member) {
            member.invited.push(SentInvitation { friend: friend.clone(), at });
        }
        Ok(())
    }

    fn note_first_friend(&mut self, member: UserId, friend: &Email) -> Result<(), StoreError> {
        if let Some(member) = self.members.get_mut(&member) {
            member.first_friend.get_or_insert_with(|| friend.clone());
        }
        Ok(())
    }

    fn rename_first_friends(&mut self, friend: &Email, to: &str) -> Result<(), StoreError> {
        for member in self.members.values_mut().filter(|member| member.first_friend.as_ref() == Some(friend)) {
            member.first_friend = Some(Email::parse(to).map_err(StoreError::new)?);
        }
        Ok(())
    }

    fn delete_invitations_to(&mut self, friend: &Email) -> Result<(), StoreError> {
        for member in self.members.values_mut() {
            member.invited.retain(|invited| invited.friend != *friend);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Memory;
    use crate::contract;

    #[test]
    fn memory_keeps_the_contract() {
        contract::run(|case| case(&mut Memory::default()));
    }
}
