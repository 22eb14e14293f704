//! Rewards for purchases through referral links (`referral.reward-shares`).

use std::fmt;

use kernel::{DAY, Email, Env, Money, Timestamp, UserId};

/// The share of the first payment of each referred friend that a member earns, in percent.
pub const FRIEND_PERCENT: i64 = 25;
/// The share of each Premium purchase through their link that an affiliate earns, in percent.
pub const AFFILIATE_PERCENT: i64 = 10;
/// How long a reward is pending before it can be paid out, in milliseconds.
pub const REWARD_PENDING: i64 = 30 * DAY;
/// The length of a generated link id, in characters: 60 random bits.
const LINK_CHARS: usize = 12;

/// The kind of a link, which determines what it earns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LinkKind {
    /// A member's link for friends.
    Friend,
    /// An affiliate's link for customers.
    Affiliate,
}

/// The text is not a kind of link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no such kind of link")]
pub struct UnknownLinkKind;

impl LinkKind {
    pub const ALL: [Self; 2] = [Self::Friend, Self::Affiliate];

    /// The name in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Friend => "friend",
            Self::Affiliate => "affiliate",
        }
    }

    /// The reward for a net amount, rounded down to a cent; zero for a negative amount.
    pub const fn reward_of(self, net: Money) -> Money {
        let percent = match self {
            Self::Friend => FRIEND_PERCENT,
            Self::Affiliate => AFFILIATE_PERCENT,
        };
        let net = if net.cents() < 0 { 0 } else { net.cents() };
        // Avoids overflow: multiplies the whole hundreds and the remainder separately.
        Money::from_cents(net / 100 * percent + net % 100 * percent / 100)
    }
}

impl std::str::FromStr for LinkKind {
    type Err = UnknownLinkKind;

    fn from_str(text: &str) -> Result<Self, UnknownLinkKind> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text).ok_or(UnknownLinkKind)
    }
}

/// The id of a link in its URL: `/r/{id}`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LinkId(String);

/// The text is not a valid link id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("This link does not exist.")]
pub struct InvalidLinkId;

impl LinkId {
    pub fn generate(env: &dyn Env) -> Self {
        const ALPHABET: &[u8; 32] = b"23456789abcdefghjkmnpqrstuvwxyz-";
        let mut bytes = [0; LINK_CHARS];
        env.fill_random(&mut bytes);
        let chars = bytes.iter().map(|byte| char::from(ALPHABET[usize::from(byte >> 3)]));
        Self(chars.collect())
    }

    /// Parses the id from a URL: up to 64 letters, digits and `-`.
    pub fn parse(text: &str) -> Result<Self, InvalidLinkId> {
        let is_fine = |c: char| c.is_ascii_alphanumeric() || c == '-';
        if text.is_empty() || text.len() > 64 || !text.chars().all(is_fine) {
            return Err(InvalidLinkId);
        }
        Ok(Self(text.to_ascii_lowercase()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for LinkId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A referral link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The id in the URL.
    pub id: LinkId,
    pub owner: UserId,
    pub kind: LinkKind,
    /// The number of times it was followed.
    pub clicks: u64,
}

/// What identifies a person, to detect that the owner of a link is the buyer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// `None` for a guest.
    pub member: Option<UserId>,
    /// The normalized mailboxes of their addresses ([`Email::mailbox_key`]), the account's first. For a member who
    /// claimed a guest purchase also the address of the guest. Empty if their addresses were deleted.
    pub mailboxes: Vec<String>,
    /// The fingerprints of the cards they have paid with.
    pub cards: Vec<String>,
}

impl Person {
    /// A person with one e-mail address.
    pub fn new(member: Option<UserId>, email: &Email, cards: Vec<String>) -> Self {
        Self::with_addresses(member, [email], cards)
    }

    /// A person with several e-mail addresses.
    pub fn with_addresses<'a>(
        member: Option<UserId>,
        emails: impl IntoIterator<Item = &'a Email>,
        cards: Vec<String>,
    ) -> Self {
        let mailboxes = emails.into_iter().map(Email::mailbox_key).collect();
        Self { member, mailboxes, cards }
    }

    /// Whether both are the same person: they share the account, a mailbox or a card.
    pub fn is_same(&self, other: &Self) -> bool {
        self.member.is_some() && self.member == other.member
            || self.mailboxes.iter().any(|mailbox| other.mailboxes.contains(mailbox))
            || self.cards.iter().any(|card| other.cards.contains(card))
    }
}

/// A paid purchase through a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReferredPurchase {
    /// The purchase key. A purchase is rewarded at most once.
    pub purchase: String,
    pub buyer: Person,
    /// The amount charged less refunds.
    pub net: Money,
    /// Whether it is the buyer's first payment ever.
    pub is_first_payment: bool,
    /// Whether it starts a Premium plan, as opposed to a renewal or an item.
    pub is_premium: bool,
    pub at: Timestamp,
}

/// Whether the purchase earns the link's owner a reward. Nobody earns from their own purchase (`referral.own-purchase`).
pub fn earns(link: &Link, owner: &Person, purchase: &ReferredPurchase) -> bool {
    let counts = match link.kind {
        LinkKind::Friend => purchase.is_first_payment,
        LinkKind::Affiliate => purchase.is_premium,
    };
    counts && purchase.buyer.member != Some(link.owner) && !owner.is_same(&purchase.buyer)
}

/// Re-evaluates a reward with current data about owner and purchase, and returns the updated reward. The amount follows
/// what is left of the payment. A denied reward stays denied, even after the data that led to it was deleted.
///
/// The only rule for existing rewards. Call it whenever its inputs may have changed: when a guest's purchase is claimed,
/// on refunds and disputes, and before a payout (`referral.own-purchase`).
pub fn judge(reward: &Reward, owner: &Person, purchase: &ReferredPurchase) -> Reward {
    let is_denied = reward.is_denied
        || purchase.buyer.member == Some(reward.owner)
        || owner.is_same(&purchase.buyer)
        || reward.kind == LinkKind::Friend && !purchase.is_first_payment;
    let amount = if is_denied { Money::from_cents(0) } else { reward.kind.reward_of(purchase.net) };
    Reward { amount, is_denied, ..reward.clone() }
}

/// A reward for one purchase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reward {
    pub purchase: String,
    /// The member who earned it.
    pub owner: UserId,
    /// The kind of the link.
    pub kind: LinkKind,
    /// The current amount; zero when the purchase was fully refunded.
    pub amount: Money,
    pub earned_at: Timestamp,
    /// Whether it was denied because the owner is the buyer or the buyer had paid before. Permanent.
    pub is_denied: bool,
}

impl Reward {
    /// Whether it must be re-evaluated before a payout: it is payable now but was still pending at the last payout. Never
    /// if denied.
    pub fn is_judged_before_payout(&self, paid_out_at: Option<Timestamp>, now: Timestamp) -> bool {
        let is_earned = |at: Timestamp| at.since(self.earned_at) >= REWARD_PENDING;
        !self.is_denied && is_earned(now) && !paid_out_at.is_some_and(is_earned)
    }
}

/// A change of a reward. The difference is recorded as a movement in the ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RewardChange {
    /// The member who earned the reward.
    pub owner: UserId,
    pub before: Money,
    pub after: Money,
}

/// The sums of a member's rewards and payouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Earnings {
    /// The number of purchases with a reward above zero: `num` on the wire.
    pub num: u64,
    /// All rewards, including pending ones: `money` on the wire.
    pub money: Money,
    /// Rewards earned less than 30 days ago.
    pub pending: Money,
    /// The amount that can be paid out; never negative. Rewards reversed after their payout are deducted from later
    /// rewards.
    pub payable: Money,
    pub paid: Money,
}

impl Earnings {
    /// Sums up rewards and payouts at `now`.
    pub fn of(rewards: &[Reward], paid: Money, now: Timestamp) -> Self {
        let cents = |rewards: &mut dyn Iterator<Item = &Reward>| rewards.map(|one| one.amount.cents()).sum::<i64>();
        let is_pending = |one: &&Reward| now.since(one.earned_at) < REWARD_PENDING;
        let money = cents(&mut rewards.iter());
        let pending = cents(&mut rewards.iter().filter(is_pending));
        let earning = rewards.iter().filter(|one| one.amount.cents() > 0).count();
        Self {
            num: u64::try_from(earning).unwrap_or(u64::MAX),
            money: Money::from_cents(money),
            pending: Money::from_cents(pending),
            payable: Money::from_cents((money - pending - paid.cents()).max(0)),
            paid,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_795_226_400_000);

    #[test]
    fn the_documented_numbers() {
        assert_eq!((FRIEND_PERCENT, AFFILIATE_PERCENT, REWARD_PENDING), (25, 10, 30 * 24 * 60 * 60 * 1_000));
        for (kind, net, reward) in [
            (LinkKind::Friend, 999, 249),
            (LinkKind::Friend, 5_999, 1_499),
            (LinkKind::Friend, 3, 0),
            (LinkKind::Friend, 4, 1),
            (LinkKind::Affiliate, 999, 99),
            (LinkKind::Affiliate, 14_900, 1_490),
            (LinkKind::Affiliate, 9, 0),
            (LinkKind::Affiliate, -100, 0),
        ] {
            assert_eq!(kind.reward_of(Money::from_cents(net)).cents(), reward, "{kind:?} {net}");
        }
        for kind in LinkKind::ALL {
            assert_eq!(kind.as_str().parse(), Ok(kind));
        }
        assert_eq!("partner".parse::<LinkKind>(), Err(UnknownLinkKind));
    }

    #[test]
    fn a_reward_is_judged_before_the_payout_that_would_pay_it_out() {
        let one = reward(249, NOW);
        let due = NOW.plus(REWARD_PENDING);
        let judged = |paid_out_at, now| one.is_judged_before_payout(paid_out_at, now);
        assert!(!judged(None, due.plus(-1)) && judged(None, due), "it is pending for 30 days");
        assert!(judged(Some(due.plus(-1)), due), "it was pending at the last payout");
        assert!(!judged(Some(due), due.plus(5)), "it was judged before the last payout");
        let denied = Reward { is_denied: true, ..one.clone() };
        assert!(!denied.is_judged_before_payout(None, due), "that is final");
    }

    #[test]
    fn links_are_read_from_addresses() {
        assert_eq!(LinkId::parse("Ab-9").unwrap().as_str(), "ab-9");
        for text in ["", "a/b", "ü", "a b", &"x".repeat(65)] {
            assert_eq!(LinkId::parse(text), Err(InvalidLinkId), "{text:?}");
        }
        assert!(LinkId::parse(&"x".repeat(64)).is_ok());
        let env = kernel::FixedEnv::at(NOW);
        let (one, other) = (LinkId::generate(&env), LinkId::generate(&env));
        assert!(one != other && one.as_str().len() == LINK_CHARS);
        assert_eq!(LinkId::parse(one.as_str()).as_ref(), Ok(&one));
    }

    fn person(member: Option<i64>, email: &str, cards: &[&str]) -> Person {
        let cards = cards.iter().map(|card| (*card).to_owned()).collect();
        Person::new(member.map(UserId::from_store), &Email::parse(email).unwrap(), cards)
    }

    #[test]
    fn nobody_earns_from_their_own_purchase() {
        let owner = person(Some(1), "ada@example.com", &["visa", "amex"]);
        let link = |kind| Link { id: LinkId::parse("ada").unwrap(), owner: UserId::from_store(1), kind, clicks: 0 };
        let bought = |buyer: Person, is_first_payment, is_premium| ReferredPurchase {
            purchase: "co_1".to_owned(),
            buyer,
            net: Money::from_cents(999),
            is_first_payment,
            is_premium,
            at: NOW,
        };
        for (buyer, is_other) in [
            (person(Some(2), "bob@example.com", &["master"]), true),
            (person(None, "bob@example.com", &[]), true),
            (person(Some(1), "new@example.com", &[]), false),
            (person(Some(2), "Ada+friend@example.com", &[]), false),
            (person(None, "bob@example.com", &["master", "amex"]), false),
        ] {
            for kind in LinkKind::ALL {
                assert_eq!(earns(&link(kind), &owner, &bought(buyer.clone(), true, true)), is_other, "{buyer:?}");
            }
        }
        let bob = || person(Some(2), "bob@example.com", &[]);
        for (kind, is_first_payment, is_premium, result) in [
            (LinkKind::Friend, true, false, true),
            (LinkKind::Friend, false, true, false),
            (LinkKind::Affiliate, false, true, true),
            (LinkKind::Affiliate, true, false, false),
        ] {
            assert_eq!(earns(&link(kind), &owner, &bought(bob(), is_first_payment, is_premium)), result);
        }
        // The owner's own account matches, even if nothing else is known of the person.
        let unknown = person(None, "other@example.com", &[]);
        let own = bought(person(Some(1), "new@example.com", &[]), true, true);
        assert!(!earns(&link(LinkKind::Friend), &unknown, &own));
    }

    fn reward(cents: i64, earned_at: Timestamp) -> Reward {
        Reward {
            purchase: "co_1".to_owned(),
            owner: UserId::from_store(1),
            kind: LinkKind::Friend,
            amount: Money::from_cents(cents),
            earned_at,
            is_denied: false,
        }
    }

    #[test]
    fn a_reward_is_judged_again_by_what_is_known_of_the_buyer_and_a_denied_one_stays_denied() {
        let owner = person(Some(1), "ada@example.com", &["visa"]);
        let guest = || person(None, "guest@example.com", &["master"]);
        let paid = |buyer: Person, net: i64, is_first_payment: bool| ReferredPurchase {
            purchase: "co_1".to_owned(),
            buyer,
            net: Money::from_cents(net),
            is_first_payment,
            is_premium: true,
            at: NOW,
        };
        let earned = reward(249, NOW);
        let outcome = |one: &Reward| (one.amount.cents(), one.is_denied);
        assert_eq!(judge(&earned, &owner, &paid(guest(), 999, true)), earned);
        assert_eq!(outcome(&judge(&earned, &owner, &paid(guest(), 500, true))), (125, false));
        let claimed = Person { member: Some(UserId::from_store(1)), ..guest() };
        let (alias, card) = (person(Some(2), "ada+2@example.com", &[]), person(Some(2), "b@example.com", &["visa"]));
        for own in [claimed, alias, card] {
            let denied = judge(&earned, &owner, &paid(own, 999, true));
            assert_eq!(outcome(&denied), (0, true));
            assert_eq!(outcome(&judge(&denied, &owner, &paid(guest(), 999, true))), (0, true), "it stays");
        }
        let late = paid(guest(), 999, false);
        assert_eq!(outcome(&judge(&earned, &owner, &late)), (0, true), "a friend's first payment was another");
        let by_affiliate = Reward { kind: LinkKind::Affiliate, ..earned };
        assert_eq!(outcome(&judge(&by_affiliate, &owner, &late)), (99, false));
        let other = Email::parse("Ada+old@example.com").unwrap();
        let both = Person::with_addresses(
            Some(UserId::from_store(2)),
            [&Email::parse("b@example.com").unwrap(), &other],
            vec![],
        );
        assert!(owner.is_same(&both), "the address that a guest typed counts beside the account's");
    }

    #[test]
    fn a_reward_can_be_paid_out_after_30_days_and_what_was_reversed_is_kept_back() {
        let rewards = [reward(249, NOW), reward(0, NOW), reward(100, NOW.plus(DAY))];
        let of = |paid: i64, at: Timestamp| {
            let one = Earnings::of(&rewards, Money::from_cents(paid), at);
            (one.num, one.money.cents(), one.pending.cents(), one.payable.cents(), one.paid.cents())
        };
        assert_eq!(of(0, NOW.plus(REWARD_PENDING - 1)), (2, 349, 349, 0, 0));
        assert_eq!(of(0, NOW.plus(REWARD_PENDING)), (2, 349, 100, 249, 0));
        assert_eq!(of(249, NOW.plus(REWARD_PENDING)), (2, 349, 100, 0, 249));
        assert_eq!(of(400, NOW.plus(31 * DAY)), (2, 349, 0, 0, 400), "more was paid out than is left");
    }

    proptest! {
        #[test]
        fn a_reward_is_the_share_rounded_down_of_any_sum(net: i64) {
            for (kind, percent) in [(LinkKind::Friend, 25), (LinkKind::Affiliate, 10)] {
                let share = i128::from(net.max(0)) * percent / 100;
                prop_assert_eq!(i128::from(kind.reward_of(Money::from_cents(net)).cents()), share);
            }
        }
    }
}
