//! Publication of posts and episodes: draft, scheduled, published.

use kernel::Timestamp;

/// Whether the public sees a post or an episode (`editorial.publication-moment`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Publication {
    /// Only editors see it.
    Draft,
    /// Only editors see it until this moment.
    Scheduled(Timestamp),
    Published,
}

impl Publication {
    /// The state of a stored row: whether it is published, and the moment at which it will be.
    pub fn from_parts(published: bool, publish_at: Option<Timestamp>) -> Self {
        if published { Self::Published } else { publish_at.map_or(Self::Draft, Self::Scheduled) }
    }

    pub const fn is_published(self) -> bool {
        matches!(self, Self::Published)
    }

    /// The moment at which it will be published; `None` unless it is scheduled.
    pub const fn publish_at(self) -> Option<Timestamp> {
        match self {
            Self::Scheduled(at) => Some(at),
            Self::Draft | Self::Published => None,
        }
    }
}

/// An editor's changes to a publication. A field that is `None` stays as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PublicationEdit {
    pub published: Option<bool>,
    /// When it is published; a moment that is not in the future means now. `Some(None)` clears the moment.
    pub publish_at: Option<Option<Timestamp>>,
}

impl PublicationEdit {
    /// The publication and the date of a new row: published now, unless the edit says otherwise.
    pub fn of_new(self, now: Timestamp) -> (Publication, Timestamp) {
        let there = if self.publish_at.flatten().is_some() { Publication::Draft } else { Publication::Published };
        self.applied(there, now, now)
    }

    /// The publication with the edit applied, and the date that the public sees. `date` is the present one: it stays
    /// while the row stays published, is the moment of a scheduled row, and otherwise the moment of the change.
    pub fn applied(self, there: Publication, date: Timestamp, now: Timestamp) -> (Publication, Timestamp) {
        let published = self.published.unwrap_or_else(|| there.is_published());
        let publish_at = self.publish_at.unwrap_or_else(|| there.publish_at());
        let is_due = publish_at.is_some_and(|at| at <= now);
        let next = Publication::from_parts(published || is_due, publish_at);
        let date = match (there, next) {
            (_, Publication::Scheduled(at)) => at,
            (Publication::Scheduled(at), Publication::Published) if at <= now => at,
            (Publication::Draft | Publication::Scheduled(_), Publication::Published)
            | (Publication::Scheduled(_), Publication::Draft) => now,
            (Publication::Published, _) | (Publication::Draft, Publication::Draft) => date,
        };
        (next, date)
    }
}

#[cfg(test)]
mod tests {
    use kernel::{DAY, HOUR};
    use proptest::prelude::*;

    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(20_000 * DAY);
    const LATER: Timestamp = Timestamp::from_millis(20_000 * DAY + HOUR);
    const DATE: Timestamp = Timestamp::from_millis(19_000 * DAY);

    const fn at(moment: Timestamp) -> PublicationEdit {
        PublicationEdit { published: None, publish_at: Some(Some(moment)) }
    }

    #[test]
    fn a_new_row_is_published_now_unless_the_edit_says_otherwise() {
        let new = |edit: PublicationEdit| edit.of_new(NOW);
        assert_eq!(new(PublicationEdit::default()), (Publication::Published, NOW));
        let draft = PublicationEdit { published: Some(false), publish_at: None };
        assert_eq!(new(draft), (Publication::Draft, NOW));
        assert_eq!(new(at(LATER)), (Publication::Scheduled(LATER), LATER));
        assert_eq!(new(at(DATE)), (Publication::Published, NOW));
    }

    #[test]
    fn a_published_row_keeps_its_date_and_a_draft_gets_that_of_its_publication() {
        let publish = PublicationEdit { published: Some(true), publish_at: Some(None) };
        assert_eq!(publish.applied(Publication::Published, DATE, NOW), (Publication::Published, DATE));
        assert_eq!(publish.applied(Publication::Draft, DATE, NOW), (Publication::Published, NOW));
        assert_eq!(publish.applied(Publication::Scheduled(LATER), LATER, NOW), (Publication::Published, NOW));
        // Any edit of a row whose moment has come publishes it.
        let due = PublicationEdit::default().applied(Publication::Scheduled(LATER), LATER, LATER.plus(HOUR));
        assert_eq!(due, (Publication::Published, LATER));
        let withdraw = PublicationEdit { published: Some(false), publish_at: Some(None) };
        assert_eq!(withdraw.applied(Publication::Published, DATE, NOW), (Publication::Draft, DATE));
        assert_eq!(withdraw.applied(Publication::Scheduled(LATER), LATER, NOW), (Publication::Draft, NOW));
    }

    proptest! {
        #[test]
        fn no_moment_that_has_come_stays_and_no_published_row_is_dated_in_the_future(
            published: bool,
            at in prop::option::of(-2..=2_i64),
            edited in prop::option::of(any::<bool>()),
            edited_at in prop::option::of(prop::option::of(-2..=2_i64)),
        ) {
            let there = Publication::from_parts(published, at.map(|at| NOW.plus(at)));
            let publish_at = edited_at.map(|at| at.map(|at| NOW.plus(at)));
            let date = there.publish_at().unwrap_or(DATE);
            let (next, date) = PublicationEdit { published: edited, publish_at }.applied(there, date, NOW);
            prop_assert!(next.publish_at().is_none_or(|at| at > NOW && at == date));
            prop_assert!(next.publish_at().is_some() || date <= NOW);
        }
    }
}
