//! The ten-day challenge (`challenge.plan-selection`): its page, drafting a plan, mailing it to a visitor, saving it.

use std::net::IpAddr;

use catalogue::{BookCard, CatalogueLists, CatalogueQueries, Goal};
use challenge::{
    BookAccess, Challenge, ChallengeError, ChallengeQueries, ChosenGoals, DraftDay, PlanDay, ReadableBooks,
    SuggestedBooks,
};
use identity::{IdentityError, RateLimitBucket};
use kernel::{BookId, Email, GoalId, InvalidEmail, StoreError, UserId, network_of};
use mail::{Mail, PlanMailBook};
use reading_progress::FREE_SUMMARIES;

use crate::{
    error::ViewError,
    rate_limits::count_attempt,
    reading_progress::reading::{ReaderAllowance, reader_allowance},
    tx::Tx,
};

/// Why a plan could not be drafted.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// The visitor's e-mail address is invalid.
    #[error(transparent)]
    Email(#[from] InvalidEmail),
    /// A rule of the challenge refuses it.
    #[error(transparent)]
    Challenge(#[from] ChallengeError),
    /// Too many plans were mailed.
    #[error(transparent)]
    Identity(#[from] IdentityError),
    /// The member's rights could not be read.
    #[error(transparent)]
    Rights(#[from] ViewError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The goals to choose from, and the viewer's own challenge.
#[derive(Clone, Debug)]
pub struct ChallengePage {
    /// All goals, in their order.
    pub goals: Vec<Goal>,
    /// The viewer's goals, in the order in which they were chosen.
    pub chosen: Vec<Goal>,
    /// The days of the viewer's saved plan whose books are still published.
    pub days: Vec<(PlanDay, BookCard)>,
}

/// Reads the challenge page for a viewer.
pub fn challenge_page<A>(tx: &mut Tx<'_, '_, A>, viewer: Option<UserId>) -> Result<ChallengePage, StoreError> {
    let goals = tx.pg.goals()?;
    let Some(member) = viewer else { return Ok(ChallengePage { goals, chosen: Vec::new(), days: Vec::new() }) };
    let plan = tx.pg.plan_of(member)?;
    let chosen = match &plan {
        Some((plan, _)) => plan.goals.clone(),
        None => tx.pg.chosen_goals(member)?,
    };
    let days = plan.map(|(_, days)| days).unwrap_or_default();
    let cards = tx.pg.book_cards(&days.iter().map(|day| day.book).collect::<Vec<_>>())?;
    let with_card = |day: PlanDay| cards.iter().find(|card| card.id == day.book).map(|card| (day, card.clone()));
    let days = days.into_iter().filter_map(with_card).collect();
    Ok(ChallengePage { chosen: named(&goals, &chosen), goals, days })
}

/// Those of the goals, in the order of the ids.
fn named(goals: &[Goal], chosen: &[GoalId]) -> Vec<Goal> {
    chosen.iter().filter_map(|id| goals.iter().find(|goal| goal.id == *id).cloned()).collect()
}

/// A plan that is not saved.
#[derive(Clone, Debug)]
pub struct DraftPlan {
    pub goals: Vec<Goal>,
    /// The books, in the order of the days, and how the viewer gets to read them.
    pub days: Vec<(BookCard, BookAccess)>,
}

/// What a viewer may read in full. A visitor has the free summaries of a new account.
fn readable_books<A>(tx: &mut Tx<'_, '_, A>, viewer: Option<UserId>) -> Result<ReadableBooks, ViewError> {
    let limited = |opened, left: u32| ReadableBooks::Limited { opened, free_summaries: left as usize };
    let Some(member) = viewer else { return Ok(limited(Vec::new(), FREE_SUMMARIES)) };
    let ReaderAllowance { allowance, opened } = reader_allowance(tx, member)?;
    Ok(allowance.map_or(ReadableBooks::All, |allowance| limited(opened, allowance.left)))
}

/// Drafts a plan. A visitor must give an e-mail address, to which the plan is mailed, within the rate limits of the network and
/// of the mailbox.
pub fn draw_up_plan(
    tx: &mut Tx<'_, '_>,
    viewer: Option<UserId>,
    address: IpAddr,
    goals: &ChosenGoals,
    email: &str,
) -> Result<DraftPlan, PlanError> {
    let recipient = match viewer {
        Some(_) => None,
        None if email.trim().is_empty() => return Err(ChallengeError::Incomplete.into()),
        None => Some(Email::parse(email)?),
    };
    let readable = readable_books(tx, viewer)?;
    let days = tx.pg.draw_up_plan(goals, viewer, &readable)?;
    let cards = tx.pg.book_cards(&days.iter().map(|day| day.book).collect::<Vec<_>>())?;
    let with_card =
        |day: DraftDay| cards.iter().find(|card| card.id == day.book).map(|card| (card.clone(), day.access));
    let days = days.into_iter().filter_map(with_card).collect();
    let plan = DraftPlan { goals: named(&tx.pg.goals()?, goals.as_slice()), days };
    if let Some(recipient) = recipient {
        count_attempt(tx, RateLimitBucket::PlanMail, &network_of(address))?;
        count_attempt(tx, RateLimitBucket::PlanMail, recipient.key())?;
        let mail = Mail::TenDayPlan {
            goals: plan.goals.iter().map(|goal| goal.draft.title.clone()).collect(),
            books: plan.days.iter().map(|(book, _)| book_of_mail(book, tx)).collect(),
            link: tx.settings.link("/ten-day-challenge"),
        };
        tx.queue_mail(&recipient, &mail)?;
    }
    Ok(plan)
}

fn book_of_mail<A>(book: &BookCard, tx: &Tx<'_, '_, A>) -> PlanMailBook {
    PlanMailBook {
        name: format!("{} by {}", book.title, book.author.name),
        link: Some(tx.settings.link(&format!("/books/{}", book.subid))),
    }
}

/// Saves a member's plan, which replaces the previous one.
pub fn save_plan(
    tx: &mut Tx<'_, '_>,
    member: UserId,
    goals: &ChosenGoals,
    books: &[BookId],
) -> Result<(), ChallengeError> {
    let now = tx.now();
    tx.pg.save_plan(member, goals, books, now)
}
