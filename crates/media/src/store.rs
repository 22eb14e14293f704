//! The object store: putting, reading and deleting files by key.

use std::{
    ops::Range,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use bytes::Bytes;
use futures_util::{Stream, StreamExt, TryStreamExt, stream::BoxStream};
use kernel::{ConfigError, Env};
use object_store::{GetOptions, GetRange, ObjectStore, ObjectStoreExt, path::Path as ObjectPath};
use sha2::{Digest, Sha256};
use text_extraction::Drawer;
use tokio::{sync::Mutex, task::spawn_blocking};

use crate::{
    backend,
    config::MediaConfig,
    encoding::{ENCODINGS, Encoding},
    error::MediaError,
    incoming::{self, Incoming},
    keys::{compressed_path, is_drawing, key_of, object_path, path_of},
    recording_length::length_of,
    renditions::{Format, rendition_key, rendition_keys},
    turns::Turns,
    upload::{BATCH, CHUNK, blocking, chunks, outcome, send},
};

/// The object store, and the URLs of its files.
pub struct Media {
    store: Arc<dyn ObjectStore>,
    /// The local folder of the store; `None` for a bucket.
    folder: Option<PathBuf>,
    /// The folder of uploads in progress.
    incoming: PathBuf,
    /// Held while an uploaded picture is encoded.
    pub(crate) encoding: Mutex<()>,
    /// Rasterizes SVGs in separate processes.
    pub(crate) drawer: Drawer,
    pub(crate) turns: Turns,
    /// How long a request waits for a drawing before it gets [`MediaError::Busy`].
    pub(crate) patience: Duration,
    pub(crate) env: Arc<dyn Env>,
}

impl std::fmt::Debug for Media {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Media").field("store", &self.store).finish_non_exhaustive()
    }
}

/// A stored recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredRecording {
    pub key: String,
    pub bytes: u64,
    /// The playing time, in milliseconds.
    pub duration_ms: u64,
}

/// A stored file, or a part of it, as a stream.
pub struct StoredFile {
    /// The size of the whole file, in bytes.
    pub size: u64,
    /// The part of the file that the stream yields.
    pub range: Range<u64>,
    pub stream: BoxStream<'static, Result<Bytes, MediaError>>,
}

impl std::fmt::Debug for StoredFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StoredFile").field("size", &self.size).field("range", &self.range).finish_non_exhaustive()
    }
}

impl Media {
    /// Opens the configured store. `home` is the data folder, `patience` how long a request waits for a drawing. A bucket is not
    /// connected to yet.
    pub fn new(
        config: &MediaConfig,
        home: &Path,
        env: &Arc<dyn Env>,
        (drawer, patience): (Drawer, Duration),
    ) -> Result<Self, ConfigError> {
        let (store, folder) = backend::open(config, home)?;
        Ok(Self {
            store,
            folder,
            incoming: home.join("incoming"),
            encoding: Mutex::default(),
            drawer,
            turns: Turns::default(),
            patience,
            env: Arc::clone(env),
        })
    }

    /// Whether files can be stored: writes, reads and deletes a small one.
    ///
    /// # Errors
    /// What the store refuses.
    pub async fn check(&self) -> Result<(), MediaError> {
        let mut name = [0; 8];
        self.env.fill_random(&mut name);
        let path = ObjectPath::from(format!("checks/{}", hex::encode(name)));
        self.store.put(&path, Bytes::from_static(b"check").into()).await.map_err(MediaError::Store)?;
        let read = self.store.get(&path).await;
        self.store.delete(&path).await.map_err(MediaError::Store)?;
        read.map_err(MediaError::Store)?.bytes().await.map_err(MediaError::Store)?;
        Ok(())
    }

    /// Stores bytes under a key that contains their hash, and returns the key: `covers/walden.svg` becomes
    /// `covers/walden-1a2b3c4d.svg`. Storing the same bytes again changes nothing.
    pub async fn put(&self, name: &str, bytes: Vec<u8>) -> Result<String, MediaError> {
        let hash: [u8; 32] = Sha256::digest(&bytes).into();
        let key = key_of(name, &hash)?;
        self.put_under(&key, bytes).await?;
        Ok(key)
    }

    /// Stores bytes under a key that already contains a hash. An existing file is not overwritten.
    pub async fn put_under(&self, key: &str, bytes: Vec<u8>) -> Result<(), MediaError> {
        let path = path_of(key)?;
        if self.exists(key).await? {
            return Ok(());
        }
        if is_drawing(key) {
            // Compressed once here instead of at each request. The drawing itself is stored last: its existence
            // implies that of the compressed versions.
            for encoding in ENCODINGS {
                if let Some(compressed) = encoding.compress(&bytes) {
                    self.store.put(&compressed_path(key, encoding)?, compressed.into()).await?;
                }
            }
        }
        self.store.put(&path, bytes.into()).await?;
        Ok(())
    }

    /// [`Media::put`] for files that don't fit into memory. The file exists once the whole stream was read; when the stream ends
    /// early, or this future is dropped, nothing is stored.
    pub async fn put_stream<E>(
        &self,
        name: &str,
        stream: impl Stream<Item = Result<Bytes, E>>,
    ) -> Result<String, MediaError>
    where
        E: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let mut file = self.receive(name, stream).await?;
        let (hash, file) = blocking(move || Ok((file.finish()?, file))).await?;
        let key = key_of(name, &hash)?;
        self.place(&key, file).await?;
        Ok(key)
    }

    /// [`Media::put_stream`] for a recording; also reads its playing time.
    ///
    /// # Errors
    /// [`MediaError::NotARecording`] when the playing time can't be read; nothing is stored then.
    pub async fn put_recording<E>(
        &self,
        name: &str,
        stream: impl Stream<Item = Result<Bytes, E>>,
    ) -> Result<StoredRecording, MediaError>
    where
        E: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let mut file = self.receive(name, stream).await?;
        let read = blocking(move || {
            let hash = file.finish()?;
            let bytes = std::fs::metadata(file.path())?.len();
            Ok((hash, bytes, length_of(file.path())?, file))
        });
        let (hash, bytes, duration_ms, file) = read.await?;
        let key = key_of(name, &hash)?;
        self.place(&key, file).await?;
        Ok(StoredRecording { key, bytes, duration_ms })
    }

    /// Writes a stream to a temporary file, for a stored file of this name.
    async fn receive<E>(&self, name: &str, stream: impl Stream<Item = Result<Bytes, E>>) -> Result<Incoming, MediaError>
    where
        E: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        key_of(name, &[0; 32])?;
        let mut own_name = [0; 16];
        self.env.fill_random(&mut own_name);
        let (folder, own_name) = (self.incoming.clone(), hex::encode(own_name));
        let mut writing = spawn_blocking(move || Incoming::begin(&folder, &own_name));
        let (mut batch, mut gathered) = (Vec::new(), 0);
        let mut stream = std::pin::pin!(stream);
        let end = loop {
            match stream.next().await {
                Some(Ok(bytes)) => {
                    gathered += bytes.len();
                    batch.push(bytes);
                }
                Some(Err(error)) => break Err(MediaError::BrokeOff(error.into())),
                None => break Ok(()),
            }
            if gathered >= BATCH {
                // The previous batch is written while the next bytes arrive.
                let (file, full) = (outcome(writing).await?, std::mem::take(&mut batch));
                writing = spawn_blocking(move || file.with(&full));
                gathered = 0;
            }
        };
        // Also when the stream failed: the temporary file is gone before the caller gets the error.
        let file = outcome(writing).await?;
        end?;
        blocking(move || file.with(&batch)).await
    }

    /// [`Media::put`] for a local file of any size. The local file is not removed.
    pub async fn put_file(&self, name: &str, file: &Path) -> Result<String, MediaError> {
        let file = file.to_owned();
        let file = blocking(move || Ok(std::fs::File::open(file)?)).await?;
        self.put_stream(name, chunks(file, CHUNK)).await
    }

    /// Moves or uploads a complete temporary file to its key.
    async fn place(&self, key: &str, mut file: Incoming) -> Result<(), MediaError> {
        let path = path_of(key)?;
        if self.exists(key).await? {
            return Ok(());
        }
        if let Some(folder) = &self.folder {
            let place = folder.join(key);
            let (moved, back) = blocking(move || Ok((file.move_to(&place)?, file))).await?;
            if moved {
                return Ok(());
            }
            file = back;
        }
        let upload = self.store.put_multipart(&path).await?;
        // A task of its own: the upload is completed or aborted even when this future is dropped.
        let sent = tokio::spawn(async move {
            let source = file.path().to_owned();
            let source = blocking(move || Ok(std::fs::File::open(source)?)).await?;
            let sent = send(upload, source).await;
            drop(file);
            sent
        });
        sent.await.map_err(|error| MediaError::Disk(std::io::Error::other(error)))?
    }

    /// The content under a key, in memory; `None` when there is none. For small files.
    pub async fn bytes(&self, key: &str) -> Result<Option<Bytes>, MediaError> {
        let Ok(path) = path_of(key) else { return Ok(None) };
        match present(self.store.get(&path).await)? {
            Some(found) => Ok(Some(found.bytes().await?)),
            None => Ok(None),
        }
    }

    /// The size of the content under a key, in bytes; `None` when there is none.
    pub async fn size(&self, key: &str) -> Result<Option<u64>, MediaError> {
        let Ok(path) = path_of(key) else { return Ok(None) };
        self.size_at(&path).await
    }

    async fn size_at(&self, path: &ObjectPath) -> Result<Option<u64>, MediaError> {
        Ok(present(self.store.head(path).await)?.map(|meta| meta.size))
    }

    /// Whether there is content under a key.
    pub async fn exists(&self, key: &str) -> Result<bool, MediaError> {
        Ok(self.size(key).await?.is_some())
    }

    /// Deletes the content under a key, with all its renditions. Deleting a missing key succeeds.
    pub async fn delete(&self, key: &str) -> Result<(), MediaError> {
        // The renditions go first: as long as the file itself exists, a failed deletion can be repeated.
        let mut paths = Vec::new();
        for rendition in rendition_keys(key) {
            paths.push(path_of(&rendition)?);
        }
        if is_drawing(key) {
            for encoding in ENCODINGS {
                paths.push(compressed_path(key, encoding)?);
            }
        }
        paths.push(path_of(key)?);
        for path in paths {
            match self.store.delete(&path).await {
                Ok(()) | Err(object_store::Error::NotFound { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// The content under a key, or a part of it, as a stream; `None` when there is none.
    pub async fn get(&self, key: &str, range: Option<Range<u64>>) -> Result<Option<StoredFile>, MediaError> {
        let Ok(path) = path_of(key) else { return Ok(None) };
        self.get_at(&path, range).await
    }

    /// The stored compressed version of a drawing; `None` when there is none.
    pub async fn get_compressed(&self, key: &str, encoding: Encoding) -> Result<Option<StoredFile>, MediaError> {
        self.get_at(&compressed_path(key, encoding)?, None).await
    }

    async fn get_at(&self, path: &ObjectPath, range: Option<Range<u64>>) -> Result<Option<StoredFile>, MediaError> {
        let options = GetOptions { range: range.map(GetRange::Bounded), ..GetOptions::default() };
        let found = present(self.store.get_opts(path, options).await)?;
        Ok(found.map(|found| StoredFile {
            size: found.meta.size,
            range: found.range.clone(),
            stream: found.into_stream().map_err(MediaError::from).boxed(),
        }))
    }

    /// The URL path of a public file. Files in folders that are not public need [`UrlSigner::presign`].
    ///
    /// [`UrlSigner::presign`]: crate::UrlSigner::presign
    pub fn url(key: &str) -> String {
        format!("/media/{key}")
    }

    /// The URL of a public picture as a raster image about 512 pixels wide, for clients that don't support SVG.
    pub fn artwork_url(key: &str) -> String {
        Self::url(&match key.rsplit_once('.') {
            Some((_, "svg")) => rendition_key(key, 512, Format::Png),
            Some((_, "png")) => rendition_key(key, 640, Format::Png),
            _ => rendition_key(key, 640, Format::Jpg),
        })
    }

    /// Lists every object of the store with its size in bytes: files, renditions and compressed versions. For backups.
    pub fn objects(&self) -> BoxStream<'static, Result<(String, u64), MediaError>> {
        let listed = self.store.list(None).map_err(MediaError::from);
        listed.map_ok(|object| (object.location.to_string(), object.size)).boxed()
    }

    /// Reads an object listed by [`Media::objects`], in chunks; `None` when it was deleted in the meantime.
    pub async fn read_object(
        &self,
        path: &str,
    ) -> Result<Option<BoxStream<'static, Result<Bytes, MediaError>>>, MediaError> {
        let file = self.get_at(&object_path(path)?, None).await?;
        Ok(file.map(|file| file.stream))
    }

    /// Restores an object of a backup from a local file.
    pub async fn write_object(&self, path: &str, file: std::fs::File) -> Result<(), MediaError> {
        send(self.store.put_multipart(&object_path(path)?).await?, file).await
    }

    /// Removes the temporary files of uploads whose process was killed.
    pub async fn sweep(&self) {
        let folder = self.incoming.clone();
        match blocking(move || Ok(incoming::sweep(&folder)?)).await {
            Ok(0) => {}
            Ok(swept) => tracing::info!(swept, "uploads that never arrived were removed"),
            Err(error) => tracing::warn!(%error, "uploads that never arrived could not be removed"),
        }
    }
}

/// The result of a read; `None` when nothing is stored, also when the file system can't have a file of that name.
fn present<T>(read: object_store::Result<T>) -> Result<Option<T>, MediaError> {
    match read.map_err(MediaError::from) {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.names_nothing() => Ok(None),
        Err(error) => Err(error),
    }
}
