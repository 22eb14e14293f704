//! Object store files among the seed files: `media/<key>`, and beside a picture its renditions. An entry that names a key uses
//! that file; an entry without a key gets a drawn picture.

use std::collections::BTreeSet;

use anyhow::{Context, ensure};
use kernel::text_picture_keys;
use media::Media;

use super::{files::Files, reader::Reader};

pub(super) const FOLDER: &str = "media";

impl Reader<'_> {
    /// Checks that a key's file is among the seed files, and adds it to `keys`. `None` if it is not, which is recorded
    /// as a problem.
    pub(super) fn key(&mut self, path: &str, field: &str, key: Option<String>) -> Option<String> {
        let key = key?;
        if media::place_of(&key).is_none() {
            self.problem(path, field, format!("'{key}' is not a key of a file"));
            return None;
        }
        if !self.files.has(&format!("{FOLDER}/{key}")) {
            self.problem(path, field, format!("there is no {FOLDER}/{key}"));
            return None;
        }
        self.keys.insert(key.clone());
        Some(key)
    }
}

impl Reader<'_> {
    /// Checks that the pictures which an HTML text shows are among the seed files, and adds them to `keys`.
    pub(super) fn text_pictures(&mut self, path: &str, html: &str) {
        for key in text_picture_keys(html) {
            self.key(path, "img", Some(key));
        }
    }

    /// Like [`Reader::key`], but an empty key is kept: it means no picture, not even a drawn one.
    pub(super) fn picture(&mut self, path: &str, field: &str, key: Option<String>) -> Option<String> {
        if key.as_ref().is_some_and(String::is_empty) { key } else { self.key(path, field, key) }
    }
}

/// Removes empty keys, which stand for "no picture".
pub(super) fn without_empty<'a>(pictures: impl Iterator<Item = &'a mut Option<String>>) {
    for picture in pictures {
        picture.take_if(|key| key.is_empty());
    }
}

/// Puts the files of these keys into the object store. Existing files stay.
///
/// # Errors
/// A file's content does not match the hash in its key. Browsers cache files by key, so the content of a key must not change.
pub(super) async fn put_stored(media: &Media, files: &Files, keys: &BTreeSet<String>) -> anyhow::Result<()> {
    for key in keys {
        if !media.exists(key).await? {
            let path = format!("{FOLDER}/{key}");
            put(media, files, key, &path).await.with_context(|| path.clone())?;
        }
    }
    Ok(())
}

async fn put(media: &Media, files: &Files, key: &str, path: &str) -> anyhow::Result<()> {
    let missing = "it is missing";
    if media::is_drawing(key) {
        let drawing = files.bytes(path)?.context(missing)?.into_owned();
        return check(key, &media.put(&name_of(key)?, drawing).await?);
    }
    if !media::rendition_keys(key).is_empty() {
        // The key holds the hash of the upload, not of its renditions, so it can't be checked.
        for form in media::rendition_keys(key) {
            if let Some(bytes) = files.bytes(&format!("{FOLDER}/{form}"))? {
                media.put_under(&form, bytes.into_owned()).await?;
            }
        }
        // The original comes last: if it exists, its renditions do too.
        media.put_under(key, files.bytes(path)?.context(missing)?.into_owned()).await?;
        return Ok(());
    }
    let name = name_of(key)?;
    let stored = match files.on_disk(path) {
        Some(file) => media.put_file(&name, &file).await?,
        None => media.put(&name, files.bytes(path)?.context(missing)?.into_owned()).await?,
    };
    check(key, &stored)
}

fn check(key: &str, stored: &str) -> anyhow::Result<()> {
    ensure!(key == stored, "its content is another one: as {stored} it would be right");
    Ok(())
}

/// The file name that a key was made from: the key without its hash.
fn name_of(key: &str) -> anyhow::Result<String> {
    let name = key.rsplit_once('.').and_then(|(stem, ending)| Some((stem.rsplit_once('-')?.0, ending)));
    name.map(|(name, ending)| format!("{name}.{ending}")).context("its name holds no hash of its content")
}
