//! Keys of files: made of a name and a hash, and mapped to paths of the object store.

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

/// The path of a key in the object store; [`MediaError::BadName`] when no folder accepts it.
pub(crate) fn path_of(key: &str) -> Result<Path, MediaError> {
    let bad_name = || MediaError::BadName(key.to_owned());
    place_of(key).ok_or_else(bad_name)?;
    Path::parse(key).map_err(|_| bad_name())
}

/// The path of any object in the store: a file, or the compressed version of a drawing.
pub(crate) fn object_path(path: &str) -> Result<Path, MediaError> {
    let compressed = |encoding: &Encoding| path.strip_suffix(encoding.ending())?.strip_suffix('.');
    match ENCODINGS.iter().find_map(compressed).filter(|key| is_drawing(key)) {
        Some(_) => Path::parse(path).map_err(|_| MediaError::BadName(path.to_owned())),
        None => path_of(path),
    }
}

/// The path of a drawing's compressed version: in the same folder, without a URL of its own.
pub(crate) fn compressed_path(key: &str, encoding: Encoding) -> Result<Path, MediaError> {
    Path::parse(format!("{key}.{}", encoding.ending())).map_err(|_| MediaError::BadName(key.to_owned()))
}

/// Whether a key is a drawing's (SVG).
pub fn is_drawing(key: &str) -> bool {
    place_of(key).is_some_and(|(_, kind)| kind == SVG)
}
