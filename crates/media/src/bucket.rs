//! A bucket that holds other files than media: backups.

use std::{fs::File, sync::Arc};

use futures_util::TryStreamExt;
use kernel::ConfigError;
use object_store::{ObjectStore, ObjectStoreExt, path::Path as ObjectPath};

use crate::{backend, config::S3Config, error::MediaError, upload::send};

/// A bucket, or the part of one under a prefix.
#[derive(Clone, Debug)]
pub struct Bucket {
    store: Arc<dyn ObjectStore>,
}

impl Bucket {
    /// Opens the bucket that a variable names. It is not connected to yet.
    pub fn open(config: &S3Config, variable: &'static str) -> Result<Self, ConfigError> {
        Ok(Self { store: backend::bucket(config, variable)? })
    }

    /// Uploads a file. It has its name when it is complete.
    pub async fn upload(&self, name: &str, file: File) -> Result<(), MediaError> {
        let path = ObjectPath::from(name);
        let size = file.metadata()?.len();
        send(self.store.put_multipart(&path).await?, file).await?;
        let stored = self.store.head(&path).await?.size;
        if stored == size {
            return Ok(());
        }
        Err(MediaError::Disk(std::io::Error::other(format!("of {size} bytes {stored} were stored"))))
    }

    /// The names of all files.
    pub async fn names(&self) -> Result<Vec<String>, MediaError> {
        let objects: Vec<_> = self.store.list(None).try_collect().await?;
        Ok(objects.into_iter().map(|object| object.location.to_string()).collect())
    }

    /// Deletes a file.
    pub async fn delete(&self, name: &str) -> Result<(), MediaError> {
        Ok(self.store.delete(&ObjectPath::from(name)).await?)
    }
}
