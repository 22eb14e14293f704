//! The quizzes (`challenge.quiz-report`): results, and the detailed report for members who own it.

use billing::{BillingQueries, Entitlement};
use catalogue::{BookCard, CatalogueError, CatalogueLists, Filters, SearchQuery};
use challenge::{
    Answer, Challenge, ChallengeError, ChallengeQueries, QuizKind, QuizResult, SavedResult, Total, may_see_report,
};
use identity::IdentityQueries;
use jiff::tz::TimeZone;
use kernel::{Limit, StoreError, UserId};

use crate::{calendar::moment, tx::Tx};

/// How many of a member's latest results are shown.
const SHOWN_RESULTS: usize = 20;
/// How many fitting books a dimension gets.
const REPORT_BOOKS: usize = 3;
/// Why there is no report or result.
#[derive(Debug, thiserror::Error)]
pub enum QuizError {
    /// The member has neither bought the report nor a subscription.
    #[error("The detailed report comes with its own plan or with a subscription.")]
    NotOwned,
    /// The member has no saved result.
    #[error("There is no result yet.")]
    NoResult,
    /// The search for fitting books failed.
    #[error(transparent)]
    Catalogue(#[from] CatalogueError),
    /// A rule of the quizzes refuses it.
    #[error(transparent)]
    Challenge(#[from] ChallengeError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Evaluates the answers to a quiz; saves the result if the viewer is a member.
pub fn take_quiz(
    tx: &mut Tx<'_, '_>,
    viewer: Option<UserId>,
    kind: QuizKind,
    answers: &[Answer],
) -> Result<QuizResult, ChallengeError> {
    let now = tx.now();
    tx.pg.take_quiz(kind, answers, viewer, now)
}

/// A shared result of a quiz, from the counts in its URL.
pub fn shared_result<A>(tx: &mut Tx<'_, '_, A>, kind: QuizKind, counts: &[u16]) -> Result<QuizResult, ChallengeError> {
    QuizResult::of_counts(kind, &tx.pg.questions(kind)?, counts)
}

/// A member's results of a quiz.
#[derive(Clone, Debug)]
pub struct QuizResults {
    /// Latest first.
    pub results: Vec<SavedResult>,
    /// Whether the member may see the detailed report.
    pub has_report: bool,
}

/// Reads a member's results of a quiz.
pub fn quiz_results<A>(tx: &mut Tx<'_, '_, A>, member: UserId, kind: QuizKind) -> Result<QuizResults, StoreError> {
    Ok(QuizResults {
        results: tx.pg.quiz_results(member, kind, SHOWN_RESULTS)?,
        has_report: owns_report(tx, member, kind)?,
    })
}

/// Whether the member may see a quiz's report: with a plan, or with a report that was bought and not refunded.
fn owns_report<A>(tx: &mut Tx<'_, '_, A>, member: UserId, kind: QuizKind) -> Result<bool, StoreError> {
    let now = tx.now();
    let is_subscriber = Entitlement::best(&tx.pg.entitlements_of(member, now)?, now).is_some();
    let owned = tx.pg.member_plan(member)?.items;
    Ok(may_see_report(kind, is_subscriber, owned.iter().map(|item| item.plan_id.as_str())))
}

/// The detailed report on a member's latest result.
#[derive(Clone, Debug)]
pub struct QuizReport {
    pub saved: SavedResult,
    /// Each dimension with fitting books, the greatest share first. Only the leading dimensions have books.
    pub sections: Vec<(Total, Vec<BookCard>)>,
    /// The member's full name.
    pub reader: String,
    /// The day of the quiz in the member's time zone, such as `June 15, 2026`.
    pub taken_on: String,
}

/// Writes the detailed report on a member's latest result.
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

/// Books that match one of the words, best matches first, word by word.
fn books_about<A>(tx: &mut Tx<'_, '_, A>, words: &str) -> Result<Vec<BookCard>, QuizError> {
    let mut books: Vec<BookCard> = Vec::new();
    for word in words.split_whitespace() {
        let query = SearchQuery {
            text: word.to_owned(),
            filters: Filters::default(),
            after: None,
            limit: Limit::clamped(REPORT_BOOKS),
        };
        let found = tx.pg.search(&query, &|_| None)?.items.into_iter().map(|hit| hit.card);
        for book in found {
            if books.len() < REPORT_BOOKS && !book.coming_soon && books.iter().all(|one| one.id != book.id) {
                books.push(book);
            }
        }
    }
    Ok(books)
}
