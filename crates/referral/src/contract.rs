//! What every store of invitations does, with the rules of [`Referral`] over it: one suite for memory and Postgres.

use kernel::{DAY, Email, HOUR, MINUTE, Timestamp, UserId};

use crate::{
    FORMER_FRIEND, INVITATIONS_A_DAY, Invitation, InvitationForm, Inviter, Referral, ReferralError, ReferralStore,
};

/// A store, and the members around it, whom another domain owns.
pub trait World {
    /// Adds a member.
    fn add_member(&mut self, email: &Email) -> UserId;
    /// The friend that is noted on a member.
    fn first_friend_of(&mut self, member: UserId) -> Option<Email>;
    /// The store.
    fn store(&mut self) -> &mut dyn ReferralStore;
}

/// One case of the suite, run on an empty store.
pub type Case = fn(&mut dyn World);

/// Runs all cases; `on_empty_store` gives each one a store of its own.
pub fn run(mut on_empty_store: impl FnMut(Case)) {
    for case in CASES {
        on_empty_store(*case);
    }
}

/// A case that is not listed here is dead code, which the compiler tells.
const CASES: &[Case] = &[
    an_address_is_invited_once,
    the_first_friend_to_whom_an_invitation_was_sent_stays,
    an_invitation_to_a_friend_who_has_left_counts_without_the_name,
    members_do_not_see_each_other,
    twenty_a_day_and_no_more,
    who_is_not_confirmed_invites_nobody,
    nobody_invites_themselves,
    who_is_gone_invites_nobody,
    a_friend_who_leaves_is_nobodys_friend,
];

const NOW: Timestamp = Timestamp::from_millis(1_795_226_400_000);

fn email(text: &str) -> Email {
    Email::parse(text).unwrap()
}

fn member(world: &mut dyn World, address: &str) -> Inviter {
    let email = email(address);
    Inviter { id: world.add_member(&email), email, is_confirmed: true }
}

fn to(address: &str) -> Invitation {
    let form = InvitationForm { your_name: "Ada", friend_name: "Grace", friend_email: address };
    Invitation::read(form).unwrap()
}

fn invite(world: &mut dyn World, inviter: &Inviter, address: &str, now: Timestamp) -> Result<bool, ReferralError> {
    world.store().invite(inviter, &to(address), now)
}

fn an_address_is_invited_once(world: &mut dyn World) {
    let ada = member(world, "ada@example.com");
    assert!(world.store().invitations(ada.id).unwrap().is_empty());
    assert!(invite(world, &ada, "Grace@example.com", NOW).unwrap());
    for again in ["Grace@example.com", "GRACE@EXAMPLE.COM"] {
        assert!(!invite(world, &ada, again, NOW.plus(365 * DAY)).unwrap());
    }
    assert!(invite(world, &ada, "joan@example.com", NOW.plus(MINUTE)).unwrap());
    let invited = world.store().invitations(ada.id).unwrap();
    let said: Vec<_> = invited.iter().map(|invited| (invited.friend.as_str(), invited.at)).collect();
    assert_eq!(said, [("Grace@example.com", NOW), ("joan@example.com", NOW.plus(MINUTE))]);
}

fn sent(world: &mut dyn World, inviter: &Inviter, address: &str) {
    world.store().invitation_sent(inviter.id, &email(address)).unwrap();
}

fn the_first_friend_to_whom_an_invitation_was_sent_stays(world: &mut dyn World) {
    let ada = member(world, "ada@example.com");
    for friend in ["grace@example.com", "joan@example.com"] {
        invite(world, &ada, friend, NOW).unwrap();
    }
    assert_eq!(world.first_friend_of(ada.id), None, "nothing was sent yet");
    for friend in ["joan@example.com", "grace@example.com", "joan@example.com"] {
        sent(world, &ada, friend);
        assert_eq!(world.first_friend_of(ada.id), Some(email("joan@example.com")));
    }
    let gone = UserId::from_store(i64::MAX);
    world.store().invitation_sent(gone, &email("grace@example.com")).unwrap();
}

fn an_invitation_to_a_friend_who_has_left_counts_without_the_name(world: &mut dyn World) {
    let ada = member(world, "ada@example.com");
    invite(world, &ada, "grace@example.com", NOW).unwrap();
    world.store().forget_friend(&email("grace@example.com")).unwrap();
    sent(world, &ada, "grace@example.com");
    assert_eq!(world.first_friend_of(ada.id), Some(email(FORMER_FRIEND)));
}

fn members_do_not_see_each_other(world: &mut dyn World) {
    let (ada, bob) = (member(world, "ada@example.com"), member(world, "bob@example.com"));
    assert!(invite(world, &ada, "grace@example.com", NOW).unwrap());
    assert!(invite(world, &bob, "grace@example.com", NOW).unwrap());
    // A member is invited like anybody else.
    assert!(invite(world, &ada, "bob@example.com", NOW).unwrap());
    sent(world, &bob, "grace@example.com");
    assert_eq!(world.first_friend_of(bob.id), Some(email("grace@example.com")));
    assert_eq!(world.first_friend_of(ada.id), None);
    assert_eq!(world.store().invitations(bob.id).unwrap().len(), 1);
}

fn twenty_a_day_and_no_more(world: &mut dyn World) {
    let (ada, bob) = (member(world, "ada@example.com"), member(world, "bob@example.com"));
    for n in 0..INVITATIONS_A_DAY {
        let at = NOW.plus(if n == 0 { 0 } else { HOUR });
        assert!(invite(world, &ada, &format!("friend{n}@example.com"), at).unwrap());
    }
    let refused = invite(world, &ada, "late@example.com", NOW.plus(2 * HOUR)).unwrap_err();
    assert!(matches!(refused, ReferralError::TooMany(wait) if wait.seconds() == 22 * 3_600), "{refused:?}");
    // Whom they have invited already is no further invitation; and it is their limit, nobody else's.
    assert!(!invite(world, &ada, "friend3@example.com", NOW.plus(2 * HOUR)).unwrap());
    assert!(invite(world, &bob, "late@example.com", NOW.plus(2 * HOUR)).unwrap());
    assert!(invite(world, &ada, "late@example.com", NOW.plus(DAY - 1)).is_err());
    assert!(invite(world, &ada, "late@example.com", NOW.plus(DAY)).unwrap());
    let refused = invite(world, &ada, "later@example.com", NOW.plus(DAY)).unwrap_err();
    assert!(matches!(refused, ReferralError::TooMany(wait) if wait.seconds() == 3_600), "{refused:?}");
}

fn who_is_not_confirmed_invites_nobody(world: &mut dyn World) {
    let ada = Inviter { is_confirmed: false, ..member(world, "ada@example.com") };
    let refused = invite(world, &ada, "grace@example.com", NOW).unwrap_err();
    assert!(matches!(refused, ReferralError::NotConfirmed));
    assert_eq!(refused.to_string(), "Please confirm your email address first.");
    assert!(world.store().invitations(ada.id).unwrap().is_empty());
    assert_eq!(world.first_friend_of(ada.id), None);
}

fn nobody_invites_themselves(world: &mut dyn World) {
    let ada = member(world, "ada@example.com");
    assert!(matches!(invite(world, &ada, "ADA@example.com", NOW), Err(ReferralError::Oneself)));
    assert_eq!(world.first_friend_of(ada.id), None);
}

fn who_is_gone_invites_nobody(world: &mut dyn World) {
    let gone = Inviter { id: UserId::from_store(i64::MAX), email: email("gone@example.com"), is_confirmed: true };
    assert!(matches!(invite(world, &gone, "grace@example.com", NOW), Err(ReferralError::UnknownMember)));
}

fn a_friend_who_leaves_is_nobodys_friend(world: &mut dyn World) {
    let (ada, bob) = (member(world, "ada@example.com"), member(world, "bob@example.com"));
    for (inviter, friend) in [(&ada, "Grace@example.com"), (&ada, "joan@example.com"), (&bob, "joan@example.com")] {
        invite(world, inviter, friend, NOW).unwrap();
        sent(world, inviter, friend);
    }
    invite(world, &bob, "grace@EXAMPLE.com", NOW).unwrap();
    world.store().forget_friend(&email("GRACE@example.com")).unwrap();
    let named = |world: &mut dyn World, member: &Inviter| {
        let invited = world.store().invitations(member.id).unwrap();
        invited.into_iter().map(|invited| invited.friend.as_str().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(
        (named(world, &ada), named(world, &bob)),
        (vec!["joan@example.com".to_owned()], vec!["joan@example.com".to_owned()])
    );
    // Whom Ada invited first has left; that she did stays.
    assert_eq!(world.first_friend_of(ada.id), Some(email(FORMER_FRIEND)));
    assert_eq!(world.first_friend_of(bob.id), Some(email("joan@example.com")));
    world.store().forget_friend(&email("nobody@example.com")).unwrap();
    assert_eq!(named(world, &bob), ["joan@example.com"]);
}
