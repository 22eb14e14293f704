//! The behavior of every referral store together with the rules of [`Referral`]: one suite for memory and Postgres.

use kernel::{DAY, Email, FixedEnv, HOUR, Limit, MINUTE, Money, Timestamp, UserId};

use crate::{
    FORMER_FRIEND, INVITATIONS_A_DAY, Invitation, InvitationForm, Inviter, Link, LinkId, LinkKind, PayoutOutcome,
    Person, REWARD_PENDING, Referral, ReferralError, ReferralStore, ReferredPurchase, Reward, RewardChange,
};

/// A store under test, and a way to add members, who are stored by another domain.
pub trait World {
    fn add_member(&mut self, email: &Email) -> UserId;
    /// The first invited friend stored with a member.
    fn first_friend_of(&mut self, member: UserId) -> Option<Email>;
    fn store(&mut self) -> &mut dyn ReferralStore;
}

/// A test case, run on an empty store.
pub type Case = fn(&mut dyn World);

/// Runs all cases. `on_empty_store` runs each case on a new store.
pub fn run(mut on_empty_store: impl FnMut(Case)) {
    for case in CASES {
        on_empty_store(*case);
    }
}

/// The compiler reports a case that is missing here as dead code.
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
    a_member_has_one_link_of_each_kind,
    the_first_link_through_which_a_member_came_stays,
    a_friend_is_rewarded_once_and_a_purchase_once,
    an_affiliate_earns_by_each_purchase,
    a_reward_follows_what_is_left_of_the_payment,
    payouts_never_come_to_more_than_was_earned,
    a_buyer_who_leaves_is_not_named,
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
    // Members can be invited like anybody else.
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
    // Repeating an invitation does not count. The limit applies to each member separately.
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
    // The first friend Ada invited has left, but still counts.
    assert_eq!(world.first_friend_of(ada.id), Some(email(FORMER_FRIEND)));
    assert_eq!(world.first_friend_of(bob.id), Some(email("joan@example.com")));
    world.store().forget_friend(&email("nobody@example.com")).unwrap();
    assert_eq!(named(world, &bob), ["joan@example.com"]);
}

fn link(world: &mut dyn World, owner: UserId, kind: LinkKind, env: &FixedEnv) -> Link {
    world.store().link_of(owner, kind, env).unwrap()
}

fn a_member_has_one_link_of_each_kind(world: &mut dyn World) {
    let (ada, bob) = (member(world, "ada@example.com").id, member(world, "bob@example.com").id);
    let env = FixedEnv::at(NOW);
    let affiliate = link(world, ada, LinkKind::Affiliate, &env);
    let friend = link(world, ada, LinkKind::Friend, &env);
    let bobs = link(world, bob, LinkKind::Friend, &env);
    assert!(affiliate.id != friend.id && friend.id != bobs.id);
    assert_eq!(link(world, ada, LinkKind::Friend, &env), friend, "it is made once");
    assert_eq!(world.store().links_of(ada).unwrap(), [friend.clone(), affiliate.clone()]);
    for _ in 0..3 {
        assert!(world.store().count_click(&friend.id).unwrap());
    }
    let none = LinkId::parse("none").unwrap();
    assert!(!world.store().count_click(&none).unwrap());
    assert_eq!(world.store().find_link(&none).unwrap(), None);
    let upper = LinkId::parse(&friend.id.as_str().to_uppercase()).unwrap();
    assert_eq!(world.store().find_link(&upper).unwrap(), Some(Link { clicks: 3, ..friend }));
    assert_eq!(world.store().find_link(&affiliate.id).unwrap(), Some(affiliate));
    let gone = world.store().link_of(UserId::from_store(i64::MAX), LinkKind::Friend, &env);
    assert!(matches!(gone, Err(ReferralError::UnknownMember)));
}

fn the_first_link_through_which_a_member_came_stays(world: &mut dyn World) {
    let (ada, bob) = (member(world, "ada@example.com").id, member(world, "bob@example.com").id);
    let env = FixedEnv::at(NOW);
    let (of_ada, of_bob) = (link(world, ada, LinkKind::Friend, &env), link(world, bob, LinkKind::Affiliate, &env));
    let store = world.store();
    assert_eq!(store.link_that_brought(bob).unwrap(), None);
    store.note_arrival(bob, &of_bob.id, NOW).unwrap();
    store.note_arrival(bob, &LinkId::parse("none").unwrap(), NOW).unwrap();
    assert_eq!(store.link_that_brought(bob).unwrap(), None, "neither one's own link nor none");
    store.note_arrival(bob, &of_ada.id, NOW).unwrap();
    assert_eq!(store.link_that_brought(bob).unwrap(), Some(of_ada.id.clone()));
    let cleo = member(world, "cleo@example.com").id;
    let other = link(world, cleo, LinkKind::Friend, &env);
    let store = world.store();
    store.note_arrival(bob, &other.id, NOW).unwrap();
    assert_eq!(store.link_that_brought(bob).unwrap(), Some(of_ada.id));
    assert_eq!(store.link_that_brought(ada).unwrap(), None);
}

fn person(member: Option<UserId>, address: &str) -> Person {
    Person::new(member, &email(address), vec![])
}

fn bought(purchase: &str, buyer: Person, cents: i64) -> ReferredPurchase {
    let (net, purchase) = (Money::from_cents(cents), purchase.to_owned());
    ReferredPurchase { purchase, buyer, net, is_first_payment: true, is_premium: true, at: NOW }
}

/// Rewards Ada for a purchase and returns the reward in cents.
fn reward(world: &mut dyn World, link: &Link, purchase: &ReferredPurchase) -> Option<i64> {
    let ada = person(Some(link.owner), "ada@example.com");
    let change = world.store().reward_purchase(&link.id, &ada, purchase).unwrap()?;
    assert_eq!((change.owner, change.before.cents()), (link.owner, 0));
    Some(change.after.cents())
}

fn a_friend_is_rewarded_once_and_a_purchase_once(world: &mut dyn World) {
    let (ada, bob) = (member(world, "ada@example.com").id, member(world, "bob@example.com").id);
    let env = FixedEnv::at(NOW);
    let adas = link(world, ada, LinkKind::Friend, &env);
    let own = bought("own", person(Some(ada), "other@example.com"), 999);
    assert_eq!(reward(world, &adas, &own), None);
    assert_eq!(reward(world, &adas, &bought("alias", person(None, "ada+x@example.com"), 999)), None);
    assert_eq!(reward(world, &adas, &bought("free", person(Some(bob), "bob@example.com"), 3)), None);
    let first = bought("one", person(Some(bob), "bob@example.com"), 999);
    assert_eq!(reward(world, &adas, &first), Some(249));
    for again in [
        first,
        bought("two", person(Some(bob), "new@example.com"), 999),
        bought("three", person(None, "Bob+x@example.com"), 999),
    ] {
        assert_eq!(reward(world, &adas, &again), None, "{again:?}");
    }
    assert_eq!(reward(world, &adas, &bought("four", person(None, "grace@example.com"), 5_999)), Some(1_499));
    let none = LinkId::parse("none").unwrap();
    let unknown = bought("five", person(None, "joan@example.com"), 999);
    let nobody = person(None, "x@example.com");
    assert_eq!(world.store().reward_purchase(&none, &nobody, &unknown).unwrap(), None);
    let rewards = world.store().rewards_of(ada).unwrap();
    let one = Reward {
        purchase: "four".to_owned(),
        owner: ada,
        kind: LinkKind::Friend,
        amount: Money::from_cents(1_499),
        earned_at: NOW,
        is_denied: false,
    };
    let two = Reward { purchase: "one".to_owned(), amount: Money::from_cents(249), ..one.clone() };
    assert_eq!(rewards, [one, two]);
    assert_eq!(world.store().rewards_of(bob).unwrap(), []);
}

fn an_affiliate_earns_by_each_purchase(world: &mut dyn World) {
    let (ada, bob) = (member(world, "ada@example.com").id, member(world, "bob@example.com").id);
    let env = FixedEnv::at(NOW);
    let affiliate = link(world, ada, LinkKind::Affiliate, &env);
    let friends = link(world, ada, LinkKind::Friend, &env);
    let buyer = || person(Some(bob), "bob@example.com");
    for (purchase, earned) in [("one", Some(99)), ("two", Some(99)), ("one", None)] {
        let again = ReferredPurchase { is_first_payment: false, ..bought(purchase, buyer(), 999) };
        assert_eq!(reward(world, &affiliate, &again), earned);
    }
    let renewal = ReferredPurchase { is_premium: false, ..bought("renewal", buyer(), 999) };
    assert_eq!(reward(world, &affiliate, &renewal), None);
    assert_eq!(reward(world, &friends, &bought("three", buyer(), 999)), Some(249), "a friend's link is another thing");
    assert_eq!(world.store().earners_after(None, Limit::clamped(9)).unwrap(), [ada]);
    assert_eq!(world.store().earners_after(Some(ada), Limit::clamped(9)).unwrap(), []);
}

fn a_reward_follows_what_is_left_of_the_payment(world: &mut dyn World) {
    let ada = member(world, "ada@example.com").id;
    let friends = link(world, ada, LinkKind::Friend, &FixedEnv::at(NOW));
    reward(world, &friends, &bought("one", person(None, "bob@example.com"), 1_000));
    let owner = person(Some(ada), "ada@example.com");
    let mut judge = |net: i64, buyer: Person| {
        let change = world.store().judge_reward(&owner, &bought("one", buyer, net)).unwrap();
        change.map(|RewardChange { owner, before, after }| {
            assert_eq!(owner, ada);
            (before.cents(), after.cents())
        })
    };
    assert_eq!(judge(1_000, person(None, "bob@example.com")), None);
    assert_eq!(judge(600, person(None, "bob@example.com")), Some((250, 150)), "a part was given back");
    assert_eq!(judge(600, person(None, "bob@example.com")), None, "and heard of twice");
    assert_eq!(judge(0, person(None, "bob@example.com")), Some((150, 0)), "all of it");
    assert_eq!(judge(-5, person(None, "bob@example.com")), None, "never below zero");
    assert_eq!(judge(1_000, person(None, "bob@example.com")), Some((0, 250)), "a dispute was won");
    assert_eq!(
        judge(1_000, person(Some(ada), "bob@example.com")),
        Some((250, 0)),
        "the owner has claimed the purchase"
    );
    assert_eq!(judge(1_000, person(None, "bob@example.com")), None, "which is final");
    assert!(world.store().rewards_of(ada).unwrap()[0].is_denied);
    let none = bought("none", person(None, "bob@example.com"), 5);
    assert_eq!(world.store().judge_reward(&owner, &none).unwrap(), None);
}

fn payouts_never_come_to_more_than_was_earned(world: &mut dyn World) {
    let ada = member(world, "ada@example.com").id;
    let friends = link(world, ada, LinkKind::Friend, &FixedEnv::at(NOW));
    reward(world, &friends, &bought("one", person(None, "bob@example.com"), 1_000));
    let due = NOW.plus(REWARD_PENDING);
    let store = world.store();
    let sums = |amount: i64, paid: i64| (Money::from_cents(amount), Money::from_cents(paid));
    assert_eq!(store.pay_out(ada, sums(250, 0), due.plus(-1)).unwrap(), PayoutOutcome::Changed, "it is pending");
    assert_eq!(store.pay_out(ada, sums(0, 0), due.plus(-1)).unwrap(), PayoutOutcome::Changed, "there is nothing");
    assert_eq!(store.earnings_of(ada, due.plus(-1)).unwrap().pending.cents(), 250);
    assert_eq!(store.pay_out(ada, sums(249, 0), due).unwrap(), PayoutOutcome::Changed, "another sum");
    assert_eq!(store.pay_out(ada, sums(250, 1), due).unwrap(), PayoutOutcome::Changed, "another sum was shown as paid");
    assert_eq!(store.pay_out(ada, sums(250, 0), due).unwrap(), PayoutOutcome::Now);
    assert_eq!(store.pay_out(ada, sums(250, 0), due).unwrap(), PayoutOutcome::Before, "once");
    assert_eq!(store.pay_out(ada, sums(200, 50), due).unwrap(), PayoutOutcome::Changed, "that was no payout");
    assert_eq!(store.payouts_of(ada).unwrap(), [(due, Money::from_cents(250))]);
    // Refunded after the payout: the amount is deducted from the next reward.
    let (ada_herself, bob) = (person(Some(ada), "ada@example.com"), person(None, "bob@example.com"));
    store.judge_reward(&ada_herself, &bought("one", bob, 0)).unwrap();
    reward(world, &friends, &bought("two", person(None, "grace@example.com"), 1_200));
    let store = world.store();
    let earnings = store.earnings_of(ada, due).unwrap();
    let nobody = UserId::from_store(i64::MAX);
    let of_both = store.earnings_of_members(&[nobody, ada], due).unwrap();
    assert_eq!((of_both[0].money, of_both[1]), (Money::from_cents(0), earnings));
    assert_eq!((earnings.num, earnings.money.cents(), earnings.payable.cents()), (1, 300, 50));
    assert_eq!(store.pay_out(ada, sums(50, 250), due).unwrap(), PayoutOutcome::Now);
    assert_eq!(store.pay_out(UserId::from_store(i64::MAX), sums(50, 0), due).unwrap(), PayoutOutcome::Changed);
    // The same amount is payable again: a late retry of the earlier payout must not pay it.
    reward(world, &friends, &bought("three", person(None, "cy@example.com"), 200));
    let store = world.store();
    assert_eq!(store.earnings_of(ada, due).unwrap().payable.cents(), 50);
    assert_eq!(store.pay_out(ada, sums(50, 250), due).unwrap(), PayoutOutcome::Before);
    assert_eq!(store.pay_out(ada, sums(50, 300), due).unwrap(), PayoutOutcome::Now);
    assert_eq!(store.payouts_of(ada).unwrap().len(), 3);
}

fn a_buyer_who_leaves_is_not_named(world: &mut dyn World) {
    let (ada, bob) = (member(world, "ada@example.com").id, member(world, "bob@example.com").id);
    let friends = link(world, ada, LinkKind::Friend, &FixedEnv::at(NOW));
    let buyer = || person(Some(bob), "bob@example.com");
    reward(world, &friends, &bought("one", buyer(), 1_000));
    reward(world, &friends, &bought("two", person(None, "grace@example.com"), 1_000));
    world.store().forget_buyer(bob, None).unwrap();
    assert_eq!(world.store().rewards_of(ada).unwrap().len(), 2, "the reward stays");
    assert_eq!(reward(world, &friends, &bought("three", buyer(), 1_000)), Some(250), "nothing tells who it was");
    assert_eq!(reward(world, &friends, &bought("four", person(None, "grace@example.com"), 1_000)), None);
    world.store().forget_buyer(bob, Some("grace@example.com")).unwrap();
    assert_eq!(reward(world, &friends, &bought("four", person(None, "grace@example.com"), 1_000)), Some(250));
}
