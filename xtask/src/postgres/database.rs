//! The product's database: `DATABASE_URL`, or the cluster in `PITH_HOME`.

use anyhow::Result;

use super::cluster::{Cluster, Kind};
use crate::checkout::Checkout;
use crate::home::Home;

/// A database that answers, for as long as this lives.
pub(crate) struct Database {
    url: String,
    cluster: Option<Cluster>,
}

impl Database {
    /// The caller holds the lock of `home`.
    pub(crate) fn open(checkout: &Checkout, home: &Home) -> Result<Self> {
        if let Some(url) = Self::given() {
            return Ok(Self { url, cluster: None });
        }
        let cluster = Cluster::start(checkout, &home.postgres(), Kind::Kept)?;
        Ok(Self { url: cluster.url(), cluster: Some(cluster) })
    }

    /// Another process holds the lock of `home` and runs its cluster.
    pub(crate) fn of_running(home: &Home) -> Result<Self> {
        let url = match Self::given() {
            Some(url) => url,
            None => Cluster::url_of_running(&home.postgres())?,
        };
        Ok(Self { url, cluster: None })
    }

    /// `DATABASE_URL`, when the operator has a server of their own.
    pub(crate) fn given() -> Option<String> {
        std::env::var("DATABASE_URL").ok().filter(|url| !url.is_empty())
    }

    /// Where it is.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Whether it is a cluster of ours.
    pub(crate) fn is_embedded(&self) -> bool {
        self.cluster.is_some()
    }

    /// `Err` when our cluster has died.
    pub(crate) fn check(&mut self) -> Result<()> {
        self.cluster.as_mut().map_or(Ok(()), Cluster::check)
    }
}
