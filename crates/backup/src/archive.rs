//! The archive format: a tar file that ends with the SHA-256 hash of everything before it.

use std::{
    fs::File,
    io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write},
};

use sha2::{Digest, Sha256};
use tar::{Builder, EntryType, Header};

use crate::BackupError;

/// The name of the last entry, which holds the hash.
const HASH: &str = "sha256";
/// Length of the last entry and the end-of-archive marker in bytes: a header, one block, two empty blocks.
const TAIL: u64 = 4 * 512;

/// Writes a file and hashes the bytes written.
struct Hashing {
    file: BufWriter<File>,
    hash: Sha256,
}

impl Write for Hashing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.hash.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// An archive that is being written.
pub(crate) struct ArchiveWriter {
    tar: Builder<Hashing>,
}

impl ArchiveWriter {
    pub(crate) fn new(file: File) -> Self {
        Self { tar: Builder::new(Hashing { file: BufWriter::new(file), hash: Sha256::new() }) }
    }

    /// Adds an entry whose content has exactly `size` bytes.
    pub(crate) fn add(&mut self, name: &str, size: u64, content: impl Read) -> io::Result<()> {
        self.tar.append_data(&mut header(size), name, content)
    }

    /// Appends the hash and flushes the file to disk.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        let hash = hex::encode(self.tar.get_ref().hash.clone().finalize());
        self.tar.append_data(&mut header(hash.len() as u64), HASH, hash.as_bytes())?;
        let file = self.tar.into_inner()?.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.sync_all()
    }
}

/// The header of an entry: the same for every file, so that an archive reveals nothing about the machine that made it.
fn header(size: u64) -> Header {
    let mut header = Header::new_gnu();
    header.set_entry_type(EntryType::Regular);
    header.set_mode(0o600);
    header.set_size(size);
    header
}

/// Fails unless the file is, bit for bit, a complete archive. Rewinds the file to its beginning.
pub(crate) fn verify(file: &mut File) -> Result<(), BackupError> {
    let length = file.seek(SeekFrom::End(0))?;
    let body = length.checked_sub(TAIL).ok_or(BackupError::Damaged)?;
    file.seek(SeekFrom::Start(0))?;
    let mut reader = BufReader::with_capacity(1 << 20, &mut *file);
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 20];
    let mut left = body;
    while left > 0 {
        let most = usize::try_from(left).unwrap_or(usize::MAX).min(buffer.len());
        let read = reader.read(&mut buffer[..most])?;
        if read == 0 {
            return Err(BackupError::Damaged);
        }
        hash.update(&buffer[..read]);
        left -= read as u64;
    }
    let mut tail = Vec::new();
    reader.read_to_end(&mut tail)?;
    let hash = hex::encode(hash.finalize());
    let mut expected = Builder::new(Vec::new());
    expected.append_data(&mut header(hash.len() as u64), HASH, hash.as_bytes())?;
    if tail != expected.into_inner()? {
        return Err(BackupError::Damaged);
    }
    file.seek(SeekFrom::Start(0))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn archive() -> Vec<u8> {
        let mut file = tempfile::tempfile().unwrap();
        let mut archive = ArchiveWriter::new(file.try_clone().unwrap());
        archive.add("a", 5, &b"hello"[..]).unwrap();
        archive.add(&format!("media/{}", "long/".repeat(40)), 700, &[7; 700][..]).unwrap();
        archive.finish().unwrap();
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(0)).unwrap();
        file.read_to_end(&mut bytes).unwrap();
        bytes
    }

    fn verified(bytes: &[u8]) -> Result<(), BackupError> {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        verify(&mut file)
    }

    #[test]
    fn a_whole_archive_is_verified_and_every_flipped_bit_is_found() {
        let bytes = archive();
        verified(&bytes).unwrap();
        for at in 0..bytes.len() {
            let mut flipped = bytes.clone();
            flipped[at] ^= 1 << (at % 8);
            assert!(matches!(verified(&flipped), Err(BackupError::Damaged)), "byte {at}");
        }
    }

    #[test]
    fn an_archive_that_was_cut_or_continued_is_damaged() {
        let bytes = archive();
        for length in [0, 1, 511, 512, bytes.len() - 512, bytes.len() - 1] {
            assert!(matches!(verified(&bytes[..length]), Err(BackupError::Damaged)), "{length} bytes");
        }
        assert!(matches!(verified(&[bytes.as_slice(), b"x"].concat()), Err(BackupError::Damaged)));
    }
}
