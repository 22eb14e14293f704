//! Keys of files: how they are made of a name and a hash, and where they lie in the store.

use object_store::path::Path;

use crate::{
    encoding::{ENCODINGS, Encoding},
    error::MediaError,
    folders::{SVG, place_of},
};

/// The key under which content with this hash is stored.
pub(crate) fn key_of(name: &str, hash: &[u8; 32]) -> Result<String, MediaError> {
    let bad_name = || MediaError::BadName(name.to_owned());
    place_of(name).ok_or_else(bad_name)?;
    let (stem, ending) = name.rsplit_once('.').ok_or_else(bad_name)?;
    Ok(format!("{stem}-{}.{ending}", hex::encode(&hash[..6])))
}

/// The path of a key in the store.
pub(crate) fn path_of(key: &str) -> Result<Path, MediaError> {
    let bad_name = || MediaError::BadName(key.to_owned());
    place_of(key).ok_or_else(bad_name)?;
    Path::parse(key).map_err(|_| bad_name())
}

/// The path of any object of the store: of a file, or of a drawing's compressed form.
pub(crate) fn object_path(path: &str) -> Result<Path, MediaError> {
    let compressed = |encoding: &Encoding| path.strip_suffix(encoding.ending())?.strip_suffix('.');
    match ENCODINGS.iter().find_map(compressed).filter(|key| is_drawing(key)) {
        Some(_) => Path::parse(path).map_err(|_| MediaError::BadName(path.to_owned())),
        None => path_of(path),
    }
}

/// The path of a drawing's compressed form: beside it, under no URL of its own.
pub(crate) fn compressed_path(key: &str, encoding: Encoding) -> Result<Path, MediaError> {
    Path::parse(format!("{key}.{}", encoding.ending())).map_err(|_| MediaError::BadName(key.to_owned()))
}

/// Whether a key is a drawing's (SVG).
pub fn is_drawing(key: &str) -> bool {
    place_of(key).is_some_and(|(_, kind)| kind == SVG)
}
