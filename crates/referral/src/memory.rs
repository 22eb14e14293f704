//! A store in memory, for tests of rules and of what stands on them.

use std::collections::BTreeMap;

use kernel::{Email, StoreError, Timestamp, UserId};

use crate::{ReferralQueries, ReferralStore, SentInvitation, contract::World};

#[derive(Debug, Default)]
struct Member {
    first_friend: Option<Email>,
    invited: Vec<SentInvitation>,
}

/// Everything that is stored of invitations. One caller at a time has it, so its locks are free.
#[derive(Debug, Default)]
pub struct Memory(BTreeMap<UserId, Member>);

impl World for Memory {
    fn add_member(&mut self, _: &Email) -> UserId {
        let id = UserId::from_store(self.0.keys().last().map_or(1, |last| last.get() + 1));
        self.0.insert(id, Member::default());
        id
    }

    fn first_friend_of(&mut self, member: UserId) -> Option<Email> {
        self.0.get(&member).and_then(|member| member.first_friend.clone())
    }

    fn store(&mut self) -> &mut dyn ReferralStore {
        self
    }
}

impl ReferralQueries for Memory {
    fn invitations(&mut self, member: UserId) -> Result<Vec<SentInvitation>, StoreError> {
        Ok(self.0.get(&member).map(|member| member.invited.clone()).unwrap_or_default())
    }
}

impl ReferralStore for Memory {
    fn lock_inviter(&mut self, member: UserId) -> Result<bool, StoreError> {
        Ok(self.0.contains_key(&member))
    }

    fn find_invitation(&mut self, member: UserId, friend: &Email) -> Result<Option<Timestamp>, StoreError> {
        let invited = self.0.get(&member).and_then(|member| member.invited.iter().find(|one| one.friend == *friend));
        Ok(invited.map(|invited| invited.at))
    }

    fn latest_invitations(&mut self, member: UserId, most: usize) -> Result<Vec<Timestamp>, StoreError> {
        let mut times: Vec<Timestamp> =
            self.0.get(&member).into_iter().flat_map(|member| &member.invited).map(|invited| invited.at).collect();
        times.sort_unstable_by(|a, b| b.cmp(a));
        times.truncate(most);
        Ok(times)
    }

    fn insert_invitation(&mut self, member: UserId, friend: &Email, at: Timestamp) -> Result<(), StoreError> {
        if let Some(member) = self.0.get_mut(&member) {
            member.invited.push(SentInvitation { friend: friend.clone(), at });
        }
        Ok(())
    }

    fn note_first_friend(&mut self, member: UserId, friend: &Email) -> Result<(), StoreError> {
        if let Some(member) = self.0.get_mut(&member) {
            member.first_friend.get_or_insert_with(|| friend.clone());
        }
        Ok(())
    }

    fn rename_first_friends(&mut self, friend: &Email, to: &str) -> Result<(), StoreError> {
        for member in self.0.values_mut().filter(|member| member.first_friend.as_ref() == Some(friend)) {
            member.first_friend = Some(Email::parse(to).map_err(StoreError::new)?);
        }
        Ok(())
    }

    fn delete_invitations_to(&mut self, friend: &Email) -> Result<(), StoreError> {
        for member in self.0.values_mut() {
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
