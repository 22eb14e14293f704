//! The days that count for a member's streak beside those of reading.

use kernel::{Day, StoreError, UserId};
use study::StudyQueries;

use crate::tx::Tx;

/// The days on which the member has answered review cards, if these count for the streak (`study.review-streak`).
pub fn review_days<A>(tx: &mut Tx<'_, '_, A>, member: UserId) -> Result<Vec<Day>, StoreError> {
    if !tx.pg.study_settings(member)?.counts_for_streak {
        return Ok(Vec::new());
    }
    Ok(tx.pg.answer_days(member)?.into_iter().map(|(day, _)| day).collect())
}
