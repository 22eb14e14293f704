//! Media files: covers, pictures, audio, video and documents in an object store, and the URLs at which they are fetched.
//!
//! It owns the object store (a folder or an S3 bucket), its table of folders ([`FOLDERS`]), the keys of files, the raster
//! renditions of pictures, sharing cards, uploads, presigned URLs, and the HTTP headers of files: byte ranges, `ETag`s and
//! `Content-Disposition`. The route that serves the files is in the crate `web`.
//!
//! Invariants:
//!
//! - A key contains a hash of the content (a card's key: of what it is drawn from). The content under a key never changes, so
//!   a URL may be cached forever, and the last part of the key is the `ETag`.
//! - A file in a folder that is not in the table is neither stored nor served.
//! - A file is stored completely or not at all: an upload that ends early leaves nothing.
//! - Access to a file is checked when its URL is presigned ([`UrlSigner::presign`]), never when it is fetched.
//! - A stored SVG is drawn in a process with limits on time and memory, a few at a time. An SVG that fails is not retried for
//!   6 hours, and no request waits longer than 3 s.
//!
//! Words: a *key* names a file in the store; a *URL* is where a browser fetches it; a *drawing* is an SVG; a *rendition* is a
//! picture in one width and file format.

mod backend;
mod bucket;
mod cards;
mod cleaned_svg;
mod complexity;
mod config;
pub mod disposition;
mod drawings;
mod encoding;
mod error;
mod folders;
mod incoming;
mod keys;
mod pictures;
mod presigned;
pub mod range;
mod recognised;
mod recording_length;
mod renditions;
mod store;
mod turns;
mod upload;
mod url_key;

pub use bucket::Bucket;
pub use cards::{BookCardSpec, CARD_KIND, Card};
pub use cleaned_svg::{CLEANED_SVG_BYTES, CleanedSvg, clean_svg};
pub use config::{MediaConfig, S3Config};
pub use drawings::PATIENCE;
pub use encoding::{ENCODINGS, Encoding};
pub use error::{MediaError, PictureError};
pub use folders::{Audience, FOLDERS, Folder, Kind, place_of};
pub use keys::is_drawing;
pub use pictures::{MOST_BYTES, MOST_PIXELS};
pub use presigned::{LIVES_AT_LEAST, PresignedUrl, SLOT, UrlSigner};
pub use recognised::{SNIFFED_BYTES, audio_ending, is_svg, video_ending};
pub use renditions::{
    Format, PICTURE_WIDTHS, RENDITION_WIDTHS, is_rendition, rendition_key, rendition_keys, srcset_of,
};
pub use store::{Media, StoredFile, StoredRecording};
