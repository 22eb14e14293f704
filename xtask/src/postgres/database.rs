//! The product's database: `DATABASE_URL`, or the cluster in `PITH_HOME`.

use anyhow::Result;

use super::cluster::{Cluster, Kind};
use super::urls::DatabaseUrls;
use crate::checkout::Checkout;
use crate::home::Home;

/// A running database, for as long as this value lives.
pub(crate) struct Database {
    urls: DatabaseUrls,
    cluster: Option<Cluster>,
}

impl Database {
    /// Opens the database. The caller holds the lock of `home`.
    pub(crate) fn open(checkout: &Checkout, home: &Home) -> Result<Self> {
        if let Some(urls) = Self::given() {
            return Ok(Self { urls, cluster: None });
        }
        let cluster = Cluster::start(checkout, &home.postgres(), Kind::Kept)?;
        Ok(Self { urls: cluster.urls(), cluster: Some(cluster) })
    }

    /// Connects to the cluster of the process that holds the lock of `home`.
    pub(crate) fn of_running(home: &Home) -> Result<Self> {
        let urls = match Self::given() {
            Some(urls) => urls,
            None => Cluster::urls_of_running(&home.postgres())?,
        };
        Ok(Self { urls, cluster: None })
    }

    /// `DATABASE_URL` and `DATABASE_OWNER_URL`, if the operator has their own Postgres.
    pub(crate) fn given() -> Option<DatabaseUrls> {
        let var = |name| std::env::var(name).ok().filter(|url| !url.is_empty());
        Some(DatabaseUrls { application: var("DATABASE_URL")?, owner: var("DATABASE_OWNER_URL") })
    }

    pub(crate) fn urls(&self) -> &DatabaseUrls {
        &self.urls
    }

    /// Whether it is one of our clusters.
    pub(crate) fn is_embedded(&self) -> bool {
        self.cluster.is_some()
    }

    /// Fails when our cluster has died.
    pub(crate) fn check(&mut self) -> Result<()> {
        self.cluster.as_mut().map_or(Ok(()), Cluster::check)
    }
}
