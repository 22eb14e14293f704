//! Opens the configured object store: a local folder or an S3 bucket.

use std::{
    fmt::Display,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use kernel::ConfigError;
use object_store::{
    ClientOptions, ObjectStore, RetryConfig, aws::AmazonS3Builder, chunked::ChunkedStore, local::LocalFileSystem,
    prefix::PrefixStore,
};

use crate::{
    config::{MediaConfig, S3Config},
    upload::CHUNK,
};

/// Timeout for connecting to the S3 service.
const CONNECT: Duration = Duration::from_secs(5);
/// Read timeout: the longest gap between two bytes of a response.
const SILENCE: Duration = Duration::from_secs(30);

/// Opens the store. The path is the local folder; `None` for a bucket.
pub(crate) fn open(config: &MediaConfig, home: &Path) -> Result<(Arc<dyn ObjectStore>, Option<PathBuf>), ConfigError> {
    match config {
        MediaConfig::Folder => {
            let folder = home.join("media");
            let unusable = |what: &str, error: &dyn Display| {
                ConfigError::new("PITH_HOME", format!("{} can't be {what}: {error}", folder.display()))
            };
            fs::create_dir_all(&folder).map_err(|error| unusable("made", &error))?;
            let store = LocalFileSystem::new_with_prefix(&folder)
                .map_err(|error| unusable("used", &error))?
                .with_automatic_cleanup(false)
                // A file is on the disk before the database row that names it is committed.
                .with_fsync(true);
            Ok((Arc::new(ChunkedStore::new(Arc::new(store), CHUNK)), Some(folder)))
        }
        MediaConfig::S3(s3) => Ok((bucket(s3, "MEDIA_URL")?, None)),
    }
}

/// Opens the bucket that a variable names.
pub(crate) fn bucket(s3: &S3Config, variable: &'static str) -> Result<Arc<dyn ObjectStore>, ConfigError> {
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
        // Self-hosted S3 services usually have no host name per bucket.
        builder = builder
            .with_endpoint(endpoint)
            .with_allow_http(endpoint.starts_with("http://"))
            .with_virtual_hosted_style_request(false);
    }
    let store =
        builder.build().map_err(|error| ConfigError::new(variable, format!("the bucket can't be used: {error}")))?;
    if s3.prefix.is_empty() {
        return Ok(Arc::new(store));
    }
    Ok(Arc::new(PrefixStore::new(store, s3.prefix.as_str())))
}
