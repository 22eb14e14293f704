//! The review of a day (`study.daily-maximum`).

use billing::{BillingQueries, Entitlement};
use kernel::{StoreError, UserId};
use study::{DayReview, FREE_CARDS, SECONDS_PER_CARD, StudyQueries, review_of_day};

use crate::{study::settings::time_zone, tx::Tx};

/// What is due today in the member's calendar.
pub fn review_today<A>(tx: &mut Tx<'_, '_, A>, member: UserId) -> Result<DayReview, StoreError> {
    let (today, now) = (time_zone(tx, member)?.day_of(tx.now()), tx.now());
    let cards = tx.pg.card_facts(member, today)?;
    let has_plan = Entitlement::best(&tx.pg.entitlements_of(member, now)?, now).is_some();
    let settings = tx.pg.study_settings(member)?;
    Ok(review_of_day(&cards, (!has_plan).then_some(FREE_CARDS), settings.daily_max, today))
}

/// About how long so many cards take, in whole minutes.
pub fn review_minutes(cards: usize) -> usize {
    let seconds = usize::try_from(SECONDS_PER_CARD).unwrap_or(usize::MAX);
    cards.saturating_mul(seconds).div_ceil(60)
}
