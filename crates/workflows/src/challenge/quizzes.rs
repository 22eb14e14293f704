//! The quizzes (`challenge.quiz-report`): results, and the detailed report for those who own it.

use billing::{BillingQueries, Entitlement};
use catalogue::{BookCard, CatalogueError, CatalogueLists, Filters, SearchQuery};
use challenge::{
    Answer, Challenge, ChallengeError, ChallengeQueries, QuizKind, QuizResult, SavedResult, Total, may_see_report,
};
use identity::IdentityQueries;
use jiff::tz::TimeZone;
use kernel::{Limit, StoreError, UserId};

use crate::{calendar::moment, tx::Tx};

/// How many earlier results a member sees.
const SHOWN_RESULTS: usize = 20;
/// How many books fit a dimension.
const FITTING_BOOKS: usize = 3;
/// Why there is no report or result.
#[derive(Debug, thiserror::Error)]
pub enum QuizError {
    /// The member owns neither the report nor a subscription.
    #[error("The detailed report comes with its plan or a subscription.")]
    NotOwned,
    /// The member has not saved a result.
    #[error("There is no result yet.")]
    NoResult,
    /// Books that fit can't be found.
    #[error(transparent)]
    Catalogue(#[from] CatalogueError),
    /// A rule of the quizzes refuses it.
    #[error(transparent)]
    Challenge(#[from] ChallengeError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Counts the answers to a quiz; a member's result is saved.
pub fn take_quiz(
    tx: &mut Tx<'_, '_>,
    viewer: Option<UserId>,
    kind: QuizKind,
    answers: &[Answer],
) -> Result<QuizResult, ChallengeError> {
    let now = tx.now();
    tx.pg.take_quiz(kind, answers, viewer, now)
}

/// The result of a quiz that a person shares, by its counts.
pub fn shared_result<A>(tx: &mut Tx<'_, '_, A>, kind: QuizKind, counts: &[u16]) -> Result<QuizResult, ChallengeError> {
    QuizResult::of_counts(kind, &tx.pg.questions(kind)?, counts)
}

/// A member's results of a quiz.
#[derive(Clone, Debug)]
pub struct QuizResults {
    /// The results, the latest first.
    pub results: Vec<SavedResult>,
    /// The member may see the detailed report.
    pub has_report: bool,
}

/// Reads a member's results of a quiz.
pub fn quiz_results<A>(tx: &mut Tx<'_, '_, A>, member: UserId, kind: QuizKind) -> Result<QuizResults, StoreError> {
    Ok(QuizResults {
        results: tx.pg.quiz_results(member, kind, SHOWN_RESULTS)?,
        has_report: owns_report(tx, member, kind)?,
    })
}

/// A plan that is bought once is owned until its payment is given back.
fn owns_report<A>(tx: &mut Tx<'_, '_, A>, member: UserId, kind: QuizKind) -> Result<bool, StoreError> {
    let now = tx.now();
    let is_subscriber = Entitlement::best(&tx.pg.entitlements_of(member, now)?, now).is_some();
    let owned = tx.pg.member_plan(member)?.items;
    Ok(may_see_report(kind, is_subscriber, owned.iter().map(|item| item.plan_id.as_str())))
}

/// The detailed report on a member's latest result.
#[derive(Clone, Debug)]
pub struct QuizReport {
    /// The result.
    pub saved: SavedResult,
    /// Each dimension with books that fit it, the greatest share first. Only those that lead have books.
    pub sections: Vec<(Total, Vec<BookCard>)>,
    /// The member's name.
    pub reader: String,
    /// The day on which the quiz was taken, in the member's time zone, as people read it.
    pub taken_on: String,
}

/// Writes the detailed report.
pub fn quiz_report<A>(tx: &mut Tx<'_, '_, A>, member: UserId, kind: QuizKind) -> Result<QuizReport, QuizError> {
    if !owns_report(tx, member, kind)? {
        return Err(QuizError::NotOwned);
    }
    let saved = tx.pg.quiz_results(member, kind, 1)?.pop().ok_or(QuizError::NoResult)?;
    let leaders = saved.result.leaders();
    let mut totals = saved.result.totals.clone();
    totals.sort_by_key(|total| std::cmp::Reverse((leaders.contains(&total.dimension), total.percent())));
    let mut sections = Vec::with_capacity(totals.len());
    for total in totals {
        let books = if leaders.contains(&total.dimension) {
            books_about(tx, total.dimension.report().search)?
        } else {
            Vec::new()
        };
        sections.push((total, books));
    }
    let user = tx.pg.user(member)?.ok_or(ChallengeError::UnknownMember)?;
    let zone = TimeZone::get(&user.timezone).unwrap_or(TimeZone::UTC);
    let taken_on = moment(saved.taken_at).to_zoned(zone).strftime("%B %-d, %Y").to_string();
    let reader = format!("{} {}", user.first_name, user.last_name).trim().to_owned();
    Ok(QuizReport { saved, sections, reader, taken_on })
}

/// Books that have one of the words, those that fit best by each word in turn.
fn books_about<A>(tx: &mut Tx<'_, '_, A>, words: &str) -> Result<Vec<BookCard>, QuizError> {
    let mut books: Vec<BookCard> = Vec::new();
    for word in words.split_whitespace() {
        let query = SearchQuery {
            text: word.to_owned(),
            filters: Filters::default(),
            after: None,
            limit: Limit::clamped(FITTING_BOOKS),
        };
        let found = tx.pg.search(&query, &|_| None)?.items.into_iter().map(|hit| hit.card);
        for book in found {
            if books.len() < FITTING_BOOKS && !book.coming_soon && books.iter().all(|one| one.id != book.id) {
                books.push(book);
            }
        }
    }
    Ok(books)
}
