//! Errors of the object store and of uploaded pictures.

use std::io;

/// A file could not be stored or fetched.
#[derive(Debug, thiserror::Error)]
pub enum MediaError {
    /// No folder accepts a file of this name: a programming error.
    #[error("no folder takes a file named '{0}'")]
    BadName(String),
    /// The stream of an upload ended early.
    #[error("the file broke off: {0}")]
    BrokeOff(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// An uploaded picture or drawing is not usable.
    #[error("{0}")]
    Picture(#[from] PictureError),
    /// An uploaded recording has no readable length, so it can't be played.
    #[error("This is not a recording that we can play. Please use MP3, M4A, OGG or WAV.")]
    NotARecording,
    /// A picture is still being drawn; retry in a moment.
    #[error("the picture is still being drawn")]
    Busy,
    /// The disk or the store is full.
    #[error("the file store is full")]
    Full,
    /// The object store failed.
    #[error("the file store failed: {0}")]
    Store(#[source] object_store::Error),
    /// The disk failed.
    #[error("the disk failed: {0}")]
    Disk(#[source] io::Error),
}

/// An uploaded picture can't be used. The texts are shown to the member who uploaded it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PictureError {
    /// It is not a JPEG, PNG or WebP, or is broken.
    #[error("This is not a picture that we can read. Please use JPEG, PNG or WebP.")]
    NotAPicture,
    /// It is not an SVG, has a document type, or is nested too deeply.
    #[error("This drawing can't be read. Please save it as a plain SVG and try again.")]
    NotADrawing,
    /// A drawing has too many elements, copies or dashes, or takes too much time or memory to draw.
    #[error("This drawing takes too much time or memory to draw. Please simplify it, or upload it as a PNG.")]
    TooComplex,
    /// It has too many bytes or pixels.
    #[error("The picture is too large: 20 MB and 40 million pixels at most.")]
    TooLarge,
}

impl MediaError {
    /// Whether the error means that nothing is stored under the key: the object store answers "not found", or the file system
    /// can't have a file of this name, because one of its folders is a file or the name is too long.
    pub(crate) fn names_nothing(&self) -> bool {
        matches!(self, Self::Store(object_store::Error::NotFound { .. }))
            || causes(self).any(|cause| {
                let kind = cause.downcast_ref::<io::Error>().map(io::Error::kind);
                matches!(
                    kind,
                    Some(io::ErrorKind::NotADirectory | io::ErrorKind::InvalidFilename | io::ErrorKind::IsADirectory)
                )
            })
    }
}

fn causes<'a>(
    error: &'a (dyn std::error::Error + 'static),
) -> impl Iterator<Item = &'a (dyn std::error::Error + 'static)> {
    std::iter::successors(Some(error), |error| error.source())
}

impl From<io::Error> for MediaError {
    fn from(error: io::Error) -> Self {
        if is_full(&error) { Self::Full } else { Self::Disk(error) }
    }
}

impl From<object_store::Error> for MediaError {
    fn from(error: object_store::Error) -> Self {
        if causes(&error).any(|cause| cause.downcast_ref::<io::Error>().is_some_and(is_full)) {
            Self::Full
        } else {
            Self::Store(error)
        }
    }
}

fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}
