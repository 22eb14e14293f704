//! The folders of the object store: who may fetch from each, and which file types it accepts.

/// Who may fetch the files of a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Everyone, by the plain URL.
    Public,
    /// Holders of a presigned URL, until it expires.
    Signed,
}

/// A file type, identified by its extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The extension, without the dot.
    pub ending: &'static str,
    pub content_type: &'static str,
}

const fn kind(ending: &'static str, content_type: &'static str) -> Kind {
    Kind { ending, content_type }
}

/// Drawings, which are also stored compressed.
pub(crate) const SVG: Kind = kind("svg", "image/svg+xml");
/// Rasterized drawings, for programs that don't support SVG.
pub(crate) const PNG: Kind = kind("png", "image/png");
const WEBP: Kind = kind("webp", "image/webp");
const JPG: Kind = kind("jpg", "image/jpeg");
const JPEG: Kind = kind("jpeg", "image/jpeg");
const MP3: Kind = kind("mp3", "audio/mpeg");
const WAV: Kind = kind("wav", "audio/wav");
const M4A: Kind = kind("m4a", "audio/mp4");
const OPUS: Kind = kind("opus", "audio/ogg");
const OGG: Kind = kind("ogg", "audio/ogg");
const MP4: Kind = kind("mp4", "video/mp4");
const WEBM: Kind = kind("webm", "video/webm");
const VTT: Kind = kind("vtt", "text/vtt; charset=utf-8");
const PDF: Kind = kind("pdf", "application/pdf");
const EPUB: Kind = kind("epub", "application/epub+zip");
const ZIP: Kind = kind("zip", "application/zip");

const PICTURES: &[Kind] = &[SVG, PNG, WEBP, JPG, JPEG];
const SOUND: &[Kind] = &[MP3, WAV, M4A, OPUS, OGG, VTT];
const FILM: &[Kind] = &[MP4, WEBM, VTT, SVG, PNG, WEBP, JPG];
const EPISODES: &[Kind] = &[MP3, WAV, M4A, OPUS, OGG, VTT, SVG, PNG, WEBP, JPG];
const POSTERS: &[Kind] = &[SVG, PNG, WEBP, JPG, JPEG, ZIP];
const DOCUMENTS: &[Kind] = &[PDF, EPUB];

/// A folder of the object store.
#[derive(Clone, Copy, Debug)]
pub struct Folder {
    /// The first part of every key in it.
    pub name: &'static str,
    pub audience: Audience,
    /// The accepted file types.
    pub kinds: &'static [Kind],
}

const fn public(name: &'static str, kinds: &'static [Kind]) -> Folder {
    Folder { name, audience: Audience::Public, kinds }
}

const fn signed(name: &'static str, kinds: &'static [Kind]) -> Folder {
    Folder { name, audience: Audience::Signed, kinds }
}

/// All folders. A file in no folder of this table is neither stored nor served.
pub const FOLDERS: &[Folder] = &[
    public("covers", PICTURES),
    public("categories", PICTURES),
    public("collections", PICTURES),
    public("authors", PICTURES),
    public("blog", PICTURES),
    public("pictures", PICTURES),
    public("cards", PICTURES),
    public("thumbs", PICTURES),
    public("goals", PICTURES),
    public("podcasts", EPISODES),
    signed("audio", SOUND),
    signed("video", FILM),
    signed("visuals", PICTURES),
    signed("infographics", POSTERS),
    signed("documents", DOCUMENTS),
];

/// The maximum length of a part of a key, in bytes: short enough for every file system, also with a suffix.
const LONGEST_PART: usize = 200;

/// The folder and the file type of a key or name; `None` when the store accepts no such file.
///
/// A key is a folder's name followed by parts of ASCII letters, digits, `-`, `_` and `.`. No part begins with a dot, so a
/// key can't escape its folder on any file system.
pub fn place_of(key: &str) -> Option<(&'static Folder, Kind)> {
    let (name, rest) = key.split_once('/')?;
    let folder = FOLDERS.iter().find(|folder| folder.name == name)?;
    let plain = |part: &str| {
        !part.is_empty()
            && part.len() <= LONGEST_PART
            && !part.starts_with('.')
            && part.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'))
    };
    if !rest.split('/').all(plain) {
        return None;
    }
    let (_, ending) = rest.rsplit_once('.')?;
    let kind = folder.kinds.iter().find(|kind| kind.ending == ending)?;
    Some((folder, *kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_folder_has_an_audience_and_content_types() {
        let audience = |key| place_of(key).map(|(folder, kind)| (folder.audience, kind.content_type));
        for (key, content_type) in [
            ("covers/walden-1a.svg", "image/svg+xml"),
            ("categories/mind-1a.svg", "image/svg+xml"),
            ("collections/calm-1a.svg", "image/svg+xml"),
            ("authors/henry-1a.jpg", "image/jpeg"),
            ("blog/post-1a.webp", "image/webp"),
            ("pictures/text-1a.jpg", "image/jpeg"),
            ("cards/site-1a.png", "image/png"),
            ("goals/calm-1a.jpg", "image/jpeg"),
            ("thumbs/walden-1a.png", "image/png"),
            ("podcasts/first-1a.mp3", "audio/mpeg"),
        ] {
            assert_eq!(audience(key), Some((Audience::Public, content_type)), "{key}");
        }
        for (key, content_type) in [
            ("audio/walden-1a.mp3", "audio/mpeg"),
            ("audio/walden-1a.opus", "audio/ogg"),
            ("video/walden-1a.mp4", "video/mp4"),
            ("video/walden-1a.vtt", "text/vtt; charset=utf-8"),
            ("visuals/walden/1-1a.svg", "image/svg+xml"),
            ("infographics/walden-1a.png", "image/png"),
            ("documents/walden-1a.pdf", "application/pdf"),
            ("documents/walden-1a.epub", "application/epub+zip"),
        ] {
            assert_eq!(audience(key), Some((Audience::Signed, content_type)), "{key}");
        }
    }

    #[test]
    fn a_key_outside_of_the_table_has_no_place() {
        for key in [
            "secret",
            "secret/walden.svg",
            "covers/walden.html",
            "covers/walden.js",
            "covers/walden.svg.br",
            "covers/walden",
            "covers/",
            "covers//walden.svg",
            "covers/../walden.svg",
            "covers/..%2fwalden.svg",
            "covers/.hidden.svg",
            "covers/.svg",
            "covers/a\\b.svg",
            "covers/a b.svg",
            "covers/a#1.svg",
            "covers/a\0.svg",
            "covers/ｗalden.svg",
            "audio/walden.exe",
            "documents/walden.svg",
            "/covers/walden.svg",
            "../covers/walden.svg",
        ] {
            assert!(place_of(key).is_none(), "{key}");
        }
        assert!(place_of(&format!("covers/{}.svg", "a".repeat(300))).is_none());
    }
}
