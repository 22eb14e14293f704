//! A person's choices during onboarding, and the figures about the site that it shows (`challenge.onboarding-result`).

use kernel::{CategoryId, GoalId};

use crate::{ChallengeError, plan::distinct};

/// The progress bar at each step before the counter, in percent (`challenge.onboarding-progress`). The last two steps
/// share the last value.
pub const ONBOARDING_PROGRESS: [u8; 5] = [0, 33, 50, 67, 83];
/// The number of books that `/secret` shows, and the step in which a person says yes or no to each
/// (`challenge.onboarding-result`).
pub const FITTING_BOOKS: usize = 5;
/// The most goals, and the most categories, that a person can choose: more than any page offers.
pub const MAX_CHOICES: usize = 50;

/// The goals and categories that a person has chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    goals: Vec<GoalId>,
    categories: Vec<CategoryId>,
}

impl Choices {
    /// Removes repeated choices; there may be none at all. [`ChallengeError::TooManyChoices`] above [`MAX_CHOICES`].
    pub fn new(goals: &[GoalId], categories: &[CategoryId]) -> Result<Self, ChallengeError> {
        let choices = Self { goals: distinct(goals.iter().copied()), categories: distinct(categories.iter().copied()) };
        if choices.goals.len() > MAX_CHOICES || choices.categories.len() > MAX_CHOICES {
            return Err(ChallengeError::TooManyChoices);
        }
        Ok(choices)
    }

    pub fn goals(&self) -> &[GoalId] {
        &self.goals
    }

    pub fn categories(&self) -> &[CategoryId] {
        &self.categories
    }
}

/// Figures that this instance has counted; zeros are not shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SiteFigures {
    /// The number of people who have completed a summary.
    pub readers: u64,
    /// The number of views of full summaries.
    pub reads: u64,
    /// The number of ratings.
    pub ratings: u64,
    /// The sum of the ratings' stars.
    pub stars: u64,
}

impl SiteFigures {
    /// The mean rating in tenths of a star, rounded half up; `None` without a rating.
    pub fn mean_tenths(self) -> Option<u64> {
        (self.ratings > 0).then(|| (self.stars * 20 + self.ratings) / (self.ratings * 2))
    }
}

#[cfg(test)]
mod tests {
    use kernel::{CategoryId, GoalId};

    use super::{Choices, MAX_CHOICES, SiteFigures};
    use crate::ChallengeError;

    #[test]
    fn choices_count_once_and_are_bounded() {
        let goals = [2, 1, 2].map(GoalId::from_store);
        let choices = Choices::new(&goals, &[CategoryId::from_store(7); 3]).unwrap();
        assert_eq!((choices.goals(), choices.categories().len()), (&goals[..2], 1));
        assert_eq!(Choices::new(&[], &[]).unwrap(), Choices::default());
        let many: Vec<GoalId> = (1..).take(MAX_CHOICES + 1).map(GoalId::from_store).collect();
        assert!(matches!(Choices::new(&many, &[]), Err(ChallengeError::TooManyChoices)));
        assert!(Choices::new(&many[1..], &[]).is_ok());
    }

    #[test]
    fn a_mean_rating_needs_a_rating() {
        assert_eq!(SiteFigures::default().mean_tenths(), None);
        let figures = SiteFigures { ratings: 4, stars: 17, ..SiteFigures::default() };
        assert_eq!(figures.mean_tenths(), Some(43));
    }
}
