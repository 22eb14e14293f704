//! The scheduled job that ranks what is trending.

use std::sync::Arc;

use catalogue::CatalogueStore;
use jobs::{JobDefinition, JobKind, PayloadError};
use kernel::{Env, MINUTE, StoreError};
use postgres::Pg;
use worker::TransactionalJob;

/// Ranks what is trending, by the clock.
pub(super) struct RankTrending(pub(super) Arc<dyn Env>);

impl JobDefinition for RankTrending {
    const KIND: JobKind = JobKind::transactional("rank_trending").every(MINUTE);
    type Payload = ();

    fn decode(&self, _: &[u8]) -> Result<(), PayloadError> {
        Ok(())
    }
}

impl TransactionalJob for RankTrending {
    fn run_transactional(&self, pg: &mut Pg<'_>, (): &()) -> Result<(), StoreError> {
        pg.refresh_trending(self.0.now())
    }
}
