//! Publication of posts, episodes and drafts of pages at their moments (`editorial.publication-moment`).

use jobs::{JobDefinition, JobKind, PayloadError};
use kernel::{MINUTE, StoreError};
use postgres::Pg;
use worker::TransactionalJob;

use crate::{
    editing::EditError,
    editorial::editing::{pages::publish_due_pages, podcasts::publish_due_podcasts, posts::publish_due_posts},
    tx::Transactions,
};

/// The job that publishes posts, episodes and drafts of pages whose publication moment has come.
#[derive(Debug)]
pub struct PublishPosts {
    pub transactions: Transactions,
}

impl JobDefinition for PublishPosts {
    const KIND: JobKind = JobKind::transactional("publish_posts").every(MINUTE);
    type Payload = ();

    fn decode(&self, _: &[u8]) -> Result<(), PayloadError> {
        Ok(())
    }
}

impl TransactionalJob for PublishPosts {
    fn run_transactional(&self, pg: &mut Pg<'_>, (): &()) -> Result<(), StoreError> {
        let mut tx = self.transactions.tx(pg);
        let now = tx.now();
        let published = publish_due_posts(&mut tx, now)
            .and_then(|()| publish_due_podcasts(&mut tx, now))
            .and_then(|()| publish_due_pages(&mut tx, now));
        published.map_err(|error| match error {
            EditError::Store(error) => error,
            other => StoreError::new(other),
        })
    }
}
