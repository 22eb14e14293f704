//! File uploads: one multipart field, streamed to the object store in bounded memory. The file type is detected by the first
//! bytes; the client's file name is ignored (`catalogue.files-uploaded`).

use std::{fmt, sync::Arc, time::Duration};

use crate::http::error::{ApiError, Code};
use actix_multipart::{Field, Multipart};
use actix_web::{HttpRequest, http::header};
use bytes::{Bytes, BytesMut};
use futures_util::{
    Stream, StreamExt, TryStreamExt,
    stream::{self, Fuse},
};
use media::{
    CLEANED_SVG_BYTES, CleanedSvg, Media, MediaError, PictureError, SNIFFED_BYTES, StoredRecording, audio_ending,
    clean_svg, is_svg, video_ending,
};
use utoipa::ToSchema;

/// Timeout of an upload (`catalogue.files-uploaded`).
const UPLOAD_TIME: Duration = Duration::from_mins(30);
/// The largest video, in bytes (`catalogue.files-uploaded`).
const VIDEO_BYTES: u64 = 5 * 1024 * 1024 * 1024;
/// The largest recording, in bytes.
const AUDIO_BYTES: u64 = 1024 * 1024 * 1024;
/// The maximum size of a multipart body besides the file: boundaries, headers and the field `fileName`. In bytes.
const FRAME_BYTES: u64 = 64 * 1024;

/// A file.
#[derive(ToSchema)]
#[schema(as = UploadForm)]
#[allow(dead_code, reason = "it describes the body, which is streamed")]
pub struct UploadForm {
    /// The file.
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
    /// Its name, which decides nothing.
    #[schema(rename = "fileName", required = false)]
    file_name: Option<String>,
}

/// The accepted file types of an upload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// JPEG, PNG or WebP, which are re-encoded in the sizes that pages need.
    Picture,
    /// A picture, or an SVG, which is sanitized.
    Drawing,
    /// MP3, M4A, OGG or WAV.
    Audio,
    /// MP4 or `WebM`.
    Video,
}

impl FileKind {
    /// The maximum size of a file, in bytes.
    const fn limit(self) -> u64 {
        match self {
            Self::Picture | Self::Drawing => media::MOST_BYTES as u64,
            Self::Audio => AUDIO_BYTES,
            Self::Video => VIDEO_BYTES,
        }
    }

    const fn refusal(self) -> &'static str {
        match self {
            Self::Picture => "This is not a picture that we can read. Please use JPEG, PNG or WebP.",
            Self::Drawing => "This is not a picture that we can read. Please use SVG, JPEG, PNG or WebP.",
            Self::Audio => "This is not a recording that we can play. Please use MP3, M4A, OGG or WAV.",
            Self::Video => "This is not a video that we can play. Please use MP4 or WebM.",
        }
    }
}

/// Why the stream of a file ended early.
#[derive(Debug)]
enum StreamError {
    TooLarge,
    BrokeOff,
}

impl fmt::Display for StreamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TooLarge => "the file is too large",
            Self::BrokeOff => "the body broke off",
        })
    }
}

impl std::error::Error for StreamError {}

impl From<StreamError> for ApiError {
    fn from(error: StreamError) -> Self {
        match error {
            StreamError::TooLarge => too_large(),
            StreamError::BrokeOff => Self::new(Code::BadRequest, "The request body was cut off."),
        }
    }
}

fn too_large() -> ApiError {
    UploadTexts::DEFAULT.too_large()
}

fn refused(text: impl Into<String>) -> ApiError {
    ApiError::invalid("file", text.into())
}

/// Stores the file of a multipart body under a name without an extension, such as `covers/walden`, and returns its key.
/// Nothing is stored when the file is rejected, too large or incomplete.
pub async fn store_file(
    media: &Arc<Media>,
    request: &HttpRequest,
    mut body: Multipart,
    kind: FileKind,
    name: &str,
) -> Result<String, ApiError> {
    let limit = (kind.limit(), UploadTexts::DEFAULT);
    receive(request, &mut body, limit, async |field| store_field(media, field, kind, name).await).await
}

/// [`store_file`] for a recording (MP3, M4A, OGG or WAV); also reads its playing time.
pub async fn store_recording(
    media: &Arc<Media>,
    request: &HttpRequest,
    mut body: Multipart,
    name: &str,
) -> Result<StoredRecording, ApiError> {
    let kind = FileKind::Audio;
    let store = async |field: Field| {
        let (begin, field) = begin_of(field).await?;
        let ending = audio_ending(&begin).ok_or_else(|| refused(kind.refusal()))?;
        let stored = media.put_recording(&format!("{name}.{ending}"), limited(begin, field, kind.limit())).await;
        stored.map_err(|error| match error {
            MediaError::NotARecording => refused(kind.refusal()),
            error => broken_off(error),
        })
    };
    receive(request, &mut body, (kind.limit(), UploadTexts::DEFAULT), store).await
}

/// What is said of an upload that has no file, or too large a one.
#[derive(Clone, Copy, Debug)]
pub struct UploadTexts {
    pub missing: &'static str,
    pub too_large: &'static str,
}

impl UploadTexts {
    /// Of most uploads.
    const DEFAULT: Self = Self { missing: "Please specify File.", too_large: "The file is too large." };

    fn too_large(self) -> ApiError {
        ApiError::new(Code::PayloadTooLarge, self.too_large)
    }
}

/// Reads the file of a multipart body into memory.
pub async fn read_file(
    request: &HttpRequest,
    mut body: Multipart,
    limit: u64,
    texts: UploadTexts,
) -> Result<Vec<u8>, ApiError> {
    receive(request, &mut body, (limit, texts), async |field| whole_file(begin_of(field).await?, limit, texts).await)
        .await
}

/// Finds the field with the file and passes it to `store`.
async fn receive<T>(
    request: &HttpRequest,
    body: &mut Multipart,
    (limit, texts): (u64, UploadTexts),
    store: impl AsyncFnOnce(Field) -> Result<T, ApiError>,
) -> Result<T, ApiError> {
    let announced = request.headers().get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok());
    if announced.and_then(|value| value.parse::<u64>().ok()).is_some_and(|bytes| bytes > limit + FRAME_BYTES) {
        return Err(texts.too_large());
    }
    let stored = async {
        let field = loop {
            let field = body.try_next().await.map_err(|_| unreadable())?.ok_or_else(|| refused(texts.missing))?;
            if field.name() == Some("file") {
                break field;
            }
            // Other fields, such as `fileName`, are read and ignored.
            drain(field).await?;
        };
        store(field).await
    };
    let late = |_| ApiError::new(Code::TooSlow, "The upload took too long. Please try again with a smaller file.");
    tokio::time::timeout(UPLOAD_TIME, stored).await.map_err(late)?
}

fn unreadable() -> ApiError {
    ApiError::new(Code::BadRequest, "The body must be a readable upload (multipart/form-data).")
}

async fn drain(mut field: Field) -> Result<(), ApiError> {
    let mut read = 0_u64;
    while let Some(bytes) = field.next().await {
        read += bytes.map_err(|_| unreadable())?.len() as u64;
        if read > FRAME_BYTES {
            return Err(too_large());
        }
    }
    Ok(())
}

/// The first bytes of a file, which identify its type, and the rest of the stream.
async fn begin_of(field: Field) -> Result<(Bytes, Fuse<Field>), ApiError> {
    // A field must not be polled after its end.
    let mut field = field.fuse();
    let mut begin = BytesMut::new();
    while begin.len() < SNIFFED_BYTES {
        match field.next().await {
            Some(bytes) => begin.extend_from_slice(&bytes.map_err(|_| StreamError::BrokeOff)?),
            None => break,
        }
    }
    Ok((begin.freeze(), field))
}

/// The file as a stream that fails with [`StreamError::TooLarge`] beyond the limit.
fn limited(begin: Bytes, field: Fuse<Field>, limit: u64) -> impl Stream<Item = Result<Bytes, StreamError>> {
    let (mut left, first) = (limit, stream::once(async move { Ok(begin) }));
    let rest = field.map(|bytes| bytes.map_err(|_| StreamError::BrokeOff));
    first.chain(rest).map(move |bytes: Result<Bytes, StreamError>| {
        let bytes = bytes?;
        left = left.checked_sub(bytes.len() as u64).ok_or(StreamError::TooLarge)?;
        Ok(bytes)
    })
}

/// Maps the error of a failed upload.
fn broken_off(error: MediaError) -> ApiError {
    match error {
        MediaError::BrokeOff(cause) => match cause.downcast::<StreamError>() {
            Ok(cause) => (*cause).into(),
            Err(_) => unreadable(),
        },
        error => error.into(),
    }
}

async fn store_field(media: &Arc<Media>, field: Field, kind: FileKind, name: &str) -> Result<String, ApiError> {
    let (begin, field) = begin_of(field).await?;
    let ending = match kind {
        FileKind::Audio => audio_ending(&begin),
        FileKind::Video => video_ending(&begin),
        FileKind::Picture | FileKind::Drawing => return store_picture(media, (begin, field), kind, name).await,
    };
    let ending = ending.ok_or_else(|| refused(kind.refusal()))?;
    let stored = media.put_stream(&format!("{name}.{ending}"), limited(begin, field, kind.limit())).await;
    stored.map_err(broken_off)
}

/// Reads the SVG of a multipart body and sanitizes it; nothing is stored.
pub async fn cleaned_svg_of(request: &HttpRequest, mut body: Multipart) -> Result<CleanedSvg, ApiError> {
    let clean = async |field: Field| {
        let bytes = whole_file(begin_of(field).await?, CLEANED_SVG_BYTES as u64, UploadTexts::DEFAULT).await?;
        if is_svg(&bytes) { cleaned(&bytes) } else { Err(refused(PictureError::NotADrawing.to_string())) }
    };
    receive(request, &mut body, (FileKind::Drawing.limit(), UploadTexts::DEFAULT), clean).await
}

fn cleaned(bytes: &[u8]) -> Result<CleanedSvg, ApiError> {
    clean_svg(bytes).map_err(|error| refused(error.to_string()))
}

/// Reads a file of at most `limit` bytes into memory.
async fn whole_file(
    (begin, mut field): (Bytes, Fuse<Field>),
    limit: u64,
    texts: UploadTexts,
) -> Result<Vec<u8>, ApiError> {
    let mut bytes = begin.to_vec();
    while let Some(more) = field.next().await {
        bytes.extend_from_slice(&more.map_err(|_| StreamError::BrokeOff)?);
        if bytes.len() as u64 > limit {
            return Err(texts.too_large());
        }
    }
    Ok(bytes)
}

/// Reads a picture into memory, then decodes and stores it.
async fn store_picture(
    media: &Arc<Media>,
    file: (Bytes, Fuse<Field>),
    kind: FileKind,
    name: &str,
) -> Result<String, ApiError> {
    let bytes = whole_file(file, kind.limit(), UploadTexts::DEFAULT).await?;
    let stored = if kind == FileKind::Drawing && is_svg(&bytes) {
        if bytes.len() > CLEANED_SVG_BYTES {
            return Err(too_large());
        }
        media.put_drawing(&format!("{name}.svg"), cleaned(&bytes)?.svg).await
    } else {
        media.put_picture(name, bytes).await
    };
    stored.map_err(|error| match error {
        MediaError::Picture(PictureError::NotAPicture) => refused(kind.refusal()),
        MediaError::Picture(error) => refused(error.to_string()),
        error => error.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::{FileKind, UPLOAD_TIME};

    #[test]
    fn the_limits_are_stated() {
        assert_eq!(UPLOAD_TIME.as_secs(), 30 * 60);
        assert_eq!(FileKind::Video.limit(), 5_368_709_120);
        assert_eq!((FileKind::Audio.limit(), FileKind::Picture.limit()), (1_073_741_824, 20_971_520));
    }
}
