//! Reads parts of a ZIP archive, within limits.

use std::io::{Read, Seek};

use zip::ZipArchive;
use zip::result::ZipError;

use crate::extract::document::DocumentKind;
use crate::extract::error::ExtractionError;
use crate::extract::limits::Limits;

/// The source that an archive is read from.
pub(crate) trait ReadSeek: Read + Seek {}

impl<T: Read + Seek> ReadSeek for T {}

/// An archive that counts the bytes unpacked from it.
pub(crate) struct Archive<'a> {
    zip: ZipArchive<Box<dyn ReadSeek + 'a>>,
    kind: DocumentKind,
    limit: usize,
    left: usize,
}

impl<'a> Archive<'a> {
    /// Opens an archive; `kind` is named in error messages.
    pub(crate) fn open(
        reader: Box<dyn ReadSeek + 'a>,
        kind: DocumentKind,
        limits: &Limits,
    ) -> Result<Self, ExtractionError> {
        let zip = ZipArchive::new(reader).map_err(|error| error_of(&error, kind))?;
        if zip.len() > limits.entries {
            return Err(ExtractionError::TooManyParts { limit: limits.entries });
        }
        Ok(Self { zip, kind, limit: limits.unpacked, left: limits.unpacked })
    }

    pub(crate) fn of_kind(self, kind: DocumentKind) -> Self {
        Self { kind, ..self }
    }

    /// Whether the archive has a part with this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.zip.index_for_name(name).is_some()
    }

    /// A part's bytes. The size stated in the archive is not trusted.
    pub(crate) fn read(&mut self, name: &str) -> Result<Vec<u8>, ExtractionError> {
        let kind = self.kind;
        let part = self.zip.by_name(name).map_err(|error| error_of(&error, kind))?;
        let mut bytes = Vec::new();
        let read = part.take(self.left as u64 + 1).read_to_end(&mut bytes);
        read.map_err(|_| ExtractionError::Damaged(kind))?;
        self.left = self.left.checked_sub(bytes.len()).ok_or(ExtractionError::UnpacksTooLarge { limit: self.limit })?;
        Ok(bytes)
    }
}

fn error_of(error: &ZipError, kind: DocumentKind) -> ExtractionError {
    match error {
        ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) => ExtractionError::Protected,
        _ => ExtractionError::Damaged(kind),
    }
}
