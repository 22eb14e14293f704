//! The object store that the configuration names.

use std::{fs, path::PathBuf, sync::Arc, time::Duration};

use anyhow::Context;
use object_store::{
    ClientOptions, ObjectStore, RetryConfig, aws::AmazonS3Builder, chunked::ChunkedStore, local::LocalFileSystem,
    prefix::PrefixStore,
};

use super::CHUNK;
use crate::config::{Config, MediaConfig, S3Config};

/// How long the bucket's service may take to let us in.
const CONNECT: Duration = Duration::from_secs(5);
/// How long one of its answers may take from one byte to the next.
const SILENCE: Duration = Duration::from_secs(30);

/// Opens the store; with it the folder that it is, when it is one.
pub(super) fn open(config: &Config) -> anyhow::Result<(Arc<dyn ObjectStore>, Option<PathBuf>)> {
    match &config.media {
        MediaConfig::Folder => {
            let folder = config.home.join("media");
            fs::create_dir_all(&folder).with_context(|| format!("PITH_HOME: {} can't be made", folder.display()))?;
            let store = LocalFileSystem::new_with_prefix(&folder)
                .with_context(|| format!("PITH_HOME: {} can't be used", folder.display()))?
                .with_automatic_cleanup(false)
                // What a row in the database names is on the disk before the row is.
                .with_fsync(true);
            Ok((Arc::new(ChunkedStore::new(Arc::new(store), CHUNK)), Some(folder)))
        }
        MediaConfig::S3(s3) => Ok((bucket(s3)?, None)),
    }
}

fn bucket(s3: &S3Config) -> anyhow::Result<Arc<dyn ObjectStore>> {
    let secret = String::from_utf8_lossy(s3.secret_access_key.bytes());
    let mut builder = AmazonS3Builder::new()
        .with_bucket_name(&s3.bucket)
        .with_region(&s3.region)
        .with_access_key_id(&s3.access_key_id)
        .with_secret_access_key(secret)
        .with_client_options(
            ClientOptions::new().with_connect_timeout(CONNECT).with_timeout_disabled().with_read_timeout(SILENCE),
        )
        .with_retry(RetryConfig { max_retries: 3, retry_timeout: Duration::from_secs(20), ..RetryConfig::default() });
    if let Some(endpoint) = &s3.endpoint {
        // Services of one's own have no names for their buckets.
        builder = builder
            .with_endpoint(endpoint)
            .with_allow_http(endpoint.starts_with("http://"))
            .with_virtual_hosted_style_request(false);
    }
    let store = builder.build().context("MEDIA_URL: the bucket can't be used")?;
    if s3.prefix.is_empty() {
        return Ok(Arc::new(store));
    }
    Ok(Arc::new(PrefixStore::new(store, s3.prefix.as_str())))
}
