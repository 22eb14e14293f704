//! Invitations, referral links and rewards, in Postgres.

mod rewards;

use std::collections::BTreeMap;

use ::referral::{Link, LinkId, Person, ReferralCommands, ReferralQueries, ReferralStore, Reward, SentInvitation};
use chrono::{DateTime, Utc};
use diesel::{
    ExpressionMethods, NullableExpressionMethods, OptionalExtension, QueryDsl, RunQueryDsl, delete, insert_into, update,
};
use kernel::{Email, Limit, Money, StoreError, Timestamp, UserId};

use crate::{
    Change, Pg,
    schema::{invitations, users},
    time::{from_db, to_db},
};

impl<A> ReferralQueries for Pg<'_, A> {
    fn invitations(&mut self, member: UserId) -> Result<Vec<SentInvitation>, StoreError> {
        let rows: Vec<(String, DateTime<Utc>)> = self.run(|conn| {
            invitations::table
                .filter(invitations::user_id.eq(member.get()))
                .order((invitations::invited_at, invitations::friend_key))
                .select((invitations::friend_email, invitations::invited_at))
                .load(conn)
        })?;
        rows.into_iter()
            .map(|(friend, at)| {
                Ok(SentInvitation { friend: Email::parse(&friend).map_err(StoreError::new)?, at: from_db(at) })
            })
            .collect()
    }

    fn find_link(&mut self, id: &LinkId) -> Result<Option<Link>, StoreError> {
        rewards::find_link(self, id)
    }

    fn links_of(&mut self, owner: UserId) -> Result<Vec<Link>, StoreError> {
        rewards::links_of(self, owner)
    }

    fn link_that_brought(&mut self, member: UserId) -> Result<Option<LinkId>, StoreError> {
        rewards::link_that_brought(self, member)
    }

    fn rewards_of(&mut self, owner: UserId) -> Result<Vec<Reward>, StoreError> {
        rewards::of_owner(self, owner)
    }

    fn payouts_of(&mut self, owner: UserId) -> Result<Vec<(Timestamp, Money)>, StoreError> {
        rewards::payouts_of(self, owner)
    }

    fn rewards_and_payouts_of(
        &mut self,
        owners: &[UserId],
    ) -> Result<BTreeMap<UserId, (Vec<Reward>, Money)>, StoreError> {
        rewards::with_payouts(self, owners)
    }

    fn earners_after(&mut self, after: Option<UserId>, limit: Limit) -> Result<Vec<UserId>, StoreError> {
        rewards::earners_after(self, after, limit)
    }
}

impl ReferralCommands for Pg<'_> {
    fn count_click(&mut self, link: &LinkId) -> Result<bool, StoreError> {
        rewards::count_click(self, link)
    }

    fn forget_buyer(&mut self, member: UserId, mailbox: Option<&str>) -> Result<(), StoreError> {
        rewards::forget_buyer(self, member, mailbox)
    }
}

impl ReferralStore for Pg<'_> {
    fn insert_link(&mut self, link: &Link, at: Timestamp) -> Result<bool, StoreError> {
        rewards::insert_link(self, link, at)
    }

    fn insert_link_that_brought(&mut self, member: UserId, link: &LinkId, at: Timestamp) -> Result<(), StoreError> {
        rewards::insert_link_that_brought(self, member, link, at)
    }

    fn insert_reward(&mut self, reward: &Reward, buyer: &Person) -> Result<bool, StoreError> {
        rewards::insert(self, reward, buyer)
    }

    fn lock_reward(&mut self, purchase: &str) -> Result<Option<Reward>, StoreError> {
        rewards::lock(self, purchase)
    }

    fn update_reward(&mut self, reward: &Reward) -> Result<(), StoreError> {
        rewards::update_judged(self, reward)
    }

    fn insert_payout(&mut self, owner: UserId, amount: Money, at: Timestamp) -> Result<(), StoreError> {
        rewards::insert_payout(self, owner, amount, at)
    }

    fn lock_inviter(&mut self, member: UserId) -> Result<bool, StoreError> {
        // A lock that leaves the key alone: rows that refer to the member can be inserted meanwhile.
        let found: Option<i64> = self
            .run(|conn| users::table.find(member.get()).select(users::id).for_no_key_update().first(conn).optional())?;
        Ok(found.is_some())
    }

    fn find_invitation(&mut self, member: UserId, friend: &Email) -> Result<Option<Timestamp>, StoreError> {
        let found: Option<DateTime<Utc>> = self.run(|conn| {
            invitations::table.find((member.get(), friend.key())).select(invitations::invited_at).first(conn).optional()
        })?;
        Ok(found.map(from_db))
    }

    fn latest_invitations(&mut self, member: UserId, most: usize) -> Result<Vec<Timestamp>, StoreError> {
        let most = i64::try_from(most).map_err(StoreError::new)?;
        let times: Vec<DateTime<Utc>> = self.run(|conn| {
            invitations::table
                .filter(invitations::user_id.eq(member.get()))
                .order(invitations::invited_at.desc())
                .limit(most)
                .select(invitations::invited_at)
                .load(conn)
        })?;
        Ok(times.into_iter().map(from_db).collect())
    }

    fn insert_invitation(&mut self, member: UserId, friend: &Email, at: Timestamp) -> Result<(), StoreError> {
        let row = (
            invitations::user_id.eq(member.get()),
            invitations::friend_key.eq(friend.key()),
            invitations::friend_email.eq(friend.as_str()),
            invitations::invited_at.eq(to_db(at)),
        );
        self.run(|conn| insert_into(invitations::table).values(row).execute(conn).map(|_| ()))
    }

    fn note_first_friend(&mut self, member: UserId, friend: &Email) -> Result<(), StoreError> {
        self.record_change(Change::User(member));
        self.run(|conn| {
            update(users::table.find(member.get()).filter(users::friend_email.is_null()))
                .set(users::friend_email.eq(friend.as_str()))
                .execute(conn)
                .map(|_| ())
        })
    }

    fn rename_first_friends(&mut self, friend: &Email, to: &str) -> Result<(), StoreError> {
        // The member's row stores the first friend's address exactly as the invitation does.
        let inviters: Vec<i64> = self.run(|conn| {
            invitations::table
                .inner_join(users::table)
                .filter(invitations::friend_key.eq(friend.key()))
                .filter(users::friend_email.eq(invitations::friend_email.nullable()))
                .order(users::id)
                .select(users::id)
                .load(conn)
        })?;
        for id in inviters {
            self.record_change(Change::User(UserId::from_store(id)));
            self.run(|conn| update(users::table.find(id)).set(users::friend_email.eq(to)).execute(conn))?;
        }
        Ok(())
    }

    fn delete_invitations_to(&mut self, friend: &Email) -> Result<(), StoreError> {
        self.run(|conn| {
            delete(invitations::table.filter(invitations::friend_key.eq(friend.key()))).execute(conn).map(|_| ())
        })
    }
}
