//! The parts of the made-up year that need no payment provider: accounts, reading, invitations, messages, payouts.

use std::collections::HashMap;

use admin::Actor;
use billing::{BillingQueries, Coupon, CouponCode, Discount, Percent, PurchaseKey};
use catalogue::{BookCard, CatalogueCommands, CatalogueLists, Filters, ListQuery, Sort};
use identity::{Identity, IdentityCommands, Profile};
use kernel::{BookId, DAY, Email, Limit, Period, Slug, StoreError, UserId};
use postgres::Pg;
use reading_progress::{OpeningRight, PositionReport, ProgressQueries, Rating, ReadingProgress, history_condition};
use referral::{Invitation, InvitationForm, LinkId, LinkKind, Referral, ReferralCommands, ReferralQueries};
use support::{MessageFilter, NewMessage, Support, SupportCommands, SupportQueries};
use workflows::{
    billing::{
        admin_money::{self, AdminMoneyError},
        membership::codes,
    },
    referral::invite_friend::invite_friend,
    tx::{Transactions, Tx},
};

use super::{
    SignedUp,
    people::{QUESTIONS, RATINGS, REFUND_REASON},
    plan::{BOOK_RANKS, CameBy, DAYS, Member, Traffic},
};

/// The coupon of the year.
pub(super) const COUPON: &str = "WELCOME-20";
const COUPON_PERCENT: u32 = 20;
/// The analytics event of a visit.
const VISIT: &str = "visit";
/// What is paid out at least, in cents.
const LEAST_PAYOUT: i64 = 100;
/// After so many days messages are marked as done.
const DONE_AFTER: i64 = 10;

/// The books that members open, by their rank.
pub(super) struct Books {
    free: Vec<BookCard>,
    sold: Vec<BookCard>,
    all: Vec<BookCard>,
}

impl Books {
    fn of_rank(books: &[BookCard], rank: usize) -> Option<&BookCard> {
        books.get(rank % books.len().max(1))
    }

    /// The book of this rank among those that are sold.
    pub(super) fn to_buy(&self, rank: usize) -> Option<&Slug> {
        Self::of_rank(&self.sold, rank).map(|book| &book.subid)
    }
}

pub(super) fn readable_books(pg: &mut Pg<'_>) -> anyhow::Result<Books> {
    let newest =
        ListQuery { sort: Sort::New, filters: Filters::default(), after: None, limit: Limit::clamped(Limit::MAX) };
    let mut all: Vec<BookCard> = pg.books(&newest)?.items.into_iter().filter(|book| !book.coming_soon).collect();
    // Popular ones first: the first ranks are opened most often.
    all.sort_by_key(|book| !book.is_popular);
    let (free, sold) = all.iter().cloned().partition(|book| book.free);
    all.truncate(BOOK_RANKS);
    Ok(Books { free, sold, all })
}

fn email_of(member: usize) -> Result<Email, kernel::InvalidEmail> {
    Email::parse(&format!("member-{:03}@{}", member + 1, Email::MADE_UP_DOMAIN))
}

/// Visits of a day, and how often its visitors opened books.
pub(super) fn add_traffic(tx: &mut Tx<'_, '_>, books: &Books, day: &Traffic) -> Result<(), StoreError> {
    tx.pg.record_visitor_events(VISIT, &day.visits)?;
    let mut opens: HashMap<BookId, u64> = HashMap::new();
    for (rank, count) in day.opens.iter().enumerate().filter(|(_, count)| **count > 0) {
        if let Some(book) = Books::of_rank(&books.all, rank) {
            *opens.entry(book.id).or_default() += count;
        }
    }
    tx.pg.add_book_opens(&opens, day.midnight)
}

/// Creates an account without a password.
pub(super) fn sign_up(tx: &mut Tx<'_, '_>, member: usize, person: &Member) -> anyhow::Result<UserId> {
    let now = tx.now();
    let profile =
        Profile { first_name: person.first_name.to_owned(), last_name: person.last_name.to_owned(), timezone: None };
    let user = tx.pg.add_account(&email_of(member)?, &profile, now)?;
    tx.pg.confirm_user_email(user.id, now)?;
    Ok(user.id)
}

/// Records whose link brought a new member, and returns the link.
pub(super) fn arrive_by(
    tx: &mut Tx<'_, '_>,
    member: UserId,
    by: CameBy,
    members: &[SignedUp],
) -> Result<Option<LinkId>, StoreError> {
    let (owner, kind) = match by {
        CameBy::Friend(owner) => (owner, LinkKind::Friend),
        CameBy::Affiliate(owner) => (owner, LinkKind::Affiliate),
    };
    let links = tx.pg.links_of(members[owner].id)?;
    let Some(link) = links.into_iter().find(|link| link.kind == kind).map(|link| link.id) else { return Ok(None) };
    let now = tx.now();
    tx.pg.count_click(&link)?;
    tx.pg.note_arrival(member, &link, now)?;
    Ok(Some(link))
}

/// Redeems the code of a bought gift.
pub(super) fn redeem_gift(tx: &mut Tx<'_, '_>, member: UserId, gift: &PurchaseKey) -> anyhow::Result<()> {
    for code in tx.pg.codes_of_purchase(gift)? {
        codes::redeem_code(tx, member, &code.code)?;
    }
    Ok(())
}

/// Opens a book and reads it to `percent` of its sections, and perhaps rates it.
pub(super) fn read(
    tx: &mut Tx<'_, '_>,
    reader: UserId,
    books: &Books,
    (rank, by_plan, percent, stars): (usize, bool, i64, Option<u8>),
) -> anyhow::Result<()> {
    let (from, right) = if by_plan { (&books.all, OpeningRight::Plan) } else { (&books.free, OpeningRight::FreeBook) };
    let Some(book) = Books::of_rank(from, rank) else { return Ok(()) };
    let Some(facts) = tx.pg.book_facts(book.id)? else { return Ok(()) };
    let now = tx.now();
    tx.pg.open_book(reader, facts.id, now, |_, _| Ok(((), Some(right))))?;
    let position = i64::from(facts.sections) * percent / 100;
    let condition = history_condition(&facts, now, now)?;
    tx.pg.save_report(reader, &facts, &PositionReport::here(position, percent == 100, now), &condition, &[], now)?;
    if let Some(stars) = stars {
        let text = RATINGS[usize::from(stars.saturating_sub(3)).min(RATINGS.len() - 1)];
        tx.pg.rate_book(reader, facts.id, &Rating::new(Some(i64::from(stars)), text)?, now)?;
    }
    Ok(())
}

pub(super) fn invite(tx: &mut Tx<'_, '_>, id: UserId, (member, person): (usize, &Member)) -> anyhow::Result<()> {
    let friend = format!("friend-{:03}@{}", member + 1, Email::MADE_UP_DOMAIN);
    let form = InvitationForm { your_name: person.first_name, friend_name: "Robin", friend_email: &friend };
    Ok(invite_friend(tx, id, &Invitation::read(form)?)?)
}

pub(super) fn ask(tx: &mut Tx<'_, '_>, (member, person): (usize, &Member), text: usize) -> anyhow::Result<()> {
    let now = tx.now();
    let name = format!("{} {}", person.first_name, person.last_name);
    let message = NewMessage::contact(&name, email_of(member)?.as_str(), QUESTIONS[text])?;
    tx.pg.insert_message(&message, now)?;
    Ok(())
}

pub(super) fn ask_for_refund(tx: &mut Tx<'_, '_>, member: usize) -> anyhow::Result<()> {
    let now = tx.now();
    tx.pg.insert_message(&NewMessage::refund_request(&email_of(member)?, "the last charge", REFUND_REASON)?, now)?;
    Ok(())
}

/// Creates the year's coupon, valid from now on until the year's end, unless there is one with its code.
pub(super) fn add_coupon(transactions: &Transactions) -> anyhow::Result<()> {
    transactions.write_now_as::<_, anyhow::Error>(Actor::Operator("seed"), |tx, trail| {
        let now = tx.now();
        let code = CouponCode::parse(COUPON)?;
        let valid = Period { starts_at: now, ends_at: Some(now.plus((DAYS + 1) * DAY)) };
        let coupon = Coupon::new(code, Discount::Percent(Percent::new(COUPON_PERCENT)?), valid);
        match admin_money::save_coupon(tx, trail, &coupon, true) {
            Ok(_) | Err(AdminMoneyError::CouponExists) => Ok(()),
            Err(error) => Err(error.into()),
        }
    })
}

/// Pays out what members have earned by referrals.
pub(super) fn pay_out(transactions: &Transactions) -> anyhow::Result<()> {
    transactions.write_now_as::<_, anyhow::Error>(Actor::Operator("seed"), |tx, trail| {
        let now = tx.now();
        for earner in tx.pg.earners_after(None, Limit::clamped(Limit::MAX))? {
            let earned = tx.pg.earnings_of(earner, now)?;
            if earned.payable.cents() >= LEAST_PAYOUT {
                admin_money::pay_out(tx, trail, earner, (earned.payable, earned.paid), None)?;
            }
        }
        Ok(())
    })
}

/// Marks all messages of made-up members as done, but for those of the last days.
pub(super) fn mark_old_messages(transactions: &Transactions) -> anyhow::Result<()> {
    transactions.write_now::<_, anyhow::Error>(|tx| {
        let now = tx.now();
        let filter = MessageFilter { done: Some(false), ..MessageFilter::default() };
        let mut after = None;
        loop {
            let page = tx.pg.inbox(&filter, after, Limit::clamped(Limit::MAX))?;
            for message in &page.items {
                let is_made_up = message.email.as_ref().is_some_and(Email::is_made_up);
                if is_made_up && now.since(message.created_at) > DONE_AFTER * DAY {
                    tx.pg.mark_message(message.id, true, message.created_at.plus(DAY))?;
                }
            }
            match page.next {
                Some(next) => after = Some(next),
                None => return Ok(()),
            }
        }
    })
}
