//! Multipart uploads to a bucket, and files read in chunks.

use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use object_store::{MultipartUpload, PutPayload};
use tokio::task::{JoinHandle, spawn_blocking};

use crate::error::MediaError;

/// The size of one part of an upload to a bucket, in bytes. One part is in memory at a time.
const PART: usize = 8 * 1024 * 1024;
/// How many bytes of an upload are hashed and written in one step, while the next ones arrive.
pub(crate) const BATCH: usize = 1024 * 1024;
/// How many bytes of a file are read from the disk in one step.
pub(crate) const CHUNK: usize = 256 * 1024;

/// Uploads a file to a bucket, one part at a time; an upload that fails is aborted.
pub(crate) async fn send(mut upload: Box<dyn MultipartUpload>, file: std::fs::File) -> Result<(), MediaError> {
    let sent = send_parts(&mut *upload, file).await;
    if sent.is_err() {
        // Orphaned parts cost money and appear in no listing.
        if let Err(error) = upload.abort().await {
            tracing::warn!(%error, "an upload that failed could not be aborted");
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

/// Reads a file in chunks of `size` bytes. Only the last one may be shorter; an empty file gives one empty chunk.
pub(crate) fn chunks(file: std::fs::File, size: usize) -> impl Stream<Item = std::io::Result<Bytes>> {
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

/// Runs blocking disk work on the blocking thread pool.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, MediaError> + Send + 'static,
) -> Result<T, MediaError> {
    outcome(spawn_blocking(work)).await
}

/// Runs work that waits for another process on a new thread: the blocking thread pool is small.
pub(crate) async fn on_own_thread<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, MediaError> + Send + 'static,
) -> Result<T, MediaError> {
    let (sender, done) = tokio::sync::oneshot::channel();
    // Sending fails only when the runtime has ended and nobody waits.
    std::thread::Builder::new().spawn(move || drop(sender.send(work())))?;
    done.await.map_err(|error| MediaError::Disk(std::io::Error::other(error)))?
}

/// Waits for blocking disk work that was started with [`spawn_blocking`].
pub(crate) async fn outcome<T>(work: JoinHandle<Result<T, MediaError>>) -> Result<T, MediaError> {
    work.await.map_err(|error| MediaError::Disk(std::io::Error::other(error)))?
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    };

    use futures_util::FutureExt;
    use object_store::{PutResult, UploadPart};

    use super::*;

    /// An upload that fails at a given part, and counts the calls to it.
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

    #[tokio::test]
    async fn a_multipart_upload_is_aborted_when_a_part_fails() {
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
