//! Media files: covers, pictures, audio, video and documents in an object store, and the URLs at which they are fetched.
//!
//! It owns the object store (a folder or an S3 bucket), its table of folders ([`FOLDERS`]), the keys of files, the raster
//! renditions of pictures, sharing cards, uploads, presigned URLs, and what headers of HTTP mean for files: byte ranges, and the
//! names under which they are saved. It serves nothing: `apps/server` does.
//!
//! Invariants:
//!
//! - A key holds a hash of the content (of a card: of what it is drawn from). The content under a key never changes, so a
//!   URL may be cached forever and the key's last part is its `ETag`.
//! - A file that is in no folder of the table is neither stored nor served.
//! - A file is stored whole or not at all: an upload that breaks off leaves nothing.
//! - The right to a file is decided where a URL is presigned ([`UrlSigner::presign`]), never where it is fetched.
//! - An SVG of the store is drawn in a process with limits on time and memory, a few at a time. One that fails is not tried
//!   again for hours, and no request waits longer than 3 s.
//!
//! Words: a *key* names a file in the store; a *URL* is where a browser fetches it; a *drawing* is an SVG; a *rendition* is a
//! picture in one width and file format.

mod backend;
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

pub use cards::{BookCardSpec, CARD_KIND, Card};
pub use cleaned_svg::{CLEANED_SVG_BYTES, clean_svg};
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
