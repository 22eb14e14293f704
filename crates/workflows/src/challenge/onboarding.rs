//! Onboarding (`challenge.onboarding-result`): what a new member can choose, which books fit, and saving the choices.

use catalogue::{BookCard, CatalogueLists, CatalogueQueries, Category, Goal};
use challenge::{Challenge, ChallengeError, ChallengeQueries, Choices, FITTING_BOOKS, SiteFigures, SuggestedBooks};
use kernel::{StoreError, UserId};
use reading_progress::{ProgressError, ReadingProgress};

use crate::tx::Tx;

/// The data of the onboarding steps.
#[derive(Clone, Debug)]
pub struct OnboardingPage {
    pub goals: Vec<Goal>,
    pub categories: Vec<Category>,
    /// The books that the step for rating books shows.
    pub books: Vec<BookCard>,
    /// This site's statistics.
    pub figures: SiteFigures,
}

/// Reads the data of the onboarding steps, the same for everybody.
pub fn onboarding_page<A>(tx: &mut Tx<'_, '_, A>) -> Result<OnboardingPage, StoreError> {
    Ok(OnboardingPage {
        goals: tx.pg.goals()?,
        categories: tx.pg.categories()?,
        books: tx.pg.popular_books(FITTING_BOOKS)?,
        figures: tx.pg.site_figures()?,
    })
}

/// The books that fit a person's choices.
pub fn fitting_books<A>(
    tx: &mut Tx<'_, '_, A>,
    viewer: Option<UserId>,
    choices: &Choices,
) -> Result<Vec<BookCard>, StoreError> {
    let books = tx.pg.fitting_books(choices, viewer)?;
    tx.pg.book_cards(&books)
}

/// The analytics event of choosing categories (`site.own-analytics`). The categories page sends the same event.
const CATEGORIES_CHOSEN: &str = "categories_chosen";

/// Saves a person's choices in the account. A kind of choice that is empty leaves the account's choices of that kind.
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
        | ProgressError::InvalidMinutes
        | ProgressError::InvalidSummaries
        | ProgressError::TimeNotCounted
        | ProgressError::AlreadyHere => ChallengeError::UnknownCategory,
    })?;
    Ok(tx.pg.record_event(CATEGORIES_CHOSEN, Some(member), now)?)
}
