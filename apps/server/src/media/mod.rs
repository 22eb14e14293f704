//! Covers, audio and other files, in an object store.
//!
//! A key holds a hash of what lies under it, so what an address answers never changes and may be kept for ever. Which
//! folders there are, and who may fetch from each, is one table: [`FOLDERS`].

pub(crate) mod cards;
mod error;
mod folders;
mod forms;
mod incoming;
mod pictures;
mod range;
pub(crate) mod serve;
mod signed;
mod store;

use std::{ops::Range, path::PathBuf, sync::Arc, time::SystemTime};

use bytes::Bytes;
use futures_util::{Stream, StreamExt, stream::BoxStream};
use kernel::{Env, Timestamp, UserId};
use object_store::{GetOptions, GetRange, MultipartUpload, ObjectStore, ObjectStoreExt, PutPayload, path::Path};
use sha2::{Digest, Sha256};
use tokio::{sync::Mutex, task::spawn_blocking};

pub use self::{
    error::{MediaError, PictureError},
    folders::{Audience, FOLDERS, Folder, Kind, place_of},
    forms::{Format, WIDTHS, form_of},
    pictures::{MOST_BYTES, MOST_PIXELS, PICTURE_WIDTHS},
    signed::{LIVES_AT_LEAST, SLOT, SignedAddress, Signer},
};
use self::{folders::SVG, incoming::Incoming};
use crate::{app::App, cache::Encoding, config::Config, error::ApiError};

/// The compressed forms of a drawing, the smaller one first.
const ENCODINGS: [Encoding; 2] = [Encoding::Brotli, Encoding::Gzip];
/// The bytes of a file that are in memory at once on their way to a bucket.
const PART: usize = 8 * 1024 * 1024;
/// The bytes of a file that are read from the disk at once.
const CHUNK: usize = 256 * 1024;

/// The object store and the addresses of what is in it.
pub struct Media {
    store: Arc<dyn ObjectStore>,
    /// The folder that is the store; none when it is a bucket.
    folder: Option<PathBuf>,
    /// Where files are written before they are in the store.
    incoming: PathBuf,
    /// Held while pixels are made.
    at_work: Mutex<()>,
    env: Arc<dyn Env>,
}

impl std::fmt::Debug for Media {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Media").field("store", &self.store).finish_non_exhaustive()
    }
}

/// A file of the store, or a part of it, on its way out.
pub(crate) struct Found {
    /// The size of the whole file, in bytes.
    pub(crate) size: u64,
    /// Which of them come.
    pub(crate) range: Range<u64>,
    /// The bytes.
    pub(crate) stream: BoxStream<'static, object_store::Result<Bytes>>,
}

impl Media {
    /// Opens the store that the configuration names. A bucket is not asked for yet.
    pub fn new(config: &Config, env: &Arc<dyn Env>) -> anyhow::Result<Self> {
        let (store, folder) = store::open(config)?;
        Ok(Self {
            store,
            folder,
            incoming: config.home.join("incoming"),
            at_work: Mutex::default(),
            env: Arc::clone(env),
        })
    }

    /// Puts bytes under a key with their hash in it: `covers/walden.svg` becomes `covers/walden-1a2b3c4d.svg`.
    /// Gives the key. Putting the same again changes nothing.
    pub async fn put(&self, name: &str, bytes: Vec<u8>) -> Result<String, MediaError> {
        let hash: [u8; 32] = Sha256::digest(&bytes).into();
        let key = key_of(name, &hash)?;
        self.put_under(&key, bytes).await?;
        Ok(key)
    }

    /// Puts bytes under a key that says already what they are. What is there stays.
    pub(crate) async fn put_under(&self, key: &str, bytes: Vec<u8>) -> Result<(), MediaError> {
        let path = path_of(key)?;
        if self.exists(key).await? {
            return Ok(());
        }
        if is_drawing(key) {
            // Compressed once, here, and not at each request. The picture itself comes last: once it is there,
            // the others are.
            for encoding in ENCODINGS {
                if let Some(compressed) = encoding.compress(&bytes) {
                    self.store.put(&compressed_path(key, encoding)?, compressed.into()).await?;
                }
            }
        }
        self.store.put(&path, bytes.into()).await?;
        Ok(())
    }

    /// [`Media::put`] for what is too large for memory. The file is there once all of it has come; when the stream
    /// breaks off, or whoever waits for this stops waiting, nothing is left of it.
    pub async fn put_stream<E>(
        &self,
        name: &str,
        stream: impl Stream<Item = Result<Bytes, E>>,
    ) -> Result<String, MediaError>
    where
        E: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        key_of(name, &[0; 32])?;
        let mut own_name = [0; 16];
        self.env.fill_random(&mut own_name);
        let (folder, own_name) = (self.incoming.clone(), hex::encode(own_name));
        let mut file = blocking(move || Incoming::begin(&folder, &own_name)).await?;
        let mut stream = std::pin::pin!(stream);
        while let Some(bytes) = stream.next().await {
            let bytes = bytes.map_err(|error| MediaError::BrokeOff(error.into()))?;
            file = blocking(move || file.write(&bytes).map(|()| file)).await?;
        }
        let (hash, file) = blocking(move || Ok((file.finish()?, file))).await?;
        let key = key_of(name, &hash)?;
        self.place(&key, file).await?;
        Ok(key)
    }

    /// Puts a file of the disk, whatever its size; it stays where it is.
    pub async fn put_file(&self, name: &str, file: &std::path::Path) -> Result<String, MediaError> {
        let file = file.to_owned();
        let file = blocking(move || Ok(std::fs::File::open(file)?)).await?;
        self.put_stream(name, chunks(file, CHUNK)).await
    }

    /// Puts a file that has arrived under its key.
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
        // A task of its own: when whoever waits has gone, it is finished or taken back all the same.
        let sent = tokio::spawn(async move {
            let source = file.path().to_owned();
            let source = blocking(move || Ok(std::fs::File::open(source)?)).await?;
            let sent = send(upload, source).await;
            drop(file);
            sent
        });
        sent.await.map_err(|error| MediaError::Disk(std::io::Error::other(error)))?
    }

    /// What lies under a key, all of it at once; `None` when nothing does. For files of which the memory holds several.
    pub async fn bytes(&self, key: &str) -> Result<Option<Bytes>, MediaError> {
        let Ok(path) = path_of(key) else { return Ok(None) };
        match self.store.get(&path).await {
            Ok(found) => Ok(Some(found.bytes().await?)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// The size of what lies under a key, in bytes; `None` when nothing does.
    pub async fn size(&self, key: &str) -> Result<Option<u64>, MediaError> {
        let Ok(path) = path_of(key) else { return Ok(None) };
        self.size_at(&path).await
    }

    async fn size_at(&self, path: &Path) -> Result<Option<u64>, MediaError> {
        match self.store.head(path).await {
            Ok(meta) => Ok(Some(meta.size)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Whether something lies under a key.
    pub async fn exists(&self, key: &str) -> Result<bool, MediaError> {
        Ok(self.size(key).await?.is_some())
    }

    /// Removes what lies under a key, in all its forms. Removing what is not there changes nothing.
    pub async fn delete(&self, key: &str) -> Result<(), MediaError> {
        // The forms go first: as long as the file itself is there, this can be begun again.
        let mut paths = Vec::new();
        for form in forms::all_forms_of(key) {
            paths.push(path_of(&form)?);
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

    /// What lies under a key, or a part of it, as a stream; `None` when nothing does.
    pub(crate) async fn get(&self, key: &str, range: Option<Range<u64>>) -> Result<Option<Found>, MediaError> {
        let Ok(path) = path_of(key) else { return Ok(None) };
        self.get_at(&path, range).await
    }

    /// The drawing under a key, compressed in this way; `None` when there is no such form.
    async fn get_compressed(&self, key: &str, encoding: Encoding) -> Result<Option<Found>, MediaError> {
        self.get_at(&compressed_path(key, encoding)?, None).await
    }

    async fn get_at(&self, path: &Path, range: Option<Range<u64>>) -> Result<Option<Found>, MediaError> {
        let options = GetOptions { range: range.map(GetRange::Bounded), ..GetOptions::default() };
        match self.store.get_opts(path, options).await {
            Ok(found) => {
                Ok(Some(Found { size: found.meta.size, range: found.range.clone(), stream: found.into_stream() }))
            }
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// The address at which a browser fetches a key of a public folder.
    pub fn address(key: &str) -> String {
        format!("/media/{key}")
    }

    /// The address at which a reader (`None`: anybody) fetches a key of a folder that is not public, for some hours.
    /// Whoever calls this has decided that they may. For many keys take [`App::signer`].
    pub async fn signed(
        app: &App,
        key: &str,
        reader: Option<UserId>,
        now: Timestamp,
    ) -> Result<SignedAddress, ApiError> {
        Ok(app.signer().await?.address(key, reader, now))
    }

    /// Removes what was left behind by a process that was killed while it stored a file.
    pub async fn sweep(&self, now: Timestamp) {
        let folder = self.incoming.clone();
        let now = SystemTime::UNIX_EPOCH + std::time::Duration::from_millis(now.millis().unsigned_abs());
        match blocking(move || Ok(incoming::sweep(&folder, now)?)).await {
            Ok(0) => {}
            Ok(swept) => tracing::info!(swept, "files that never arrived were removed"),
            Err(error) => tracing::warn!(%error, "files that never arrived could not be removed"),
        }
    }
}

/// The key under which content with this hash is stored.
fn key_of(name: &str, hash: &[u8; 32]) -> Result<String, MediaError> {
    let bad_name = || MediaError::BadName(name.to_owned());
    place_of(name).ok_or_else(bad_name)?;
    let (stem, ending) = name.rsplit_once('.').ok_or_else(bad_name)?;
    Ok(format!("{stem}-{}.{ending}", hex::encode(&hash[..6])))
}

/// Where a key lies in the store.
fn path_of(key: &str) -> Result<Path, MediaError> {
    let bad_name = || MediaError::BadName(key.to_owned());
    place_of(key).ok_or_else(bad_name)?;
    Path::parse(key).map_err(|_| bad_name())
}

/// Where the compressed form of a drawing lies: beside it, under no address of its own.
fn compressed_path(key: &str, encoding: Encoding) -> Result<Path, MediaError> {
    Path::parse(format!("{key}.{}", encoding.ending())).map_err(|_| MediaError::BadName(key.to_owned()))
}

fn is_drawing(key: &str) -> bool {
    place_of(key).is_some_and(|(_, kind)| kind == SVG)
}

/// Sends a file to a bucket, a part at a time; all of it or nothing.
async fn send(mut upload: Box<dyn MultipartUpload>, file: std::fs::File) -> Result<(), MediaError> {
    let sent = send_parts(&mut *upload, file).await;
    if sent.is_err() {
        // Parts that stay behind would cost money and be seen by nobody.
        if let Err(error) = upload.abort().await {
            tracing::warn!(%error, "an upload that broke off could not be taken back");
        }
    }
    sent
}

async fn send_parts(upload: &mut dyn MultipartUpload, file: std::fs::File) -> Result<(), MediaError> {
    let mut parts = std::pin::pin!(chunks(file, PART));
    while let Some(part) = parts.next().await {
        upload.put_part(PutPayload::from(part?)).await?;
    }
    upload.complete().await?;
    Ok(())
}

/// A file's bytes, so many at a time: each full but the last, at least one.
fn chunks(file: std::fs::File, size: usize) -> impl Stream<Item = std::io::Result<Bytes>> {
    futures_util::stream::try_unfold((file, true), move |(mut file, first)| async move {
        let read = spawn_blocking(move || {
            use std::io::Read;
            let mut buffer = Vec::with_capacity(size);
            (&mut file).take(size as u64).read_to_end(&mut buffer)?;
            Ok::<_, std::io::Error>((buffer, file))
        });
        let (buffer, file) = read.await.map_err(std::io::Error::other)??;
        Ok((first || !buffer.is_empty()).then(|| (Bytes::from(buffer), (file, false))))
    })
}

/// Runs what waits for the disk where waiting hurts nobody.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, MediaError> + Send + 'static,
) -> Result<T, MediaError> {
    spawn_blocking(work).await.map_err(|error| MediaError::Disk(std::io::Error::other(error)))?
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use futures_util::FutureExt;
    use object_store::{PutResult, UploadPart};

    use super::*;

    /// An upload that fails at a part of this number, and what was done with it.
    #[derive(Clone, Debug, Default)]
    struct Upload(Arc<Counts>);

    #[derive(Debug, Default)]
    struct Counts {
        fails_at: usize,
        parts: AtomicUsize,
        largest: AtomicUsize,
        completed: AtomicUsize,
        aborted: AtomicUsize,
    }

    #[async_trait::async_trait]
    impl MultipartUpload for Upload {
        fn put_part(&mut self, data: PutPayload) -> UploadPart {
            let number = self.0.parts.fetch_add(1, Ordering::SeqCst) + 1;
            self.0.largest.fetch_max(data.content_length(), Ordering::SeqCst);
            let failed = number == self.0.fails_at;
            async move {
                if failed {
                    Err(object_store::Error::NotImplemented { operation: String::new(), implementer: String::new() })
                } else {
                    Ok(())
                }
            }
            .boxed()
        }

        async fn complete(&mut self) -> object_store::Result<PutResult> {
            self.0.completed.fetch_add(1, Ordering::SeqCst);
            Ok(PutResult { e_tag: None, version: None, extensions: object_store::Extensions::default() })
        }

        async fn abort(&mut self) -> object_store::Result<()> {
            self.0.aborted.fetch_add(1, Ordering::SeqCst);
            Ok(())
        }
    }

    fn file(bytes: u64) -> std::fs::File {
        let file = tempfile::tempfile().unwrap();
        file.set_len(bytes).unwrap();
        file
    }

    #[actix_web::test]
    async fn a_file_goes_to_a_bucket_in_parts_and_is_taken_back_when_one_fails() {
        let size = PART as u64 * 2 + 1;
        let good = Upload::default();
        send(Box::new(good.clone()), file(size)).await.unwrap();
        let count = |number: &AtomicUsize| number.load(Ordering::SeqCst);
        assert_eq!((count(&good.0.parts), count(&good.0.largest)), (3, PART));
        assert_eq!((count(&good.0.completed), count(&good.0.aborted)), (1, 0));
        let bad = Upload(Arc::new(Counts { fails_at: 2, ..Counts::default() }));
        assert!(send(Box::new(bad.clone()), file(size)).await.is_err());
        assert_eq!((count(&bad.0.parts), count(&bad.0.completed), count(&bad.0.aborted)), (2, 0, 1));
        let empty = Upload::default();
        send(Box::new(empty.clone()), file(0)).await.unwrap();
        assert_eq!((count(&empty.0.parts), count(&empty.0.completed)), (1, 1), "an empty file is a file");
    }
}
