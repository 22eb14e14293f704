//! Getting started (`challenge.onboarding-result`): what can be chosen, what fits the choices, and carrying them into the account.

use catalogue::{BookCard, CatalogueLists, CatalogueQueries, Category, Goal};
use challenge::{Challenge, ChallengeError, ChallengeQueries, Choices, FITTING_BOOKS, SiteFigures, SuggestedBooks};
use kernel::{StoreError, UserId};
use reading_progress::{ProgressError, ReadingProgress};

use crate::tx::Tx;

/// What the steps show.
#[derive(Clone, Debug)]
pub struct OnboardingPage {
    /// All goals.
    pub goals: Vec<Goal>,
    /// All categories.
    pub categories: Vec<Category>,
    /// The books of the thumbs.
    pub books: Vec<BookCard>,
    /// What this instance has counted.
    pub figures: SiteFigures,
}

/// Reads what the steps show, the same for everybody.
pub fn onboarding_page<A>(tx: &mut Tx<'_, '_, A>) -> Result<OnboardingPage, StoreError> {
    Ok(OnboardingPage {
        goals: tx.pg.goals()?,
        categories: tx.pg.categories()?,
        books: tx.pg.popular_books(FITTING_BOOKS)?,
        figures: tx.pg.site_figures()?,
    })
}

/// The books that fit what a person has chosen.
pub fn fitting_books<A>(
    tx: &mut Tx<'_, '_, A>,
    viewer: Option<UserId>,
    choices: &Choices,
) -> Result<Vec<BookCard>, StoreError> {
    let books = tx.pg.fitting_books(choices, viewer)?;
    tx.pg.book_cards(&books)
}

/// The event of a member who chooses categories (`site.own-analytics`). The screen of the categories sends it too.
const CATEGORIES_CHOSEN: &str = "categories_chosen";

/// Carries what a person has chosen into the account. Choices of a kind of which nothing was chosen stay as they are.
pub fn carry_choices(tx: &mut Tx<'_, '_>, member: UserId, choices: &Choices) -> Result<(), ChallengeError> {
    if !choices.goals().is_empty() {
        tx.pg.choose_goals(member, choices.goals())?;
    }
    if choices.categories().is_empty() {
        return Ok(());
    }
    let now = tx.now();
    tx.pg.set_recommends(member, choices.categories()).map_err(|error| match error {
        ProgressError::UnknownReader => ChallengeError::UnknownMember,
        ProgressError::Store(error) => error.into(),
        ProgressError::UnknownCategory
        | ProgressError::NoCategory
        | ProgressError::RatingRequired
        | ProgressError::FeedbackTooLong
        | ProgressError::NotOpened
        | ProgressError::AlreadyHere => ChallengeError::UnknownCategory,
    })?;
    Ok(tx.pg.record_event(CATEGORIES_CHOSEN, Some(member), now)?)
}
